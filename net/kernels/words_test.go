package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	wordLine     = regexp.MustCompile(`^\tWORD \$0x([0-9a-f]{8}) // (.*)$`)
	assemblyLine = regexp.MustCompile(`^\s*\S*neon_arm64\.s:\d+\s+0x[0-9a-f]+\s+([0-9a-f]{8})\s.*// (.*?)\s*$`)
)

// Each WORD of the arm64 assembly is the instruction that stands behind it, as Go's disassembler reads it. It
// runs on every processor.
func TestWordsAreWhatTheySay(t *testing.T) {
	for _, folder := range []string{".", "inference"} {
		t.Run(folder, func(t *testing.T) { wordsAreWhatTheySay(t, filepath.Join(folder, "neon_arm64.s")) })
	}
}

func wordsAreWhatTheySay(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object := filepath.Join(t.TempDir(), "neon.o")
	run := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("tool", "asm", "-p", "kernels", "-I", filepath.Join(strings.TrimSpace(run("env", "GOROOT")), "pkg", "include"), "-o", object, path)
	read := map[string]string{} // by code
	for line := range strings.Lines(run("tool", "objdump", "-gnu", object)) {
		if m := assemblyLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			read[m[1]] = m[2]
		}
	}
	words := 0
	for line := range strings.Lines(string(text)) {
		m := wordLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		words++
		if got, want := read[m[1]], strings.ToLower(m[2]); got != want {
			t.Errorf("%s is %q, not %q", m[1], got, want)
		}
	}
	if want := strings.Count(string(text), "WORD"); words != want || words == 0 {
		t.Errorf("%d of %d WORDs tell what they are", words, want)
	}
}
