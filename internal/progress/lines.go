package progress

import (
	"fmt"
	"io"
	"time"
)

// lines is the Reporter for everything that is not a terminal.
type lines struct {
	w     io.Writer
	every time.Duration
	now   func() time.Time
}

// NewLines returns a Reporter that writes whole lines to w: one each time a task has run for another span of
// `every`, and one when it ends.
func NewLines(w io.Writer, every time.Duration, now func() time.Time) Reporter {
	return &lines{w, every, now}
}

func (l *lines) Say(format string, args ...any) { fmt.Fprintf(l.w, format+"\n", args...) }

func (l *lines) Start(name string, total int64, unit string) Task {
	t := l.now()
	return &lineTask{l: l, name: blocks.clean(name), unit: unit, meter: meter{total: total, start: t}, last: t}
}

type lineTask struct {
	l          *lines
	name, unit string
	note       string
	meter      meter
	last       time.Time
	ended      bool
}

func (t *lineTask) Set(done int64) {
	t.meter.done = done
	if now := t.l.now(); !t.ended && now.Sub(t.last) >= t.l.every {
		t.last = now
		t.print(now, false)
	}
}

func (t *lineTask) Note(text string) { t.note = blocks.clean(text) }

func (t *lineTask) After(rest time.Duration) { t.meter.rest = rest }

func (t *lineTask) End() {
	if t.ended {
		return
	}
	t.ended = true
	t.print(t.l.now(), true)
}

func (t *lineTask) print(now time.Time, last bool) {
	m := &t.meter
	s := fmt.Sprintf("%s: %d", t.name, m.done)
	if m.total > 0 {
		s += fmt.Sprintf("/%d %s (%d%%)", m.total, t.unit, 100*m.done/m.total)
	} else {
		s += " " + t.unit
	}
	s += ", " + formatRate(m.rate(now), t.unit)
	if last {
		s += ", took " + FormatDuration(now.Sub(m.start))
	} else {
		if left := m.left(now); left > 0 {
			s += ", " + FormatDuration(left) + " left"
		}
		if whole := m.whole(now); whole > 0 {
			s += ", run " + FormatDuration(whole) + " left"
		}
	}
	if t.note != "" {
		s += ", " + t.note
	}
	fmt.Fprintln(t.l.w, s)
}
