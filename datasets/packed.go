package datasets

import (
	"unsafe"

	"synochess/env"
)

// packedGame holds what training needs of a game (see Chunk) in a small part of the memory that a Game takes: of a ply
// its move, kind of search, weights and value after search, and of a policy target's actions moves and policy. Values
// and policy are codes, as in files (shareCode).
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

// pack packs a game.
func pack(g *Game) *packedGame {
	p := &packedGame{game: *g, plies: make([]packedPly, len(g.Plies))}
	p.game.Plies = nil
	n := 0
	for i := range g.Plies {
		n += len(learned(&g.Plies[i]))
	}
	p.actions = make([]packedAction, 0, n)
	for i := range g.Plies {
		ply, q := &g.Plies[i], &p.plies[i]
		actions := learned(ply)
		*q = packedPly{
			move: ply.Move, search: ply.Search, actions: uint16(len(actions)),
			sampleWeight: ply.SampleWeight, policyWeight: ply.PolicyWeight, valueWeight: ply.ValueWeight,
		}
		for k, x := range ply.After {
			q.after[k] = shareCode(x)
		}
		for _, a := range actions {
			p.actions = append(p.actions, packedAction{a.Move, shareCode(a.Policy)})
		}
	}
	return p
}

// learned returns the actions that training looks at: all of a policy target, none of another ply.
func learned(p *Ply) []Action {
	if p.PolicyWeight == 0 {
		return nil
	}
	return p.Actions
}

// unpack returns the game with what was packed of it.
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
