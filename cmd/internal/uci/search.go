package uci

import (
	"context"
	"fmt"
	"math"
	"time"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
)

// begin obeys `go`: it starts the searching goroutine and returns.
func (e *Engine) begin(ctx context.Context, rest string) error {
	l, err := parseLimits(rest)
	if err != nil {
		return err
	}
	if l.perft == 0 {
		if e.game.Outcome().Over() {
			e.out.say("bestmove (none)")
			return nil
		}
		if err := e.prepare(); err != nil {
			return err
		}
		if e.search == nil {
			e.search = mcts.New(e.cfg.Search, e.cache)
		}
		options := mcts.Options{Visits: l.nodes, AllCandidates: e.weights == ""}
		if err := e.search.Start(e.game, options); err != nil {
			return err
		}
	}
	ctx, e.halt = context.WithCancel(ctx)
	e.endless = l.endless()
	if e.endless && e.ended {
		e.halt()
	}
	done := make(chan struct{})
	e.running = done
	if l.perft > 0 {
		p, r := *e.game.Position(), e.rules
		go func() {
			defer close(done)
			perft(ctx, r, p, l.perft, &e.out)
		}()
		return nil
	}
	t := &thinker{rules: e.rules, search: e.search, evaluator: e.evaluator, limits: l, out: &e.out, start: time.Now()}
	go func() {
		defer close(done)
		t.think(ctx)
	}()
	return nil
}

// perft prints the number of leaves below each legal move. It can be stopped between two of them.
func perft(ctx context.Context, r *env.Rules, p env.Position, depth int, out *output) {
	total := uint64(0)
	for _, m := range r.Legal(&p, nil) {
		if ctx.Err() != nil {
			out.say("info string error: perft was stopped; the counts are not complete")
			return
		}
		n := uint64(1)
		if depth > 1 {
			var next env.Position
			r.Apply(&p, m, &next)
			n = r.Perft(&next, depth-1)
		}
		total += n
		out.say(fmt.Sprintf("%s: %d", r.MoveString(m), n))
	}
	out.say(fmt.Sprintf("\nNodes searched: %d\n", total))
}

// thinker is one search under way.
type thinker struct {
	rules     *env.Rules
	search    *mcts.Search
	evaluator mcts.Evaluator
	limits    limits
	out       *output
	start     time.Time
}

// think searches until a limit is reached or ctx ends, and prints the best move.
func (t *thinker) think(ctx context.Context) {
	batch := encode.NewBatch()
	report := time.Second
	for {
		batch.Reset()
		rows, done := t.search.Collect(batch)
		if rows > 0 {
			if err := t.evaluator.Evaluate(batch); err != nil {
				t.out.say("info string error: " + err.Error())
				t.out.say("bestmove (none)")
				return
			}
			t.search.Absorb(batch, 0)
		}
		// The root is evaluated before any limit is looked at, so that there is a best move.
		if done || ctx.Err() != nil || t.reached() {
			break
		}
		if elapsed := time.Since(t.start); elapsed >= report {
			report = elapsed + time.Second
			t.inform()
			if t.out.failed() {
				break
			}
		}
	}
	if t.limits.endless() {
		<-ctx.Done() // UCI: an infinite search says nothing before `stop`
	}
	t.inform()
	if t.search.Result().Full {
		t.out.say("info string the search ended because its tree was full (search.max_nodes)")
	}
	t.out.say("bestmove " + t.rules.MoveString(t.search.Result().Best))
}

// reached reports whether time or depth are used up; the search itself minds the visits.
func (t *thinker) reached() bool {
	l := &t.limits
	if l.time > 0 && time.Since(t.start) >= l.time {
		return true
	}
	return l.depth > 0 && len(t.search.Result().PV) >= l.depth
}

// inform prints one info line.
func (t *thinker) inform() {
	r := t.search.Result()
	elapsed := max(time.Since(t.start), time.Millisecond)
	line := fmt.Sprintf("info depth %d nodes %d nps %d time %d score %s wdl %d %d %d",
		max(len(r.PV), 1), r.Visits, int(float64(r.Visits)/elapsed.Seconds()), elapsed.Milliseconds(), score(r),
		permille(r.RootAfter[0]), permille(r.RootAfter[1]), permille(r.RootAfter[2]))
	if len(r.PV) > 0 {
		line += " pv"
	}
	for _, m := range r.PV {
		line += " " + t.rules.MoveString(m)
	}
	t.out.say(line)
}

func permille(p float32) int { return int(float32(p*1000) + 0.5) }

// score writes the value of the best move as UCI does: mate in moves where the result is proven, else
// centipawns by the curve that Leela Chess Zero prints, 90*tan(1.5637541897*q).
func score(r *mcts.Result) string {
	switch r.Proven {
	case mcts.ProvenWin:
		return fmt.Sprintf("mate %d", (r.MateIn+1)/2)
	case mcts.ProvenLoss:
		return fmt.Sprintf("mate -%d", r.MateIn/2)
	}
	q := float64(r.RootAfter[0]) - float64(r.RootAfter[2])
	return fmt.Sprintf("cp %.0f", 90*math.Tan(1.5637541897*q))
}
