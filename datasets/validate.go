package datasets

import (
	"fmt"
	"math"
	"strings"

	"synochess/env"
)

// Limits of a stored game; a reader refuses more as damage.
const (
	maxPlies   = 1 << 20
	maxActions = 1 << 10
	maxText    = 1 << 16 // bytes of any text field
)

// Validate reports what is wrong with a game as a record, naming the field. It knows no rules of the
// game (see Verify): it checks that ranges hold, that floats are quantised, that a game without a result
// has none, and that actions and kind of search agree. Journal and files hold only valid games.
func (g *Game) Validate() error {
	if err := g.validateHead(); err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	for i := range g.Plies {
		if err := g.Plies[i].validate(); err != nil {
			return fmt.Errorf("game %d, ply %d: %w", g.Number, i, err)
		}
	}
	return nil
}

func (g *Game) validateHead() error {
	texts := []struct{ name, text string }{
		{"run", g.RunID}, {"kernel path", g.KernelPath}, {"program", g.Program}, {"rules", g.Rules},
		{"start FEN", g.StartFEN}, {"opening", g.Opening}, {"note", g.Note},
		{"Western kind", g.Agents[0].Kind}, {"Western evaluation id", g.Agents[0].EvalID}, {"Western settings", g.Agents[0].Settings},
		{"Eastern kind", g.Agents[1].Kind}, {"Eastern evaluation id", g.Agents[1].EvalID}, {"Eastern settings", g.Agents[1].Settings},
	}
	for _, t := range texts {
		if len(t.text) > maxText {
			return fmt.Errorf("%s has %d bytes, at most %d are stored", t.name, len(t.text), maxText)
		}
		if strings.ToValidUTF8(t.text, "") != t.text {
			return fmt.Errorf("%s is not UTF-8 text", t.name)
		}
	}
	switch {
	case g.RunID == "":
		return fmt.Errorf("run is empty")
	case g.StartFEN == "":
		return fmt.Errorf("start FEN is empty")
	case int(g.Purpose) >= len(purposeNames):
		return fmt.Errorf("purpose is %s", g.Purpose)
	case int(g.Start) >= len(startNames):
		return fmt.Errorf("start kind is %s", g.Start)
	case int(g.Result) >= len(resultNames) || g.Reason >= env.NumReasons || int(g.Ending) >= len(endingNames):
		return fmt.Errorf("result %d, reason %d or ending %d is out of range", g.Result, g.Reason, g.Ending)
	case (g.Result != env.Undecided) != g.HasResult():
		return fmt.Errorf("result is %s but the game ended by %q: a cut or void game has no result, any other has one", g.Result, g.Ending)
	case (g.Reason != env.NoReason) != (g.Ending == ByRules):
		return fmt.Errorf("reason is %q but the game ended by %q: the rules give a reason, nothing else does", g.Reason, g.Ending)
	case g.Start != FromFork && (g.ForkOf != 0 || g.ForkPly != 0):
		return fmt.Errorf("fork of game %d, but the start kind is %s", g.ForkOf, g.Start)
	case g.Start != FromFork && g.Family != g.Number:
		return fmt.Errorf("family is %d, want the game's own number where it is not a fork", g.Family)
	case len(g.Plies) > maxPlies:
		return fmt.Errorf("%d plies, at most %d are stored", len(g.Plies), maxPlies)
	}
	return nil
}

func (p *Ply) validate() error {
	switch {
	case p.Move == env.NoMove || p.Move.Kind() >= env.NumMoveKinds:
		return fmt.Errorf("move code %#04x is not a move", uint16(p.Move))
	case int(p.Chosen) >= len(chosenNames) || int(p.Search) >= len(searchNames) || int(p.Proven) >= len(provenNames):
		return fmt.Errorf("chosen %d, search %d or proven %d is out of range", p.Chosen, p.Search, p.Proven)
	case !(p.Chance > 0 && p.Chance <= 1) || p.Chosen != Sampled && p.Chance != 1:
		return fmt.Errorf("chance is %v for a move chosen as %s", p.Chance, p.Chosen)
	case !weightOK(p.SampleWeight) || p.SampleWeight > 255 || p.SampleWeight != float32(math.Round(float64(p.SampleWeight)*weightScale)/weightScale):
		return fmt.Errorf("sample weight is %v, want a multiple of 1/256 up to 255: call Quantise", p.SampleWeight)
	case !weightOK(p.PolicyWeight) || !weightOK(p.ValueWeight):
		return fmt.Errorf("policy weight %v or value weight %v is not a finite number of at least 0", p.PolicyWeight, p.ValueWeight)
	case p.PolicyWeight > 0 && p.Search != FullSearch:
		return fmt.Errorf("policy weight is %v after a search that is %s", p.PolicyWeight, p.Search)
	}
	if err := validateWDL(p.Before); err != nil {
		return fmt.Errorf("before search: %w", err)
	}
	if err := validateWDL(p.After); err != nil {
		return fmt.Errorf("after search: %w", err)
	}
	return p.validateActions()
}

func (p *Ply) validateActions() error {
	switch {
	case p.Search == NoSearch && (len(p.Actions) > 0 || p.Visits > 0 || p.Proven != Unproven):
		return fmt.Errorf("%d actions, %d visits, proven %s without a search", len(p.Actions), p.Visits, p.Proven)
	case p.Search == FullSearch && len(p.Actions) == 0:
		return fmt.Errorf("no actions after a full search")
	case len(p.Actions) > maxActions:
		return fmt.Errorf("%d actions, at most %d are stored", len(p.Actions), maxActions)
	}
	sum, played := 0, false
	var seen moveSet
	for i := range p.Actions {
		a := &p.Actions[i]
		switch {
		case a.Move == env.NoMove || a.Move.Kind() >= env.NumMoveKinds || seen.has(a.Move):
			return fmt.Errorf("action %d: move code %#04x is not a move or is listed twice", i, uint16(a.Move))
		case a.Logit != logitValue(logitCode(a.Logit)):
			return fmt.Errorf("action %d: logit %v is not quantised: call Quantise", i, a.Logit)
		case !shareOK(a.Policy):
			return fmt.Errorf("action %d: policy %v is not a quantised share: call Quantise", i, a.Policy)
		case !(a.Q >= -1 && a.Q <= 1) || a.Q != qValue(qCode(a.Q)):
			return fmt.Errorf("action %d: q %v is not a quantised value of [-1,1]: call Quantise", i, a.Q)
		case a.Visits == 0 && p.Search == CheapSearch && a.Move != p.Move:
			return fmt.Errorf("action %d: no visits, and the search was cheap: call Quantise", i)
		}
		sum += int(shareCode(a.Policy))
		played = played || a.Move == p.Move
		seen.add(a.Move)
	}
	switch {
	case p.Search == FullSearch && sum != ShareScale, sum > ShareScale:
		return fmt.Errorf("policy sums to %d/%d: call Quantise", sum, ShareScale)
	case len(p.Actions) > 0 && !played && p.Chosen != Forced:
		return fmt.Errorf("the move played is not among the actions")
	}
	return nil
}

// moveSet is a set of moves: one bit for each move code.
type moveSet [1 << 16 / 64]uint64

func (s *moveSet) add(m env.Move) { s[m/64] |= 1 << (m % 64) }

func (s *moveSet) has(m env.Move) bool { return s[m/64]>>(m%64)&1 != 0 }

func weightOK(w float32) bool { return w >= 0 && !math.IsInf(float64(w), 1) }

func shareOK(x float32) bool { return x >= 0 && x <= 1 && x == shareValue(shareCode(x)) }

func validateWDL(wdl [3]float32) error {
	sum := 0
	for _, x := range wdl {
		if !shareOK(x) {
			return fmt.Errorf("win, draw, loss are %v, not quantised shares: call Quantise", wdl)
		}
		sum += int(shareCode(x))
	}
	if sum != ShareScale && sum != 0 {
		return fmt.Errorf("win, draw, loss sum to %d/%d, want 1 (or all 0)", sum, ShareScale)
	}
	return nil
}
