package datasets

import (
	"strings"

	"synochess/env"
)

// Purpose says what a game was played for. Game numbers are unique within a run and a purpose.
type Purpose uint8

// The purposes.
const (
	Training Purpose = iota // self-play; the only games a replay Window takes
	Match                   // games that measure strength
)

// Ending says what ended a game. Only ByRules, Adjudicated and Forfeit games have a result; a Cut or
// Void game is neither a draw nor a win and counts in no score.
type Ending uint8

// The endings.
const (
	ByRules     Ending = iota // Result and Reason are those of the rules
	Cut                       // stopped at a ply limit: Result is env.Undecided
	Adjudicated               // decided by someone's judgement, not by the rules: Reason is env.NoReason
	Forfeit                   // an agent failed (illegal move, crash, time): Reason is env.NoReason
	Void                      // does not count at all: Result is env.Undecided
)

// StartKind says where a game's start position comes from.
type StartKind uint8

// The kinds of start.
const (
	FromStart    StartKind = iota // the rule set's start position
	FromBook                      // a given opening position
	FromFork                      // a position of an earlier game (ForkOf, ForkPly)
	FromHandicap                  // a start chosen to be fair; the rule set is a derived one
)

// Chosen says how a played move was selected.
type Chosen uint8

// The ways a move is chosen.
const (
	Best    Chosen = iota // the search's first choice
	Sampled               // drawn at random; Ply.Chance is the probability it had
	Forced                // given from outside: an opening's move, or the only legal one
)

// SearchKind says how much was searched for a move.
type SearchKind uint8

// The kinds of search.
const (
	NoSearch    SearchKind = iota // no search: Visits is 0, the values are 0, Actions is empty
	CheapSearch                   // a small search; its policy is no training target
	FullSearch                    // a full search; its policy is a training target
)

// Proven says whether the search proved the value of a root, for the mover.
type Proven uint8

// The proofs.
const (
	Unproven Proven = iota
	ProvenWin
	ProvenLoss
	ProvenDraw
)

// AgentInfo names who played an army.
type AgentInfo struct {
	Kind     string // "network" in self-play; in a match its name: "greedy", "random", a weights file's or an engine's
	EvalID   string // what decides its evaluations (mcts.Evaluator.ID); "" if it has no evaluator
	Settings string // search settings as one line of text
}

// Game is a finished game, as the journal and the Parquet files hold it. All floats of a stored game are
// quantised (Ply.Quantise), so that journal, Parquet and memory hold equal games.
type Game struct {
	RunID      string  // names the run
	Purpose    Purpose // with RunID, the space Number is unique in
	Number     uint64  // game number, growing with time; replay windows go by it
	Generation uint32  // generation that played it
	Seed       uint64  // seed of the game's own random stream
	KernelPath string  // arithmetic that ran ("portable", ...)
	Program    string  // program version

	Rules     string // canonical text of the rule set (env.Rules.Canonical)
	RulesHash uint64 // hash of all fields but the name
	GroupHash uint64 // hash of all fields but name and start; reports group by it

	StartFEN string    // position before the first ply
	Start    StartKind // where it comes from
	ForkOf   uint64    // FromFork: number of the parent game; else 0
	ForkPly  uint32    // FromFork: plies of the parent that led to StartFEN; else 0
	Family   uint64    // number of the game at the root of its chain of forks, its own if no fork; splits go by it
	Opening  string    // id of the opening, "" if none
	Pair     uint64    // id shared by the games that play one opening with changed sides; 0 if none

	Agents [2]AgentInfo // [env.Army]

	Result env.Result // Undecided for Cut and Void games, else decided
	Reason env.Reason // NoReason unless Ending is ByRules
	Ending Ending
	Note   string // of a Forfeit, what went wrong; else ""

	Plies []Ply // [ply], in the order of play; may be empty
}

// Ply is one move of a game and what the search found before it. All values are the mover's.
type Ply struct {
	Move   env.Move
	Chosen Chosen
	Chance float32 // probability with which the move was chosen, in (0,1]; 1 unless Sampled
	Search SearchKind
	Visits uint32 // visits (finished simulations) spent on this move

	SampleWeight float32 // how often a Window draws this position, relative to others; 0: never. Multiples of 1/256, 0 to 255
	PolicyWeight float32 // weight of the policy loss, 0: no policy target
	ValueWeight  float32 // weight of the value loss, 0: no value target

	Before [3]float32 // win, draw, loss of the root as evaluated, before search; sum 1, or all 0 if not known
	After  [3]float32 // win, draw, loss of the root after search; sum 1, or all 0 if not known
	Proven Proven

	// Actions holds every legal move after a FullSearch, the visited ones after a CheapSearch, none
	// after NoSearch; each move once.
	Actions []Action
}

// Action is what the search found of one legal move. Q is the mover's.
type Action struct {
	Move   env.Move
	Visits uint32
	Logit  float32 // prior logit as evaluated, unnormalised, saturating at +-64
	Policy float32 // improved policy, in [0,1]; sums to 1 over all legal moves
	Q      float32 // mean value in [-1,1], completed where the move was not visited
}

// HasResult reports whether the game counts: a Cut or Void game does not.
func (g *Game) HasResult() bool { return g.Ending != Cut && g.Ending != Void }

// WDLFor returns the result as win, draw and loss of army a, one of them 1. It is false for a game
// without a result, which must not become a target or count in a score.
func (g *Game) WDLFor(a env.Army) (wdl [3]float32, ok bool) {
	if !g.HasResult() {
		return wdl, false
	}
	switch g.Result {
	case env.WinFor(a):
		wdl[0] = 1
	case env.Draw:
		wdl[1] = 1
	case env.WinFor(a.Other()):
		wdl[2] = 1
	default:
		return wdl, false
	}
	return wdl, true
}

// ScoreFor returns what army a scored: 1 for a win, 1/2 for a draw, 0 for a loss. It is false for a game
// without a result, which must not count.
func (g *Game) ScoreFor(a env.Army) (score float64, ok bool) {
	wdl, ok := g.WDLFor(a)
	return float64(wdl[0]) + float64(wdl[1])/2, ok
}

// FirstMover returns the army that makes ply 0, read from the side field of StartFEN.
func (g *Game) FirstMover() env.Army {
	if _, rest, _ := strings.Cut(g.StartFEN, " "); strings.HasPrefix(rest, "b") {
		return env.Eastern
	}
	return env.Western
}

// Mover returns the army that makes the given ply.
func (g *Game) Mover(ply int) env.Army { return g.FirstMover() ^ env.Army(ply&1) }
