// Package archtest holds the tests that look at the program from outside: who imports whom, which page links
// where.
package archtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "synochess/"

// pkg is what the go tool says of a package of ours.
type pkg struct {
	path    string
	imports []string // by itself
	links   []string // through others too
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}: {{join .Deps " "}}`, module+"...")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}
	var all []pkg
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		parts := strings.Split(line, ": ")
		all = append(all, pkg{strings.TrimPrefix(parts[0], module), strings.Fields(parts[1]), strings.Fields(parts[2])})
	}
	return all
}

// TestRooms compares the imports of every package with the table.
func TestRooms(t *testing.T) {
	all := packages(t)
	for _, p := range all {
		for _, fault := range faults(p) {
			t.Error(fault)
		}
	}
	for _, r := range rooms {
		if !slices.ContainsFunc(all, func(p pkg) bool { return p.path == r.path }) {
			t.Errorf("rooms: there is no package %s", r.path)
		}
	}
}

func find(path string) (room, bool) {
	i := slices.IndexFunc(rooms, func(r room) bool { return r.path == path })
	if i < 0 {
		return room{}, false
	}
	return rooms[i], true
}

// faults returns a line for each import of a package that does not fit its room.
func faults(p pkg) (out []string) {
	r, known := find(p.path)
	if !known {
		return []string{p.path + ": a package without a room; add it to rooms_test.go and to the table in README.md"}
	}
	may := strings.Fields(r.mayImport)
	for _, i := range p.imports {
		path, ours := strings.CutPrefix(i, module)
		if !ours {
			continue
		}
		if lower, _ := find(path); lower.rank >= r.rank && r.rank > 0 || r.rank == 0 && !strings.HasPrefix(path, "internal/") {
			out = append(out, fmt.Sprintf("%s, rank %d, imports %s, rank %d: imports go down", p.path, r.rank, path, lower.rank))
		}
		if !strings.HasPrefix(path, "internal/") && !slices.Contains(may, path) {
			out = append(out, p.path+" may not import "+path)
		}
	}
	for _, m := range may {
		if !slices.Contains(p.imports, module+m) {
			out = append(out, p.path+" does not import "+m+" any more: take it out of the table")
		}
	}
	for _, n := range strings.Fields(r.neverLinks) {
		if slices.Contains(p.links, n) {
			out = append(out, p.path+" may not link "+n)
		}
	}
	return out
}

// The check itself must be able to fail.
func TestFaults(t *testing.T) {
	const env, encode = "synochess/env", "synochess/env/encode"
	for _, c := range []struct {
		pkg  pkg
		want int
	}{
		{pkg{"mcts", []string{"fmt", env, encode, "synochess/internal/portable"}, nil}, 0},
		{pkg{"mcts", []string{env}, nil}, 1},
		{pkg{"mcts", []string{env, encode, "synochess/datasets"}, nil}, 1},
		{pkg{"mcts", []string{env, encode, "synochess/net"}, nil}, 2},
		{pkg{"env", []string{"synochess/internal/portable"}, nil}, 0},
		{pkg{"env", []string{encode}, nil}, 2},
		{pkg{"env", nil, []string{gorgonia}}, 1},
		{pkg{"nowhere", nil, nil}, 1},
	} {
		if got := faults(c.pkg); len(got) != c.want {
			t.Errorf("%v: %d faults, want %d: %v", c.pkg, len(got), c.want, got)
		}
	}
}

var rankRow = regexp.MustCompile("(?m)^\\| (\\d+) \\| (`[^|]*`) \\|")

// README's table of rooms says the same.
func TestReadmeRanks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, m := range rankRow.FindAllStringSubmatch(string(text), -1) {
		for _, path := range strings.Split(m[2], ", ") {
			shown[strings.Trim(path, "`")] = m[1]
		}
	}
	for _, r := range rooms {
		if got := shown[r.path]; got != fmt.Sprint(r.rank) {
			t.Errorf("README.md: rank of %s is %q, want %d", r.path, got, r.rank)
		}
		delete(shown, r.path)
	}
	for path := range shown {
		t.Errorf("README.md has a room %s that is none", path)
	}
}
