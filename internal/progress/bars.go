package progress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/schollz/progressbar/v3"
)

// bars is the Reporter for a terminal. A task has the last line, which is drawn again and again. The line is
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
		FormatDuration(now.Sub(t.meter.start)), formatRate(t.meter.rate(now), t.unit))
	if t.note != "" {
		s += ", " + t.note
	}
	fmt.Fprintln(t.b.w, s)
}

func (t *barTask) redraw(now time.Time) {
	t.last = now
	t.b.draw(t.line(now, t.b.width()-1))
}

// Widths of a bar in columns. What the library draws around it and before the text takes frame columns more.
const (
	shortestBar = 8
	longestBar  = 24
	frame       = len("  25% ||  ")
)

// line composes percentage, bar, name, numbers and note in at most the given columns. Where there is no room
// for all, what a person misses least is left out first: the note, the rate, the count (the percentage
// says the same), the bar. At last the name is cut.
func (t *barTask) line(now time.Time, columns int) string {
	m, g := &t.meter, t.b.glyphs
	var share, count, rate, left, whole, note string
	if m.total > 0 {
		share = fmt.Sprintf(" %3d%% ", min(100, 100*m.done/m.total))
		count = fmt.Sprintf(", %d/%d %s", m.done, m.total, t.unit)
	} else {
		count = fmt.Sprintf(", %d %s", m.done, t.unit)
	}
	if r := m.rate(now); r > 0 {
		rate = ", " + formatRate(r, t.unit)
	}
	if d := m.left(now); d > 0 {
		left = ", " + FormatDuration(d) + " left"
	}
	if d := m.whole(now); d > 0 {
		whole = ", run " + FormatDuration(d) + " left"
	}

	name := g.cut(t.name, max(columns-len(share)-len(left), columns/3))
	room := columns - uniseg.StringWidth(name)
	take := func(part string) string {
		if len(part) > room {
			return ""
		}
		room -= len(part)
		return part
	}
	share, left, whole = take(share), take(left), take(whole)
	bar := 0
	if more := frame - len(share); share != "" && room >= more+shortestBar {
		bar = shortestBar
		room -= more + shortestBar
	}
	count, rate = take(count), take(rate)
	if t.note != "" && room >= 12 {
		note = ", " + g.cut(t.note, room-2)
		room -= uniseg.StringWidth(note)
	}
	text := name
	if numbers := strings.TrimPrefix(count+rate+left+whole+note, ", "); numbers != "" {
		text += ": " + numbers
	}
	if bar > 0 {
		return g.bar(m.done, m.total, min(longestBar, bar+room), text)
	}
	// The library would set three blanks in the place of a bar of no width: such a line is text alone.
	return strings.TrimRight(share+text, " ")
}

// bar returns a line of percentage, bar and text: frame columns, and those of the bar and of the text.
//
// The library clears its line with as many blanks as its longest line had, and these wrap in a window that
// was made narrower since. So each drawing has a bar of its own, drawn into a string, and bars.draw puts it
// in the place of the line before.
func (g glyphs) bar(done, total int64, columns int, text string) string {
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(io.Discard),
		progressbar.OptionSetWidth(columns),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: g.full, SaucerPadding: g.empty, BarStart: "|", BarEnd: "|"}),
		progressbar.OptionSetDescription(text),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false), // its clock starts when the bar is made
	)
	// Neither can fail, because the writer does not and done is at most the total. Set64 draws from one percent on, RenderBlank below.
	_ = bar.Set64(min(done, total))
	_ = bar.RenderBlank()
	return strings.TrimRight(strings.TrimPrefix(bar.String(), "\r"), " ")
}
