package selfplay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"synochess/datasets"
	"synochess/env"
)

// Limit bounds how much an agent thinks in a match. Exactly one of its kinds is set: Visits, Depth,
// MoveTime, or a clock (Base and Increment). The zero value is none.
type Limit struct {
	Visits    int           // simulations of our own agents, nodes of an engine's tree; each move
	Depth     int           // plies an engine looks ahead
	MoveTime  time.Duration // for each move
	Base      time.Duration // for the whole game, at its start
	Increment time.Duration // given back after each move
}

// Grace is how much more than its time an agent may take before it has lost on time: what switching
// processes may cost on a busy machine.
const Grace = 500 * time.Millisecond

// limitForms are what ParseLimit reads, for errors and help.
const limitForms = "nodes=800 (for our own agents the same as visits=800), depth=2, movetime=500ms or clock=60s+0.6s"

// ParseLimit reads a limit of the form nodes=800 or visits=800, which are the same, depth=2, movetime=500ms,
// or clock=60s+0.6s (base and increment).
func ParseLimit(text string) (Limit, error) {
	kind, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if !ok {
		return Limit{}, fmt.Errorf("limit %q: want %s", text, limitForms)
	}
	var l Limit
	var err error
	switch kind {
	case "visits", "nodes":
		l.Visits, err = wholeNumber(value, 1_000_000_000)
	case "depth":
		l.Depth, err = wholeNumber(value, 1000)
	case "movetime":
		l.MoveTime, err = duration(value, time.Millisecond)
	case "clock":
		base, increment, both := strings.Cut(value, "+")
		if l.Base, err = duration(base, time.Millisecond); err == nil && both {
			l.Increment, err = duration(increment, 0)
		}
	default:
		err = fmt.Errorf("there is no limit called %q; use %s", kind, limitForms)
	}
	if err != nil {
		return Limit{}, fmt.Errorf("limit %q: %w", text, err)
	}
	return l, nil
}

func wholeNumber(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("want a whole number from 1 to %d", most)
	}
	return n, nil
}

func duration(text string, least time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > 1000*time.Hour {
		return 0, fmt.Errorf("%q is not a time from %v to 1000h; write it as 500ms, 2s or 5m", text, least)
	}
	return d.Round(time.Millisecond), nil
}

// Timed reports whether thinking is bounded by time, so that results depend on how busy the machine is.
func (l Limit) Timed() bool { return l.MoveTime > 0 || l.Base > 0 }

// String writes the limit as ParseLimit reads it; "" for none.
func (l Limit) String() string {
	switch {
	case l.Visits > 0:
		return fmt.Sprintf("nodes=%d", l.Visits)
	case l.Depth > 0:
		return fmt.Sprintf("depth=%d", l.Depth)
	case l.MoveTime > 0:
		return fmt.Sprintf("movetime=%v", l.MoveTime)
	case l.Base > 0:
		return fmt.Sprintf("clock=%v+%v", l.Base, l.Increment)
	}
	return ""
}

// Clock is the time that both armies have in a game by the clock.
type Clock struct {
	Left      [2]time.Duration // [env.Army] time left
	Increment [2]time.Duration // [env.Army] given back after each move
}

// share returns how much time a search of ours spends on a move of army a: a thirtieth of what is left and
// most of the increment, but never so much that a short delay loses the game.
func (c *Clock) share(a env.Army) time.Duration {
	left := c.Left[a]
	return max(time.Millisecond, min(left/30+c.Increment[a]*4/5, left*4/5))
}

// MatchThinking plays to win: no noise, the best move, each agent within its limit.
type MatchThinking struct {
	Limits [2]Limit // [agent]
}

// limit returns the mover's.
func (t MatchThinking) limit(s *seat) Limit {
	return t.Limits[s.task.Agents[s.game.Position().SideToMove()]]
}

func (t MatchThinking) ask(s *seat) (Ask, datasets.SearchKind) {
	l := t.limit(s)
	ask := Ask{Visits: l.Visits, Depth: l.Depth, Time: l.MoveTime, Rand: s.rng}
	if l.Base > 0 {
		ask.Clock = &s.clock
	}
	return ask, datasets.CheapSearch
}

func (MatchThinking) choose(*seat, *datasets.Ply) {}

// sign puts the limit before the other settings.
func (t MatchThinking) sign(info datasets.AgentInfo, agent int) datasets.AgentInfo {
	info.Settings = strings.TrimSpace(t.Limits[agent].String() + " " + info.Settings)
	return info
}

func (t MatchThinking) clock(task *Task) (c Clock) {
	for army, agent := range task.Agents {
		c.Left[army], c.Increment[army] = t.Limits[agent].Base, t.Limits[agent].Increment
	}
	return c
}

func (t MatchThinking) punch(s *seat, used time.Duration) error {
	l := t.limit(s)
	switch mover := s.game.Position().SideToMove(); {
	case l.MoveTime > 0 && used > l.MoveTime+Grace:
		return &Forfeit{LostOnTime, fmt.Sprintf("%v for a move of %v", used.Round(time.Millisecond), l.MoveTime)}
	case l.Base > 0:
		left := s.clock.Left[mover] - used
		if left < -Grace {
			return &Forfeit{LostOnTime, fmt.Sprintf("%v for a move with %v on the clock", used.Round(time.Millisecond), s.clock.Left[mover].Round(time.Millisecond))}
		}
		s.clock.Left[mover] = max(left, 0) + s.clock.Increment[mover]
	}
	return nil
}
