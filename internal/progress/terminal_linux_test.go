package progress

import (
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a pseudo terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return master, terminal
}

// TestNew opens terminals of several kinds and a file that is none.
func TestNew(t *testing.T) {
	_, terminal := openTerminal(t)
	for _, c := range []struct {
		term, lang string
		bars       bool
		glyphs     glyphs
	}{
		{"xterm", "C.UTF-8", true, blocks},
		{"xterm", "C", true, plain},
		{"dumb", "C.UTF-8", false, glyphs{}},
		{"", "C.UTF-8", false, glyphs{}},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("LC_ALL", c.lang)
		b, ok := New(terminal).(*bars)
		if ok != c.bars || ok && b.glyphs != c.glyphs {
			t.Errorf("TERM=%q LC_ALL=%q: bars %v, %+v", c.term, c.lang, ok, b)
		}
	}
	t.Setenv("TERM", "xterm")
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, ok := New(file).(*bars); ok {
		t.Error("bars in a file")
	}
}

// TestTerminalWidth resizes a terminal while a bar stands in it.
func TestTerminalWidth(t *testing.T) {
	master, terminal := openTerminal(t)
	t.Setenv("TERM", "xterm")
	t.Setenv("LC_ALL", "C.UTF-8")
	b, ok := New(terminal).(*bars)
	if !ok {
		t.Fatal("no bars on a terminal")
	}
	b.every = 0
	task := b.Start("generation 3 of 16: training", 2000, "steps")
	task.Note("loss 1.500, value 0.500, and more that nobody has room for")
	task.After(2 * time.Hour)
	for _, columns := range []int{40, 60, 80, 200} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}); err != nil {
			t.Fatal(err)
		}
		s := &screen{columns: columns}
		buf := make([]byte, 4096)
		for i := range 5 {
			task.Set(int64(100 * (i + 1)))
			n, err := master.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			s.Write(buf[:n])
		}
		if len(s.lines) != 1 || s.wrapped > 0 || s.last() == "" {
			t.Errorf("%d columns: %q", columns, s.text())
		}
	}
}
