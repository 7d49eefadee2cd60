package loop

import (
	"encoding/json"
	"fmt"
	"sync"

	"synochess/internal/eval"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
)

// NetworkAgent returns the agent that searches with a network in a precision. Weights that cannot run in it
// are reported when the agent is opened.
func NetworkAgent(w *net.Weights, p Precision, search mcts.Config) *selfplay.Searcher {
	open := sync.OnceValues(func() (*fast.Evaluator, error) { return p.Open(w) })
	return &selfplay.Searcher{
		Kind: "network", EvalID: p.ID(w), Settings: settings(search), Search: search,
		NewEvaluator: func() (eval.Evaluator, error) {
			first, err := open()
			if err != nil {
				return nil, err
			}
			return first.Twin(), nil
		},
	}
}

// WithSearch returns the agent with another search and the same evaluator.
func WithSearch(a *selfplay.Searcher, search mcts.Config) *selfplay.Searcher {
	other := *a
	other.Search, other.Settings = search, settings(search)
	return &other
}

// GreedyAgent returns the yardstick: material values and a uniform prior, the same search, and every
// root move a candidate, since a uniform prior prefers none.
func GreedyAgent(search mcts.Config) *selfplay.Searcher {
	return &selfplay.Searcher{
		Kind: "greedy", EvalID: selfplay.NewMaterial().ID(), Settings: settings(search), Search: search,
		AllCandidates: true,
		NewEvaluator:  func() (eval.Evaluator, error) { return selfplay.NewMaterial(), nil },
	}
}

// settings writes a search configuration as one line for game records.
func settings(search mcts.Config) string {
	b, err := json.Marshal(search)
	if err != nil {
		return fmt.Sprintf("%+v", search)
	}
	return string(b)
}

// network loads the agent that a generation's training ended with; 0 is the untrained network. Weights that were
// saved where networks play in float32 are calibrated here if they are to play in int16, on positions of random games.
func (r *run) network(generation int) (*selfplay.Searcher, error) {
	w, err := net.Load(r.folder.weights(generation))
	if err != nil {
		return nil, err
	}
	if r.cfg.Precision.ID(w) == "" {
		if err := r.cfg.Precision.Calibrate(w, r.rules); err != nil {
			return nil, err
		}
	}
	return NetworkAgent(w, r.cfg.Precision, r.cfg.Search), nil
}
