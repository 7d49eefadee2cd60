package progress

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

// screen is a terminal: what is written past its last column goes on in the next line.
type screen struct {
	columns int
	lines   [][]string // of grapheme clusters, a wide one followed by ""
	at      int        // column in the last line
	wrapped int
}

func (s *screen) Write(p []byte) (int, error) {
	if s.lines == nil {
		s.lines = [][]string{nil}
	}
	for clusters := uniseg.NewGraphemes(string(p)); clusters.Next(); {
		switch c := clusters.Str(); c {
		case "\r":
			s.at = 0
		case "\n", "\r\n":
			s.lines, s.at = append(s.lines, nil), 0
		default:
			if s.at+clusters.Width() > s.columns {
				s.lines, s.at = append(s.lines, nil), 0
				s.wrapped++
			}
			line := &s.lines[len(s.lines)-1]
			for len(*line) < s.at+clusters.Width() {
				*line = append(*line, " ")
			}
			(*line)[s.at] = c
			for i := 1; i < clusters.Width(); i++ {
				(*line)[s.at+i] = ""
			}
			s.at += clusters.Width()
		}
	}
	return len(p), nil
}

// text returns the lines of the screen.
func (s *screen) text() []string {
	var all []string
	for _, l := range s.lines {
		all = append(all, strings.TrimRight(strings.Join(l, ""), " "))
	}
	return all
}

// last returns the line that the cursor stands in.
func (s *screen) last() string {
	if len(s.lines) == 0 {
		return "" // nothing was written
	}
	return s.text()[len(s.lines)-1]
}

// clocked returns a Reporter over a screen and its clock.
func clocked(s *screen, g glyphs) (*bars, *time.Time) {
	clock := time.Unix(0, 0)
	return &bars{w: s, width: func() int { return s.columns }, glyphs: g, now: func() time.Time { return clock }}, &clock
}

func TestBarsFitTheTerminal(t *testing.T) {
	for _, g := range []glyphs{blocks, plain} {
		for columns := 1; columns <= 200; columns += 1 + columns/25 {
			for _, name := range []string{"generation 3 of 16: training", "games", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", strings.Repeat("a long name ", 30), "two\nlines\r\x1b[2J"} {
				for _, total := range []int64{100000, 0} {
					s := &screen{columns: columns}
					b, clock := clocked(s, g)
					task := b.Start(name, total, "steps")
					for i, done := range []int64{0, 999, 56789, 100000, 100001} {
						*clock = clock.Add(time.Second)
						task.Note(fmt.Sprintf("loss %d.%d, learning rate %s", i, i, strings.Repeat("0", i)))
						task.After(time.Duration(i) * time.Hour)
						task.Set(done)
						if len(s.lines) > 1 || s.wrapped > 0 {
							t.Fatalf("%d columns: the bar wrapped: %q", columns, s.text())
						}
						if got := uniseg.StringWidth(s.last()); got >= columns {
							t.Fatalf("%d columns: %q is drawn in the last one", columns, s.last())
						}
						if share := fmt.Sprintf("%3d%% ", min(100, done/1000)); total > 0 && columns >= 10 && !strings.Contains(s.last()+" ", share) {
							t.Errorf("%d columns, %d done: %q does not say %q", columns, done, s.last(), share)
						}
					}
					if columns >= 10 && s.last() == "" {
						t.Errorf("%d columns: nothing is drawn", columns)
					}
					if g == plain && strings.ContainsFunc(s.last(), func(r rune) bool { return r > 126 || r < 32 }) {
						t.Errorf("not ASCII: %q", s.last())
					}
					task.End()
					if columns > 190 && len(name) < 40 && (len(s.lines) != 2 || s.wrapped > 0 || s.last() != "") {
						t.Errorf("after the end: %q", s.text())
					}
				}
			}
		}
	}
}

// A window may have another width at each drawing. Here each width from 1 to 200 comes once, and most changes are large.
func TestBarsInAWindowThatIsResized(t *testing.T) {
	s := &screen{}
	b, clock := clocked(s, blocks)
	task := b.Start("generation 3 of 16: training", 2000, "steps")
	task.After(2 * time.Hour)
	for i := range 200 {
		*clock = clock.Add(time.Second)
		s.columns = 1 + 77*i%200
		task.Set(int64(10 * i))
		if len(s.lines) > 1 || s.wrapped > 0 {
			t.Fatalf("%d columns: the bar wrapped: %q", s.columns, s.text())
		}
	}
}

// TestBarLines shows what is left out, as there is less and less room.
func TestBarLines(t *testing.T) {
	for _, c := range []struct {
		columns int
		glyphs  glyphs
		want    string
	}{
		{200, blocks, "  25% |██████░░░░░░░░░░░░░░░░░░|  generation 3 of 16: training: 500/2000 steps, 5.0 steps/s, 5m00s left, run 2h05m left, loss 1.500, value 0.500"},
		{120, plain, "  25% |##-------|  generation 3 of 16: training: 500/2000 steps, 5.0 steps/s, 5m00s left, run 2h05m left, loss 1.500,.."},
		{100, blocks, "  25% |████░░░░░░░░░░░░░|  generation 3 of 16: training: 500/2000 steps, 5m00s left, run 2h05m left"},
		{80, blocks, "  25% |███░░░░░░░░░░|  generation 3 of 16: training: 5m00s left, run 2h05m left"},
		{60, plain, "  25% |##-------|  generation 3 of 16: training: 5m00s left"},
		{58, plain, "  25% generation 3 of 16: training: 5m00s left"},
		{40, blocks, "  25% generation 3 of 16:…: 5m00s left"},
		{40, plain, "  25% generation 3 of 16:..: 5m00s left"},
		{20, blocks, "  25% gener…"},
	} {
		s := &screen{columns: c.columns}
		b, clock := clocked(s, c.glyphs)
		task := b.Start("generation 3 of 16: training", 2000, "steps")
		task.Note("loss 1.500, value 0.500")
		task.After(2 * time.Hour)
		*clock = clock.Add(100 * time.Second)
		task.Set(500)
		if got := s.last(); got != c.want {
			t.Errorf("%d columns:\n%q, want\n%q", c.columns, got, c.want)
		}
	}
}

// Every line that was said stays whole, and nothing of an older bar remains.
func TestBarsAndText(t *testing.T) {
	s := &screen{columns: 60}
	b, clock := clocked(s, plain)
	b.Say("before")
	task := b.Start("a task with a long name for a short line", 100, "steps")
	*clock = clock.Add(time.Second)
	task.Set(1)
	b.Say("hi")
	task.Set(99)
	s.columns = 30 // a window made narrower before the next drawing
	task.Set(100)
	s.columns = 60
	task.Set(101)
	task.End()
	task.End()
	task.Set(7)
	b.Start("empty", 0, "games").End()
	b.Say("after")
	want := []string{"before", "hi", "a task with a long name for a short line: 101 steps in 1s, 1", "01 steps/s", "empty: 0 games in 0s, 0.0 games/s", "after", ""}
	if got := s.text(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want\n%q", got, want)
	}
}

func TestBarsAreNotDrawnTooOften(t *testing.T) {
	var out strings.Builder
	clock := time.Unix(0, 0)
	b := &bars{w: &out, width: func() int { return 80 }, glyphs: plain, every: 200 * time.Millisecond, now: func() time.Time { return clock }}
	task := b.Start("games", 1000, "games")
	for i := range 1000 {
		clock = clock.Add(time.Millisecond)
		task.Set(int64(i))
	}
	if n := strings.Count(out.String(), "\r"); n != 5 {
		t.Errorf("drawn %d times in a second, want 5", n)
	}
}

func TestLocale(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, false},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "de_DE.UTF-8"}, true},
		{map[string]string{"LANG": "C.utf8"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
	} {
		if got := utf8Locale(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
