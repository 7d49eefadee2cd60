package uci

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"synochess/env"
)

// limits say when a search ends; of several, the first that is reached.
type limits struct {
	nodes    int64         // visits; 0: no limit
	moveTime time.Duration // below 0: no limit
	depth    int           // length of the principal variation in plies; 0: no limit
	mate     int           // a mate is looked for, which ends every search; 0: is not
	perft    int           // count leaves to this depth instead; 0: search
	infinite bool          // nothing is said before `stop`
	ponder   bool          // no limit counts before `ponderhit`
	moves    []env.Move    // the root's moves that are searched; empty: all
	clock    *clock        // nil for none
}

// clock is what `go` says of the time left.
type clock struct {
	left  [2]time.Duration // of the Western and the Eastern army
	bonus [2]time.Duration // added after each move
	togo  int              // moves until more time is given; 0: there is none
}

// noLimit is limits.moveTime where there is none.
const noLimit = time.Duration(-1)

// endless reports whether nothing but `stop` is sure to end the search.
func (l *limits) endless() bool { return !l.finite() && (l.infinite || l.ponder || l.clock == nil) }

// finite reports whether the search ends after the work or the time that was asked for, and not by a game's clock.
func (l *limits) finite() bool {
	return !l.infinite && !l.ponder && (l.nodes > 0 || l.depth > 0 || l.perft > 0 || l.moveTime != noLimit)
}

// The greatest depths that can be asked for in good faith.
const (
	maxPerft = 20
	maxDepth = 1000
)

// parseLimits reads what follows `go`. Words that are wrong are left out, and the error names them: who has
// said `go` waits for a move. If nothing else limits the search then, it ends at once.
func parseLimits(r *env.Rules, p *env.Position, rest string) (limits, error) {
	l := limits{moveTime: noLimit}
	words := strings.Fields(rest)
	var errs []error
	number := func(least, most int64) int64 {
		name := words[0]
		words = words[1:]
		if len(words) == 0 {
			errs = append(errs, fmt.Errorf("go: %s needs a number", name))
			return 0
		}
		n, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil {
			errs = append(errs, fmt.Errorf("go: %s %s: want a whole number", name, words[0]))
		} else if n < least || n > most {
			errs = append(errs, fmt.Errorf("go: %s %s: want a whole number from %d to %d", name, words[0], least, most))
			n = max(least, min(n, most))
		}
		return n
	}
	ms := func(least int64) time.Duration {
		return time.Duration(number(least, math.MaxInt32)) * time.Millisecond
	}
	onClock := func() *clock {
		if l.clock == nil {
			l.clock = &clock{}
		}
		return l.clock
	}
	for ; len(words) > 0; words = words[min(1, len(words)):] {
		switch words[0] {
		case "nodes":
			l.nodes = number(1, math.MaxInt64)
		case "movetime":
			l.moveTime = ms(0)
		case "depth":
			l.depth = int(number(1, maxDepth))
		case "mate":
			l.mate = int(number(1, maxDepth))
		case "perft":
			said := len(errs)
			if l.perft = int(number(1, maxPerft)); len(errs) > said {
				l.perft = 0 // what was not asked for could take for ever
			}
		case "infinite":
			l.infinite = true
		case "ponder":
			l.ponder = true
		case "wtime": // below 0 on some boards when the time is over
			onClock().left[env.Western] = ms(math.MinInt32)
		case "btime":
			onClock().left[env.Eastern] = ms(math.MinInt32)
		case "winc":
			onClock().bonus[env.Western] = ms(0)
		case "binc":
			onClock().bonus[env.Eastern] = ms(0)
		case "movestogo":
			onClock().togo = int(number(0, math.MaxInt32))
		case "searchmoves":
			for len(words) > 1 {
				m, err := r.ParseMove(p, words[1])
				if err != nil || !slices.Contains(r.Legal(p, nil), m) {
					break
				}
				l.moves = append(l.moves, m)
				words = words[1:]
			}
			if len(l.moves) == 0 {
				errs = append(errs, errors.New("go: searchmoves names no legal move: all are searched"))
			}
		default:
			errs = append(errs, fmt.Errorf("go: unknown limit %q; there are: wtime btime winc binc movestogo movetime nodes depth mate perft searchmoves ponder infinite", words[0]))
		}
	}
	if l.endless() && !l.infinite && !l.ponder && l.mate == 0 {
		l.infinite = len(errs) == 0
		l.nodes = int64(min(1, len(errs)))
	}
	return l, errors.Join(errs...)
}
