package progress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivo/uniseg"
)

// bars is the Reporter for a terminal. A task has the last line, which is drawn again and again and is
// always shorter than the terminal is wide, so that it never wraps.
type bars struct {
	w      io.Writer
	width  func() int // columns of the terminal
	glyphs glyphs
	every  time.Duration // between two drawings
	now    func() time.Time

	open  *barTask // nil between tasks
	drawn int      // columns of the line that stands there
}

func (b *bars) Say(format string, args ...any) {
	b.draw("")
	fmt.Fprintf(b.w, format+"\n", args...)
	if b.open != nil {
		b.open.redraw(b.now())
	}
}

func (b *bars) Start(name string, total int64, unit string) Task {
	b.open = &barTask{b: b, name: b.glyphs.clean(name), unit: unit, meter: meter{total: total, start: b.now()}}
	return b.open
}

// draw replaces the line by another one, or clears it.
func (b *bars) draw(line string) {
	columns := uniseg.StringWidth(line)
	blank := max(0, min(b.drawn, b.width()-1)-columns)
	if columns+blank > 0 {
		fmt.Fprint(b.w, "\r"+line+strings.Repeat(" ", blank))
	}
	if columns == 0 && blank > 0 {
		fmt.Fprint(b.w, "\r")
	}
	b.drawn = columns
}

type barTask struct {
	b          *bars
	name, unit string
	note       string
	meter      meter
	last       time.Time // of the last drawing
	ended      bool
}

func (t *barTask) Set(done int64) {
	if t.ended {
		return
	}
	t.meter.done = done
	if now := t.b.now(); now.Sub(t.last) >= t.b.every {
		t.redraw(now)
	}
}

func (t *barTask) Note(text string) { t.note = t.b.glyphs.clean(text) }

func (t *barTask) After(rest time.Duration) { t.meter.rest = rest }

func (t *barTask) End() {
	if t.ended {
		return
	}
	t.ended = true
	t.b.draw("")
	t.b.open = nil
	now := t.b.now()
	s := fmt.Sprintf("%s: %d %s in %s, %s", t.name, t.meter.done, t.unit,
		FormatDuration(now.Sub(t.meter.start)), FormatRate(t.meter.rate(now), t.unit))
	if t.note != "" {
		s += ", " + t.note
	}
	fmt.Fprintln(t.b.w, s)
}

func (t *barTask) redraw(now time.Time) {
	t.last = now
	t.b.draw(t.line(now, t.b.width()-1))
}

// bar widths in columns, without the strokes at both ends.
const (
	shortestBar = 8
	longestBar  = 24
)

// line composes name, percentage, bar, numbers and note in at most some columns. Where there is no room
// for all, what a person misses least is left out first: the note, the rate, the bar, the count; at last
// the name is cut.
func (t *barTask) line(now time.Time, columns int) string {
	m, g := &t.meter, t.b.glyphs
	var share, left, whole, count string
	if m.total > 0 {
		share = fmt.Sprintf(" %3d%%", min(100, 100*m.done/m.total))
		count = fmt.Sprintf(" %d/%d %s", m.done, m.total, t.unit)
	} else {
		count = fmt.Sprintf(" %d %s", m.done, t.unit)
	}
	if d := m.left(now); d > 0 {
		left = ", " + FormatDuration(d) + " left"
	}
	if d := m.whole(now); d > 0 {
		whole = ", run " + FormatDuration(d) + " left"
	}
	rate := ", " + FormatRate(m.rate(now), t.unit)

	name := g.cut(t.name, max(columns-len(share)-len(left), columns/3))
	room := columns - uniseg.StringWidth(name)
	take := func(part string) string {
		if len(part) > room {
			return ""
		}
		room -= len(part)
		return part
	}
	share, left, whole, count = take(share), take(left), take(whole), take(count)
	bar := 0
	if m.total > 0 && room >= shortestBar+3 {
		bar = shortestBar
		room -= bar + 3
	}
	rate = take(rate)
	note := ""
	if t.note != "" && room >= 12 {
		note = ", " + g.cut(t.note, room-2)
		room -= uniseg.StringWidth(note)
	}
	line := name + share
	if bar > 0 {
		bar = min(longestBar, bar+room)
		full := int(min(int64(bar), int64(bar)*m.done/m.total))
		line += " |" + strings.Repeat(g.full, full) + strings.Repeat(g.empty, bar-full) + "|"
	}
	// The first of the numbers stands apart by a blank, whichever it is.
	if numbers := strings.TrimPrefix(strings.TrimPrefix(count+rate+left+whole+note, ","), " "); numbers != "" {
		line += " " + numbers
	}
	return line
}
