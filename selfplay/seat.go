package selfplay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// seat holds one game of a worker from its task to its record. It belongs to the worker's goroutine.
type seat struct {
	task     *Task
	game     *env.Game
	rng      *rand.Rand
	players  [][]Player // [agent][army]; one player serves both armies when one agent plays both
	record   *datasets.Game
	kind     datasets.SearchKind // of the search under way
	thinking bool                // a search is under way
	found    *mcts.Result        // of the last search that ended, until the next begins
	clock    Clock               // of a game by the clock
	began    time.Time           // when the search under way was asked for
	searched [2]searched         // [army]
	clear    int                 // plies in a row with a clear value (SelfPlayThinking)
}

// newSeat makes a seat with one player of every table; takePlayers makes the others where a game needs them.
func newSeat(tables []Table) *seat {
	s := &seat{}
	for _, t := range tables {
		s.players = append(s.players, []Player{t.Seat(), nil})
	}
	return s
}

// begin puts a task's game on the board.
func (s *seat) begin(t *Task, tables []Table, stamp *Stamp, agents []Agent) error {
	s.task, s.thinking, s.clear = t, false, 0
	s.searched = [2]searched{}
	s.rng = newRand(t.Seed)
	s.game = env.NewGame(t.Rules, t.Start)
	s.takePlayers(tables)
	s.record = stamp.open(t, agents)
	s.clock = t.Thinking.clock(t)
	for _, m := range t.Line {
		if err := s.play(datasets.Ply{Move: m, Chosen: datasets.Forced, Chance: 1}); err != nil {
			return err
		}
	}
	return nil
}

// takePlayers sees to it that both agents of the task have a player for their army.
func (s *seat) takePlayers(tables []Table) {
	a := s.task.Agents
	if a[0] == a[1] {
		s.players[a[0]][1] = s.players[a[0]][0]
		return
	}
	for army, agent := range a {
		if s.players[agent][army] != nil {
			continue
		}
		if _, remote := tables[agent].(RemoteTable); remote {
			s.players[agent][army] = s.players[agent][1-army] // one process is enough
		} else {
			s.players[agent][army] = tables[agent].Seat()
		}
	}
}

// player returns who moves.
func (s *seat) player() Player {
	army := s.game.Position().SideToMove()
	return s.players[s.task.Agents[army]][army]
}

// thinksElsewhere reports whether a player is at work that does not need the worker.
func (s *seat) thinksElsewhere() bool {
	if s.game == nil || !s.thinking {
		return false
	}
	_, remote := s.player().(RemotePlayer)
	return remote
}

// waiting reports whether the mover thinks elsewhere and has nothing new.
func (s *seat) waiting() bool {
	return s.thinksElsewhere() && s.player().(RemotePlayer).Waiting()
}

// used returns how long the search took that has just ended.
func (s *seat) used() time.Duration {
	if p, remote := s.player().(RemotePlayer); remote {
		return p.Used()
	}
	return time.Since(s.began)
}

// advance goes on until the game needs an evaluation or another's answer (false) or has ended (true).
func (s *seat) advance() (ended bool, err error) {
	for {
		if !s.thinking {
			if s.ended() {
				return true, nil
			}
			if moves := s.game.LegalMoves(); len(moves) == 1 {
				if err := s.play(datasets.Ply{Move: moves[0], Chosen: datasets.Forced, Chance: 1}); err != nil {
					return false, err
				}
				continue
			}
			var ask Ask
			ask, s.kind = s.task.Thinking.ask(s)
			s.began = time.Now()
			if err := s.player().Start(s.game, ask); err != nil {
				return false, err
			}
			s.thinking = true
		}
		done, err := s.player().Step()
		if err == nil && done {
			err = s.task.Thinking.punch(s, s.used())
		}
		var failure *Forfeit
		if errors.As(err, &failure) {
			s.forfeit(failure)
			return true, nil
		}
		if err != nil || !done {
			return false, err
		}
		s.thinking = false
		s.found = s.player().Result()
		s.searched[s.game.Position().SideToMove()].note(s.found)
		ply := describe(s.found, s.kind)
		s.task.Thinking.choose(s, &ply)
		if err := s.play(ply); err != nil {
			return false, err
		}
	}
}

// play makes a move on the board and, as it will be stored, in the record.
func (s *seat) play(ply datasets.Ply) error {
	err := ply.Quantise()
	if err == nil {
		err = s.game.Play(ply.Move)
	}
	if err != nil {
		return fmt.Errorf("game %d, ply %d: %w", s.task.Number, s.game.Ply(), err)
	}
	s.record.Plies = append(s.record.Plies, ply)
	return nil
}

// forfeit closes the record with a loss of the side to move.
func (s *seat) forfeit(f *Forfeit) {
	mover := s.game.Position().SideToMove()
	s.record.Result, s.record.Ending = env.WinFor(mover.Other()), datasets.Forfeit
	s.record.Note = f.Error()
}

// ended closes the record if the rules or the ply limit end the game here.
func (s *seat) ended() bool {
	if o := s.game.Outcome(); o.Over() {
		s.record.Result, s.record.Reason, s.record.Ending = o.Result, o.Reason, datasets.ByRules
		return true
	}
	if s.task.PlyLimit > 0 && s.game.Ply() >= s.task.PlyLimit {
		s.record.Ending = datasets.Cut
		return true
	}
	return false
}
