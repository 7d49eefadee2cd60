package behaviour

import (
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write expected.txt")

// TestBehaviour compares with the record in the repository. After a change that is meant to alter what the
// program does, write a new one: go test ./cmd/internal/behaviour -update
func TestBehaviour(t *testing.T) {
	r, err := Measure()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("expected.txt", []byte(r.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Logf("%s: nodes %d, number %s", runtime.GOARCH, r.Nodes, r.Number)
	want, got := strings.Split(Expected(), "\n"), strings.Split(r.String(), "\n")
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("line %d differs from expected.txt (go test ./cmd/internal/behaviour -update, if that is meant)\ngot:\n%s\nwant:\n%s", i+1, r, Expected())
		}
	}
}

// The record is the same without the processor's fused multiply-add, which the standard library uses where it can.
func TestBehaviourWithoutFMA(t *testing.T) {
	if os.Getenv("GODEBUG") != "" || *update {
		t.Skip("this is the run without it")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestBehaviour$", "-test.count", "1")
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.fma=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("with GODEBUG=cpu.fma=off: %v\n%s", err, out)
	}
}
