package uci

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// limits say when a search ends; of several, the first that is reached.
type limits struct {
	nodes int           // visits
	time  time.Duration // 0: none
	depth int           // length of the principal variation in plies; 0: none
	perft int           // count leaves to this depth instead; 0: search
}

// noNodes stands for no limit of visits.
const noNodes = math.MaxInt32

// endless reports whether only `stop` ends the search.
func (l limits) endless() bool {
	return l.nodes == noNodes && l.time == 0 && l.depth == 0 && l.perft == 0
}

// maxPerft and maxDepth bound what can be asked for in good faith.
const (
	maxPerft = 20
	maxDepth = 1000
)

// parseLimits reads what follows `go`.
func parseLimits(rest string) (limits, error) {
	l := limits{nodes: noNodes}
	words := strings.Fields(rest)
	number := func(i, most int) (int, error) {
		if i+1 >= len(words) {
			return 0, fmt.Errorf("go: %s needs a number", words[i])
		}
		n, err := strconv.Atoi(words[i+1])
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("go: %s %s: want a whole number from 1 to %d", words[i], words[i+1], most)
		}
		return n, nil
	}
	for i := 0; i < len(words); i += 2 {
		var err error
		switch words[i] {
		case "nodes":
			l.nodes, err = number(i, noNodes-1)
		case "movetime":
			var ms int
			ms, err = number(i, math.MaxInt32)
			l.time = time.Duration(ms) * time.Millisecond
		case "depth":
			l.depth, err = number(i, maxDepth)
		case "perft":
			l.perft, err = number(i, maxPerft)
		case "infinite":
			i-- // the only word without a number
		default:
			err = fmt.Errorf("go: unknown limit %q; there are: nodes N, movetime MS, depth N, infinite, perft N", words[i])
		}
		if err != nil {
			return limits{}, err
		}
	}
	return l, nil
}
