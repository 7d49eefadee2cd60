package datasets

import (
	"unsafe"

	"synochess/env"
)

// trim takes out of games what training does not look at, which is most of what was recorded: of a ply
// its move, search, weights and the result of its search stay, and of the actions of a policy target moves and
// policy.
func trim(games []*Game) {
	for _, g := range games {
		for i, p := range g.Plies {
			t := Ply{
				Move: p.Move, Search: p.Search, After: p.After,
				SampleWeight: p.SampleWeight, PolicyWeight: p.PolicyWeight, ValueWeight: p.ValueWeight,
			}
			if p.PolicyWeight > 0 && len(p.Actions) > 0 {
				t.Actions = make([]Action, len(p.Actions))
				for k, a := range p.Actions {
					t.Actions[k] = Action{Move: a.Move, Policy: a.Policy}
				}
			}
			g.Plies[i] = t
		}
	}
}

// packedGame is a trimmed game in a quarter of the memory: shares are codes, as in files.
type packedGame struct {
	game    Game // without plies
	plies   []packedPly
	actions []packedAction // of all plies, in order
}

type packedPly struct {
	move                                    env.Move
	actions                                 uint16 // how many
	search                                  SearchKind
	sampleWeight, policyWeight, valueWeight float32
	after                                   [3]uint16
}

type packedAction struct {
	move   env.Move
	policy uint16
}

// pack packs a trimmed game.
func pack(g *Game) *packedGame {
	p := &packedGame{game: *g, plies: make([]packedPly, len(g.Plies))}
	p.game.Plies = nil
	n := 0
	for i := range g.Plies {
		n += len(g.Plies[i].Actions)
	}
	p.actions = make([]packedAction, 0, n)
	for i := range g.Plies {
		ply, q := &g.Plies[i], &p.plies[i]
		*q = packedPly{
			move: ply.Move, search: ply.Search, actions: uint16(len(ply.Actions)),
			sampleWeight: ply.SampleWeight, policyWeight: ply.PolicyWeight, valueWeight: ply.ValueWeight,
		}
		for k, x := range ply.After {
			q.after[k] = shareCode(x)
		}
		for _, a := range ply.Actions {
			p.actions = append(p.actions, packedAction{a.Move, shareCode(a.Policy)})
		}
	}
	return p
}

// unpack is the inverse of pack.
func (p *packedGame) unpack() *Game {
	g := p.game
	if len(p.plies) > 0 {
		g.Plies = make([]Ply, len(p.plies))
	}
	all := make([]Action, len(p.actions))
	for k, a := range p.actions {
		all[k] = Action{Move: a.move, Policy: shareValue(a.policy)}
	}
	for i := range p.plies {
		q := &p.plies[i]
		ply := &g.Plies[i]
		*ply = Ply{Move: q.move, Search: q.search, SampleWeight: q.sampleWeight, PolicyWeight: q.policyWeight, ValueWeight: q.valueWeight}
		for k, c := range q.after {
			ply.After[k] = shareValue(c)
		}
		if n := int(q.actions); n > 0 {
			ply.Actions, all = all[:n:n], all[n:]
		}
	}
	return &g
}

// memory returns the bytes that the game takes.
func (p *packedGame) memory() int64 {
	return int64(unsafe.Sizeof(*p)) + int64(len(p.plies))*int64(unsafe.Sizeof(packedPly{})) + int64(len(p.actions))*int64(unsafe.Sizeof(packedAction{}))
}
