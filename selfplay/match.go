package selfplay

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/setting"
)

// MatchConfig says how a match is played.
type MatchConfig struct {
	Openings int    `yaml:"openings" range:"[1,100000]"` // pairs of games; each agent has each army once in a pair
	Plies    int    `yaml:"plies" range:"[0,100]"`       // random plies of an opening
	Visits   int    `yaml:"visits" range:"[2,1000000]"`  // simulations of every move, for both agents
	Seed     uint64 `yaml:"seed"`                        // of the openings and the games
	Seats    int    `yaml:"seats" range:"[1,4096]"`      // games interleaved by one worker
}

// Validate names the fields that a match cannot be played with.
func (c *MatchConfig) Validate() error { return setting.Check(c) }

// Match is a match between two agents: every opening once with each army for either.
type Match struct {
	Config      MatchConfig
	Name        string // names the match in the seeds of its games, so that two matches differ
	FirstNumber uint64 // number of the first game
	Agents      [2]Agent
	Limits      [2]Limit // [agent]; a zero one is Config.Visits
	Openings    []Opening
	Workers     int
	Stamp       Stamp
	// Played holds games of this match that are already finished, in any order: they are counted and
	// not played again.
	Played []*datasets.Game
	// Enough, which may be nil, is asked after every game whether the match can end, because its question
	// is answered; games under way then leave nothing behind.
	Enough func(*Tally) bool
}

// errEnough ends a match for which Enough is true.
var errEnough = errors.New("enough games")

// Run plays the match and returns its tally from the first agent's side. record, which may be nil, is
// given every game as it ends; progress, which may be nil, the number of games that have ended.
func (m *Match) Run(ctx context.Context, record func(*datasets.Game) error, progress func(games int)) (*Tally, error) {
	limits := m.AgentLimits()
	tally := newTally([2]string{m.Agents[0].Info().Kind, m.Agents[1].Info().Kind}, limits, len(m.Openings))
	played := map[uint64]bool{}
	for _, g := range m.Played {
		i := g.Number - m.FirstNumber
		if i >= uint64(2*len(m.Openings)) {
			return nil, fmt.Errorf("match %s: game %d is not one of its %d games; remove the journal it came from", m.Name, g.Number, 2*len(m.Openings))
		}
		played[g.Number] = true
		tally.add(g, int(i), 0)
	}
	if m.Enough != nil && m.Enough(tally) {
		return tally, nil
	}
	next := 0
	tasks := func() (*Task, error) {
		for ; next < 2*len(m.Openings); next++ {
			if t := m.task(next, limits); !played[t.Number] {
				next++
				return t, nil
			}
		}
		return nil, nil
	}
	finish := func(g *datasets.Game, evaluations int) error {
		tally.add(g, int(g.Number-m.FirstNumber), evaluations)
		if record != nil {
			if err := record(g); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(tally.Games)
		}
		if m.Enough != nil && m.Enough(tally) {
			return errEnough
		}
		return nil
	}
	err := Play(ctx, m.Agents[:], m.Workers, m.Config.Seats, m.Stamp, tasks, finish)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return tally, nil
}

// AgentLimits returns what each agent may spend on a move; none for the random agent, which does not search.
func (m *Match) AgentLimits() [2]Limit {
	all := m.Limits
	for i := range all {
		switch _, random := m.Agents[i].(randomAgent); {
		case random:
			all[i] = Limit{}
		case all[i] == (Limit{}):
			all[i].Visits = m.Config.Visits
		}
	}
	return all
}

// FirstAgentsArmy returns the army that the first agent has in game i of a match, counted from 0.
func FirstAgentsArmy(i int) env.Army { return env.Army(i & 1) }

// task returns the match's game i: opening i/2, with the first agent Western when i is even.
func (m *Match) task(i int, limits [2]Limit) *Task {
	o := &m.Openings[i/2]
	t := &Task{
		Purpose: datasets.Match, Number: m.FirstNumber + uint64(i), Family: m.FirstNumber + uint64(i),
		Seed:  Seed(m.Config.Seed, datasets.Match, nameHash(m.Name), uint64(i)),
		Rules: o.Rules, Start: o.Start, Kind: datasets.FromStart, Line: o.Line, Opening: o.Name(),
		Pair:     m.FirstNumber + uint64(i)/2 + 1,
		Agents:   [2]int{env.Western: i & 1, env.Eastern: 1 - i&1},
		Thinking: MatchThinking{Limits: limits},
	}
	if start := o.Rules.StartPosition(); o.Start != start {
		t.Kind = datasets.FromBook
	}
	return t
}

// nameHash turns a match's name into a part of its games' seeds.
func nameHash(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}
