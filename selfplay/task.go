package selfplay

import (
	"math/rand/v2"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// Task is a game that is to be played. It holds all that must be known to play it again to the same bytes.
type Task struct {
	Purpose    datasets.Purpose
	Generation uint32
	Number     uint64
	Seed       uint64

	Rules   *env.Rules
	Start   env.Position
	Kind    datasets.StartKind
	ForkOf  uint64     // a fork's parent game
	ForkPly uint32     // plies of the parent that led to Start
	Family  uint64     // the game at the root of the chain of forks
	Line    []env.Move // played before the agents choose
	Opening string     // names Start and Line in the record
	Pair    uint64     // shared by the games of one opening with changed sides; 0: none

	Agents   [2]int // [env.Army], indices into the agents of Play
	Thinking Thinking
	PlyLimit int // the game is cut there; 0: none but the rules'
}

// Thinking says how much is searched for a move and how the move is chosen.
type Thinking interface {
	// ask says how the next move is to be sought.
	ask(s *seat) (Ask, datasets.SearchKind)
	// choose picks the move from what was found and fills what the record says of the choice.
	choose(s *seat, ply *datasets.Ply)
	// sign adds what an agent may spend to what its record says of it.
	sign(info datasets.AgentInfo, agent int) datasets.AgentInfo
	// clock returns the clock that a game begins with; zero where time is not kept.
	clock(t *Task) Clock
	// punch takes the time of a move off the mover's clock; too much of it is a *Forfeit.
	punch(s *seat, used time.Duration) error
}

// SelfPlayThinking plays to learn: playout caps, noise, a sampled opening, soft endings.
type SelfPlayThinking struct{ Config Config }

func (t SelfPlayThinking) ask(s *seat) (Ask, datasets.SearchKind) {
	share := t.Config.FullProbability
	if s.soft(&t.Config) {
		share = t.Config.SoftFull
	}
	if s.rng.Float64() < share {
		return Ask{Visits: t.Config.FullVisits, Explore: true, FreshRoot: true, Rand: s.rng}, datasets.FullSearch
	}
	return Ask{Visits: t.Config.CheapVisits, Explore: true, Rand: s.rng}, datasets.CheapSearch
}

func (SelfPlayThinking) sign(info datasets.AgentInfo, _ int) datasets.AgentInfo { return info }

func (SelfPlayThinking) clock(*Task) Clock                { return Clock{} }
func (SelfPlayThinking) punch(*seat, time.Duration) error { return nil }

func (t SelfPlayThinking) choose(s *seat, ply *datasets.Ply) {
	if ply.Search == datasets.FullSearch {
		w := float32(1)
		if s.soft(&t.Config) {
			w = float32(t.Config.SoftWeight)
		}
		ply.SampleWeight, ply.PolicyWeight, ply.ValueWeight = w, 1, 1
	}
	// An agent that does not search has no policy to draw from.
	if s.game.Ply() < t.Config.SampledPlies && ply.Proven == datasets.Unproven && len(ply.Actions) > 0 {
		ply.Chosen = datasets.Sampled
		ply.Move, ply.Chance = sample(s.rng, s.found.Actions)
	}
	v := ply.After[0] - ply.After[2]
	if v < 0 {
		v = -v
	}
	if float64(v) >= t.Config.SoftValue {
		s.clear++
	} else {
		s.clear = 0
	}
}

// soft reports whether the game's result has been clear for so long that the rest matters little.
func (s *seat) soft(c *Config) bool { return c.SoftValue < 1 && s.clear >= c.SoftPlies }

// sample draws a move from the improved policy and returns it with its probability.
func sample(rng *rand.Rand, actions []mcts.Action) (env.Move, float32) {
	sum := 0.0
	for i := range actions {
		sum += float64(actions[i].Policy)
	}
	x := rng.Float64() * sum
	last := 0
	for i := range actions {
		if actions[i].Policy <= 0 {
			continue
		}
		last = i
		if x -= float64(actions[i].Policy); x < 0 {
			break
		}
	}
	return actions[last].Move, float32(float64(actions[last].Policy) / sum)
}
