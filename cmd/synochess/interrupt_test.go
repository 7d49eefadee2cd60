package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Ctrl-C must end a run soon and in good order, say how to go on, and give exit code 130.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a process cannot send itself Ctrl-C on Windows")
	}
	dir := filepath.Join(t.TempDir(), "run")
	// A file as standard error, since progress goes to files.
	errOut, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer errOut.Close()
	code := make(chan int, 1)
	go func() {
		args := []string{"train", "--config", "tiny", "--run", dir, "--set", "games=100000"}
		code <- run(args, strings.NewReader(""), &bytes.Buffer{}, errOut)
	}()
	// The folder's log is there once the run is under way, and so long after the signal is caught.
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "log.jsonl")); err == nil {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatal("the run does not start")
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case c := <-code:
		text, err := os.ReadFile(errOut.Name())
		if err != nil {
			t.Fatal(err)
		}
		if want := "train --run " + dir; c != 130 || !strings.Contains(string(text), want) {
			t.Errorf("exit code %d; standard error lacks %q:\n%s", c, want, text)
		}
	case <-time.After(time.Minute):
		t.Fatal("the run does not stop")
	}
}
