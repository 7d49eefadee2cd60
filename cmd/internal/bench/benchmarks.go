package bench

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"synochess/internal/files"
)

// SaveBenchmarks writes Benchmarks to a file, whole or not at all.
func (r *Report) SaveBenchmarks(path string) error { return files.WriteAtomic(path, r.Benchmarks) }

// Benchmarks writes every round of every contender as a line of the Go benchmark format
// (golang.org/design/14313-benchmark-format), which benchstat compares with confidence intervals. A line is
//
//	BenchmarkForward/net=M_6x64/batch=64/clock=cpu/by=synochess_avx512-f32 1 16208 evaluations/s
//
// for the group forward, the work "M 6x64, batch 64" and the contender "synochess avx512-f32": a part of the
// work that ends in a number becomes a key of its own, and so does /threads, from a contender "... on 2". The
// count of iterations is always 1, since a round is what was measured.
func (r *Report) Benchmarks(w io.Writer) error {
	b := bufio.NewWriter(w)
	m := r.Machine
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\ncpu: %s\ncores: %d\nfeatures: %s\n", m.OS, m.Arch, m.CPU, m.Cores, strings.Join(m.Features, " "))
	fmt.Fprintf(b, "go: %s\nsynochess: %s\n", m.Go, r.Program)
	described := map[string]bool{}
	for _, res := range r.Results {
		unit := strings.ReplaceAll(res.Unit, " ", "-")
		if !described[unit] {
			described[unit] = true
			fmt.Fprintf(b, "Unit %s better=%s\n", unit, better(unit))
		}
		for _, rate := range res.Rounds {
			fmt.Fprintf(b, "%s 1 %.6g %s\n", res.benchmark(), rate, unit)
		}
	}
	return b.Flush()
}

// better tells which rates of a unit are wanted: shares should be small, all else are speeds.
func better(unit string) string {
	if strings.HasPrefix(unit, "%") {
		return "lower"
	}
	return "higher"
}

// subjects are the keys of the first part of a group's work.
var subjects = map[string]string{"rules": "rules", "search": "mode", "forward": "net", "training": "net", "data": "work", "self-play": "net"}

// numbered is a part of the work that ends in a number.
var numbered = regexp.MustCompile(`^(\w+) (\d+)$`)

// threaded is the name of a contender on a number of threads.
var threaded = regexp.MustCompile(`^(.+) on (\d+)$`)

// benchmark is the name of the result's benchmark, sub-benchmark keys included.
func (r *Result) benchmark() string {
	var s strings.Builder
	s.WriteString("Benchmark")
	for part := range strings.SplitSeq(r.Group, "-") {
		s.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	for i, part := range strings.Split(r.Name, ", ") {
		if m := numbered.FindStringSubmatch(part); m != nil && i > 0 {
			fmt.Fprintf(&s, "/%s=%s", m[1], m[2])
		} else {
			fmt.Fprintf(&s, "/%s=%s", subjects[r.Group], word(part))
		}
	}
	who := r.Who
	if m := threaded.FindStringSubmatch(who); m != nil {
		who = m[1]
		fmt.Fprintf(&s, "/threads=%s", m[2])
	}
	fmt.Fprintf(&s, "/clock=%s/by=%s", r.Clock, word(who))
	return s.String()
}

// dashed is the end of a name that readers would take for a number of processors.
var dashed = regexp.MustCompile(`-(\d+)$`)

// word makes one word of text, without what separates the parts of a name.
func word(text string) string {
	return dashed.ReplaceAllString(strings.NewReplacer(" ", "_", "/", "_").Replace(text), "_$1")
}
