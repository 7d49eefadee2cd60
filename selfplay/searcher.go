package selfplay

import (
	"errors"
	"fmt"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/eval"
	"synochess/mcts"
)

// Searcher is an agent that searches with an evaluator: a network, or the material values of Material.
type Searcher struct {
	Kind          string                         // "network", "greedy", ...: the name in game records
	EvalID        string                         // what decides its evaluations
	Settings      string                         // its search settings, one line
	Search        mcts.Config                    // the same for every search
	AllCandidates bool                           // every root move is a candidate: for evaluators with a uniform prior
	NewEvaluator  func() (eval.Evaluator, error) // one for each worker
}

// Info implements Agent.
func (a *Searcher) Info() datasets.AgentInfo {
	return datasets.AgentInfo{Kind: a.Kind, EvalID: a.EvalID, Settings: a.Settings}
}

// Open implements Agent.
func (a *Searcher) Open() (Table, error) {
	ev, err := a.NewEvaluator()
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", a.Kind, err)
	}
	return &searchTable{
		agent: a, evaluator: ev, cache: mcts.NewCache(a.Search.CacheEntries),
		asking:   eval.NewBatch(encode.NumPlanes, encode.NumScalars),
		answered: eval.NewBatch(encode.NumPlanes, encode.NumScalars),
	}, nil
}

// searchTable collects the leaves of all its players in one batch while they read their answers from
// the one before.
type searchTable struct {
	agent     *Searcher
	evaluator eval.Evaluator
	cache     *mcts.Cache
	asking    *eval.Batch // rows asked since the last Answer
	answered  *eval.Batch // rows of the Answer before, with their outputs
}

func (t *searchTable) Seat() Player {
	return &searchPlayer{table: t, search: mcts.New(t.agent.Search, t.cache)}
}

func (t *searchTable) Answer() (int, error) {
	t.asking, t.answered = t.answered, t.asking
	t.asking.Reset()
	n := t.answered.Len()
	if n == 0 {
		return 0, nil
	}
	return n, t.evaluator.Evaluate(t.answered)
}

// searchPlayer is one game's search.
type searchPlayer struct {
	table    *searchTable
	search   *mcts.Search
	deadline time.Time // zero: none
	begun    bool      // a leaf was collected, and with its answer there is a result
	row      int       // first row asked in the last Step
	pending  int       // rows asked in the last Step
}

func (p *searchPlayer) Start(g *env.Game, ask Ask) error {
	p.pending, p.begun, p.deadline = 0, false, time.Time{}
	if ask.Visits == 0 {
		ask.Visits = mcts.Unlimited
	}
	if ask.Clock != nil {
		ask.Time = ask.Clock.share(g.Position().SideToMove())
	}
	if ask.Time > 0 {
		p.deadline = time.Now().Add(ask.Time)
	}
	return p.search.Start(g, mcts.Options{
		Visits: ask.Visits, Noise: ask.Explore, Rand: ask.Rand, FreshRoot: ask.FreshRoot,
		AllCandidates: p.table.agent.AllCandidates,
	})
}

func (p *searchPlayer) Step() (bool, error) {
	if p.pending > 0 {
		p.search.Absorb(p.table.answered, p.row)
	}
	if p.begun && !p.deadline.IsZero() && !time.Now().Before(p.deadline) {
		return true, nil
	}
	p.begun = true
	p.row = p.table.asking.Len()
	before := p.search.Finished()
	var done bool
	p.pending, done = p.search.Collect(p.table.asking)
	if !done && p.pending == 0 && p.search.Finished() == before {
		return false, errors.New("the search neither asks nor goes on; this is a fault of the program, please report it")
	}
	return done, nil
}

func (p *searchPlayer) Result() *mcts.Result { return p.search.Result() }
