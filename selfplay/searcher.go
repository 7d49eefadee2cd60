package selfplay

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
)

// Searcher is an agent that searches with an evaluator: a network, or the material values of Material.
type Searcher struct {
	Kind         string                         // its name in game records: "network", "greedy", ...
	EvalID       string                         // identifies what its evaluations depend on (mcts.Evaluator.ID)
	Settings     string                         // its search settings, one line
	Search       mcts.Config                    // the same for every search
	NewEvaluator func() (mcts.Evaluator, error) // one for each worker
}

// NewSearcher returns an agent whose search settings are written into game records.
func NewSearcher(kind, evalID string, search mcts.Config, evaluator func() (mcts.Evaluator, error)) *Searcher {
	return &Searcher{Kind: kind, EvalID: evalID, Settings: settings(search), Search: search, NewEvaluator: evaluator}
}

// With returns the agent with another search and the same evaluator.
func (a *Searcher) With(search mcts.Config) *Searcher {
	other := *a
	other.Search, other.Settings = search, settings(search)
	return &other
}

// settings writes a search configuration as one line.
func settings(search mcts.Config) string {
	b, err := json.Marshal(search)
	if err != nil {
		return fmt.Sprintf("%+v", search)
	}
	return string(b)
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
		asking:   encode.NewBatch(),
		answered: encode.NewBatch(),
	}, nil
}

// searchTable collects the leaves of all its players in one batch while they read their answers from
// the one before.
type searchTable struct {
	agent     *Searcher
	evaluator mcts.Evaluator
	cache     *mcts.Cache
	asking    *encode.Batch // rows asked since the last Answer
	answered  *encode.Batch // rows of the Answer before, with their outputs
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
		AllCandidates: mcts.HasUniformPrior(p.table.evaluator),
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
