// Package archtest holds the tests that look at the program from outside: who imports whom.
package archtest

import (
	"os/exec"
	"strings"
	"testing"
)

// rooms lists, from the bottom up, which packages of ours each package may import, directly or through
// others. The rooms of rank 0 (ground) may be used by all.
var ground = words("env internal/eval internal/kernels internal/stats internal/matchfile internal/portable internal/files internal/progress internal/fairy")

var rooms = map[string][]string{
	"env/encode":         words("env internal/eval"),
	"datasets":           words("env internal/stats"),
	"mcts":               words("env env/encode internal/eval"),
	"net":                words("env/encode internal/kernels"),
	"net/graph":          words("net env/encode internal/kernels internal/eval"),
	"net/fast":           words("net env/encode internal/kernels internal/eval"),
	"selfplay":           words("mcts datasets env/encode internal/eval env internal/stats"),
	"selfplay/uciengine": words("selfplay mcts datasets env/encode internal/eval env internal/stats"),
	"internal/arena":     words("selfplay selfplay/uciengine mcts datasets env/encode internal/eval env internal/stats internal/matchfile"),
	"internal/uci":       words("mcts env/encode internal/eval env internal/textboard"),
	"train":              words("net net/graph datasets env/encode env"),
	"internal/loop":      words("selfplay selfplay/uciengine mcts train datasets net net/fast net/graph env/encode internal/eval env internal/stats"),
	// configs knows each package's own Config, and so whatever those import.
	"configs": words("internal/loop selfplay selfplay/uciengine mcts train datasets net net/fast net/graph env/encode internal/eval env internal/stats"),
	// The engine that tests play against.
	"selfplay/uciengine/enginetest": words("env"),
	// The suite that every evaluator's tests run.
	"internal/eval/evaltest": words("env env/encode internal/eval"),
	// What a person sees.
	"internal/textboard": words("env"),
	"internal/play":      words("env internal/textboard"),
	"internal/report":    {},
	// What the program does, as a number, and how fast.
	"internal/behaviour": words("mcts net net/fast env env/encode internal/eval internal/kernels"),
	"internal/bench":     words("internal/behaviour internal/loop selfplay selfplay/uciengine mcts train datasets net net/fast net/graph net/onnx net/onnx/ort net/onnx/onnxpb env/encode internal/eval env internal/stats"),
	// The network for other programs.
	"net/onnx/onnxpb": {}, // generated
	"net/onnx":        words("net net/fast net/onnx/onnxpb env env/encode internal/eval internal/kernels"),
	"net/onnx/ort":    words("net/onnx net net/fast net/onnx/onnxpb env env/encode internal/eval internal/kernels"),
}

// never lists what no test of a room's neighbours would show: packages outside the module that a room
// must not link.
var never = map[string][]string{
	"env":            words("gorgonia.org/gorgonia github.com/parquet-go/parquet-go"),
	"mcts":           words("gorgonia.org/gorgonia github.com/parquet-go/parquet-go"),
	"net/fast":       words("gorgonia.org/gorgonia"),
	"selfplay":       words("gorgonia.org/gorgonia"),
	"internal/arena": words("selfplay selfplay/uciengine mcts datasets env/encode internal/eval env internal/stats internal/matchfile"),
	"internal/uci":   words("gorgonia.org/gorgonia github.com/parquet-go/parquet-go"),
}

func words(s string) []string { return strings.Fields(s) }

const module = "synochess/"

// TestImportRanks compares `go list -deps` with the table above.
func TestImportRanks(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is not in PATH")
	}
	cmd := exec.Command(goTool, "list", "-f", `{{.ImportPath}}: {{join .Deps " "}}`, module+"...")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, deps, _ := strings.Cut(line, ": ")
		room := strings.TrimPrefix(path, module)
		if strings.HasPrefix(room, "cmd/") || room == "internal/archtest" {
			continue // the top
		}
		for _, fault := range faults(room, words(deps)) {
			t.Error(fault)
		}
	}
}

// faults returns one line for each import of a room that it may not have.
func faults(room string, deps []string) []string {
	allowed := map[string]bool{}
	above, known := rooms[room]
	for _, r := range ground {
		known = known || r == room
	}
	if !known {
		return []string{room + ": a package without a rank; add it to the table in internal/archtest and to the rooms in README.md"}
	}
	if above != nil {
		for _, r := range append(above, ground...) {
			allowed[r] = true
		}
	} else {
		// Rank 0: nothing of ours but the small helpers that import nothing themselves.
		for _, r := range words("internal/portable internal/files internal/stats internal/eval") {
			allowed[r] = true
		}
	}
	var out []string
	for _, d := range deps {
		if r, ours := strings.CutPrefix(d, module); ours && !allowed[r] {
			out = append(out, room+" may not import "+r)
		}
		for _, n := range never[room] {
			if d == n {
				out = append(out, room+" may not link "+n)
			}
		}
	}
	return out
}

// The check itself must be able to fail.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		room, deps string
		want       int
	}{
		{"mcts", "fmt synochess/env synochess/env/encode synochess/internal/eval synochess/internal/portable", 0},
		{"mcts", "synochess/net", 1},
		{"env", "synochess/internal/eval", 0},
		{"env", "synochess/env/encode", 1},
		{"selfplay", "synochess/net gorgonia.org/gorgonia", 2},
		{"internal/nowhere", "", 1},
	} {
		if got := faults(c.room, words(c.deps)); len(got) != c.want {
			t.Errorf("%s importing %q: %d faults, want %d: %v", c.room, c.deps, len(got), c.want, got)
		}
	}
}
