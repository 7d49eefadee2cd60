package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	dir := t.TempDir()
	code, text := try("bench", "--only", "rules", "--out", filepath.Join(dir, "machine.json"))
	if code != 0 || !strings.Contains(text, "as expected") || !strings.Contains(text, "moddable-fsf, perft 4") {
		t.Errorf("exit code %d: %s", code, text)
	}
	for file, want := range map[string]string{"machine.json": `"rounds": [`, "machine.txt": "\nBenchmarkRules/rules=moddable-fsf/perft=4/"} {
		if data, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, without %q: %s", file, err, want, data)
		}
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--only nothing", 1, "self-play"},
		{"--out " + filepath.Join(dir, "rounds.txt"), 2, ".txt is for the rounds"},
		{"--fairy " + dir, 1, "npm install --prefix " + dir},
	} {
		code, text := try(append([]string{"bench"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("bench %s: exit code %d, %s", c.args, code, text)
		}
	}
}
