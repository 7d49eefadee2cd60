package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bars is the Reporter for a terminal.
type bars struct {
	w    io.Writer
	open *barTask // the task whose bar is on the last line, nil between tasks
}

func (b *bars) Say(format string, args ...any) {
	if b.open != nil {
		_ = b.open.bar.Clear()
	}
	fmt.Fprintf(b.w, format+"\n", args...)
	if b.open != nil {
		_ = b.open.bar.RenderBlank()
	}
}

func (b *bars) Start(name string, total int64, unit string) Task {
	if total <= 0 {
		total = -1 // progressbar's sign for an unknown amount
	}
	t := &barTask{
		owner: b, name: name, unit: unit, meter: meter{total: total, start: time.Now()},
		bar: progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(name),
			progressbar.OptionSetWidth(24),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		),
	}
	t.bar.StartWithoutRender() // else its clock starts with the first Set, and the first rate is absurd
	b.open = t
	return t
}

type barTask struct {
	owner      *bars
	name, unit string
	note       string
	meter      meter
	bar        *progressbar.ProgressBar
	ended      bool
}

// The bar's own errors are those of the terminal; a run does not end because its bar cannot be drawn.

func (t *barTask) Set(done int64) {
	if t.ended {
		return
	}
	t.meter.done = done
	if t.meter.total > 0 && done >= t.meter.total {
		return // the bar would take this for the end; End draws the last line
	}
	_ = t.bar.Set64(done)
}

func (t *barTask) Note(text string) {
	if t.ended || text == t.note {
		return
	}
	t.note = text
	t.bar.Describe(t.name + " (" + text + ")")
}

func (t *barTask) End() {
	if t.ended {
		return
	}
	t.ended = true
	_ = t.bar.Exit()
	_ = t.bar.Clear()
	t.owner.open = nil
	now := time.Now()
	s := fmt.Sprintf("%s: %d %s in %s, %s", t.name, t.meter.done, t.unit,
		FormatDuration(now.Sub(t.meter.start)), FormatRate(t.meter.rate(now), t.unit))
	if t.note != "" {
		s += ", " + t.note
	}
	fmt.Fprintln(t.owner.w, s)
}
