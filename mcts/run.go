package mcts

import (
	"synochess/env"
	"synochess/env/encode"
)

// Run searches a game's position to the end, alone, and returns the result. It ends early, with what it
// has found so far, when stop is closed; a nil stop never ends it. The evaluator's errors are returned
// as they are.
func (s *Search) Run(g *env.Game, o Options, ev Evaluator, stop <-chan struct{}) (*Result, error) {
	if err := s.Start(g, o); err != nil {
		return nil, err
	}
	if s.batch == nil {
		s.batch = encode.NewBatch()
	}
	for {
		s.batch.Reset()
		rows, done := s.Collect(s.batch)
		if done {
			return s.Result(), nil
		}
		if rows > 0 {
			if err := ev.Evaluate(s.batch); err != nil {
				return nil, err
			}
			s.Absorb(s.batch, 0)
		}
		select {
		case <-stop:
			return s.Result(), nil
		default:
		}
	}
}
