// Package progress tells a person how far a long task has come: by a bar on a terminal, by plain lines some
// seconds apart anywhere else (a pipe, a log file, a CI job, a terminal that calls itself dumb in TERM). Both
// say the rate and the time left. A bar fits the terminal's width, and is drawn in ASCII where the locale
// is not UTF-8.
//
// Nothing is computed from these reports: a run does the same work with Silent.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Reporter shows tasks one after the other. It belongs to one goroutine.
type Reporter interface {
	// Start begins a task of `total` units (a plural noun: "games", "steps"); the task before it must
	// have ended. A total of 0 or less says that the amount is not known.
	Start(name string, total int64, unit string) Task
	// Say prints one line of text that stays, with the format of fmt.Printf and no newline at the end.
	Say(format string, args ...any)
}

// Task is one task under way.
type Task interface {
	// Set says how many units are done; it may be called as often as one likes.
	Set(done int64)
	// Note replaces the short text shown beside the numbers, such as the latest loss.
	Note(text string)
	// After says how long the run is expected to take once this task is complete; the time left of the
	// whole run is then shown beside the task's own. 0, as at the start, says that it is not known.
	After(rest time.Duration)
	// End closes the task, whether it is complete or not. Further calls do nothing.
	End()
}

// New returns bars when f is a terminal that can draw them and lines otherwise.
func New(f *os.File) Reporter {
	if !drawable(f) {
		return NewLines(f, 10*time.Second, time.Now)
	}
	b := &bars{w: f, width: widthOf(f), glyphs: plain, every: 200 * time.Millisecond, now: time.Now}
	if utf8Locale(os.Getenv) {
		b.glyphs = blocks
	}
	return b
}

// Silent returns a Reporter that shows nothing.
func Silent() Reporter { return NewLines(io.Discard, time.Hour, time.Now) }

// meter knows the speed of a task.
type meter struct {
	total int64
	done  int64
	start time.Time
	rest  time.Duration // what is to come after the task, 0 if that is not known
}

// rate returns units per second since the start, 0 when nothing can be said yet.
func (m *meter) rate(now time.Time) float64 {
	s := now.Sub(m.start).Seconds()
	if s <= 0 || m.done <= 0 {
		return 0
	}
	return float64(m.done) / s
}

// left returns the expected time until the task is complete, 0 when nothing can be said.
func (m *meter) left(now time.Time) time.Duration {
	r := m.rate(now)
	if r == 0 || m.total <= m.done {
		return 0
	}
	return time.Duration(float64(m.total-m.done) / r * float64(time.Second))
}

// whole returns the expected time until the run is complete, 0 when nothing can be said.
func (m *meter) whole(now time.Time) time.Duration {
	if m.rest <= 0 || m.total <= 0 || m.rate(now) == 0 {
		return 0
	}
	return m.left(now) + m.rest
}

// formatRate writes a rate with three significant digits at most, in thousands where it is large.
func formatRate(perSecond float64, unit string) string {
	switch {
	case perSecond >= 1e4:
		return fmt.Sprintf("%.0fk %s/s", perSecond/1e3, unit)
	case perSecond >= 100:
		return fmt.Sprintf("%.0f %s/s", perSecond, unit)
	case perSecond >= 1 || perSecond == 0:
		return fmt.Sprintf("%.1f %s/s", perSecond, unit)
	}
	return fmt.Sprintf("%.1f %s/min", perSecond*60, unit)
}

// FormatDuration writes a duration as a person says it: 8s, 2m05s, 1h20m, 3d4h.
func FormatDuration(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 86400:
		return fmt.Sprintf("%dh%02dm", s/3600, s%3600/60)
	}
	return fmt.Sprintf("%dd%dh", s/86400, s%86400/3600)
}
