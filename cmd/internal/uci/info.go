package uci

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"synochess/mcts"
)

// inform prints an info line for each of the best moves, as many as MultiPV says.
func (t *thinker) inform() {
	r := t.search.Result()
	elapsed := max(time.Since(t.start), time.Millisecond)
	for i, a := range ranked(r, t.settings.multiPV) {
		v := t.search.Variation(a.Move)
		var line strings.Builder
		fmt.Fprintf(&line, "info depth %d seldepth %d multipv %d score %s", len(v.Moves), max(r.Depth, len(v.Moves)), i+1, score(a, v))
		if t.settings.wdl {
			fmt.Fprintf(&line, " wdl %d %d %d", permille(v.WDL[0]), permille(v.WDL[1]), permille(v.WDL[2]))
		}
		fmt.Fprintf(&line, " nodes %d nps %d hashfull %d time %d pv", r.Visits, int(float64(r.Visits)/elapsed.Seconds()),
			min(1000, 1000*r.Nodes/t.settings.maxNodes), elapsed.Milliseconds())
		for _, m := range v.Moves {
			line.WriteString(" " + t.rules.MoveString(m))
		}
		t.out.say(line.String())
	}
}

// ranked returns the best moves of a result, at most n: the one to play, then the others, proven wins first, proven
// losses last, in between by visits.
func ranked(r *mcts.Result, n int) []mcts.Action {
	moves := slices.Clone(r.Actions)
	class := func(a mcts.Action) int {
		switch {
		case a.Move == r.Best:
			return 0
		case a.Proven == mcts.ProvenWin:
			return 1
		case a.Proven == mcts.ProvenLoss:
			return 3
		}
		return 2
	}
	slices.SortStableFunc(moves, func(a, b mcts.Action) int {
		return cmp.Or(class(a)-class(b), cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Q, a.Q))
	})
	return moves[:min(n, len(moves))]
}

func permille(p float32) int { return int(float32(p*1000) + 0.5) }

// score writes a move's value as UCI does: mate in moves where the result is proven, else centipawns by the
// curve that Leela Chess Zero prints, 90*tan(1.5637541897*q).
func score(a mcts.Action, v mcts.Variation) string {
	switch a.Proven {
	case mcts.ProvenWin:
		return fmt.Sprintf("mate %d", (a.MateIn+1)/2)
	case mcts.ProvenLoss:
		return fmt.Sprintf("mate -%d", a.MateIn/2)
	}
	q := float64(v.WDL[0]) - float64(v.WDL[2])
	return fmt.Sprintf("cp %.0f", 90*math.Tan(1.5637541897*q))
}
