package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// line is a benchmark line of the format, read back.
type line struct {
	name string // "Forward"
	keys map[string]string
	rate float64
	unit string
}

// The format's grammar, stricter than its readers: golang.org/design/14313-benchmark-format.
var (
	configLine = regexp.MustCompile(`^[a-z]+: .*$`)
	unitLine   = regexp.MustCompile(`^Unit (\S+) better=(higher|lower)$`)
	benchLine  = regexp.MustCompile(`^Benchmark([A-Z][A-Za-z]+)((?:/[a-z]+=[^/=\s]+)+) 1 (\d[\d.e+]*) (\S+)$`)
)

// readBenchmarks writes a report's rounds and reads them with a parser that takes nothing else than what is
// meant: configuration first, a unit's line before its first use and once, no key twice in a name.
func readBenchmarks(t *testing.T, r *Report) []line {
	t.Helper()
	var text bytes.Buffer
	if err := r.Benchmarks(&text); err != nil {
		t.Fatal(err)
	}
	var lines []line
	var config []string
	units := map[string]string{}
	for s := bufio.NewScanner(&text); s.Scan(); {
		switch {
		case configLine.MatchString(s.Text()) && len(units) == 0:
			key, _, _ := strings.Cut(s.Text(), ":")
			config = append(config, key)
		case unitLine.MatchString(s.Text()):
			m := unitLine.FindStringSubmatch(s.Text())
			if units[m[1]] != "" {
				t.Errorf("unit twice: %s", s.Text())
			}
			units[m[1]] = m[2]
		case benchLine.MatchString(s.Text()):
			m := benchLine.FindStringSubmatch(s.Text())
			l := line{name: m[1], keys: map[string]string{}, unit: m[4]}
			var err error
			if l.rate, err = strconv.ParseFloat(m[3], 64); err != nil {
				t.Errorf("%q: %v", s.Text(), err)
			}
			for _, part := range strings.Split(m[2], "/")[1:] {
				key, value, _ := strings.Cut(part, "=")
				if l.keys[key] != "" {
					t.Errorf("key twice: %s", s.Text())
				}
				l.keys[key] = value
			}
			if regexp.MustCompile(`-\d+$`).MatchString(m[2]) {
				t.Errorf("the end would be taken for a number of processors: %s", s.Text())
			}
			if want := map[bool]string{true: "lower", false: "higher"}[strings.HasPrefix(l.unit, "%")]; units[l.unit] != want {
				t.Errorf("unit %s is better %q, want %q", l.unit, units[l.unit], want)
			}
			lines = append(lines, l)
		default:
			t.Errorf("line is not of the format: %q", s.Text())
		}
	}
	if want := []string{"goos", "goarch", "cpu", "cores", "features", "go", "synochess"}; !slices.Equal(config, want) {
		t.Errorf("configuration %v, want %v", config, want)
	}
	return lines
}

// checkBenchmarks wants every round of the report in its benchmark file, under its work and contender.
func checkBenchmarks(t *testing.T, r *Report) {
	t.Helper()
	lines := readBenchmarks(t, r)
	for _, res := range r.Results {
		for _, rate := range res.Rounds {
			if len(lines) == 0 {
				t.Fatalf("no line for a round of %+v", res)
			}
			l := lines[0]
			lines = lines[1:]
			if l.rate != float6(rate) || l.unit != strings.ReplaceAll(res.Unit, " ", "-") || l.keys["clock"] != string(res.Clock) || l.keys["by"] == "" {
				t.Errorf("line %+v for a round of %v of %+v", l, rate, res)
			}
		}
	}
	if len(lines) > 0 {
		t.Errorf("lines of no round: %+v", lines)
	}
}

// float6 is what six digits keep of a number.
func float6(x float64) float64 {
	y, _ := strconv.ParseFloat(fmt.Sprintf("%.6g", x), 64)
	return y
}

func TestBenchmarkNames(t *testing.T) {
	for _, c := range []struct{ group, name, who, want string }{
		{"rules", "moddable-fsf, perft 4", "Fairy-Stockfish wasm 1.1.12", "Rules/rules=moddable-fsf/perft=4/clock=cpu/by=Fairy-Stockfish_wasm_1.1.12"},
		{"search", "gumbel, visits 64", "synochess without network", "Search/mode=gumbel/visits=64/clock=cpu/by=synochess_without_network"},
		{"forward", "M 6x64, batch 64", "ONNX Runtime 1.30.0 int8", "Forward/net=M_6x64/batch=64/clock=cpu/by=ONNX_Runtime_1.30.0_int8"},
		{"training", "quick, batch 256", "PyTorch 2.1-12 on 2", "Training/net=quick/batch=256/threads=2/clock=cpu/by=PyTorch_2.1_12"},
		{"data", "write Parquet", "synochess", "Data/work=write_Parquet/clock=cpu/by=synochess"},
		{"self-play", "S 4x48", "synochess avx512-f32 on 1", "SelfPlay/net=S_4x48/threads=1/clock=cpu/by=synochess_avx512-f32"},
	} {
		r := Report{Machine: thisMachine(), Program: "v1", Results: []Result{
			{Group: c.group, Name: c.name, Who: c.who, Unit: "u/s", Clock: CPU, Rounds: []float64{1234567.8, 0.25}},
		}}
		if got := r.Results[0].benchmark(); got != "Benchmark"+c.want {
			t.Errorf("benchmark of %q, %q: %s, want Benchmark%s", c.name, c.who, got, c.want)
		}
		checkBenchmarks(t, &r)
		if subjects[c.group] == "" || !slices.Contains(Groups, c.group) {
			t.Errorf("group %q", c.group)
		}
	}
	if len(subjects) != len(Groups) {
		t.Errorf("%d groups have a first key, of %d", len(subjects), len(Groups))
	}
}

// Self-play gives evaluations, games and the share outside the network for every number of workers.
func TestSelfPlayTables(t *testing.T) {
	s := newSession(quick(t))
	s.perGame = 100
	s.report.Machine.Cores = 2
	n := s.networks()[0]
	if err := s.tables(n, true); err != nil {
		t.Fatal(err)
	}
	checkBenchmarks(t, &s.report)
	path := s.Kernels.Float.Name
	if len(s.report.Results) != 6 {
		t.Fatalf("results %+v", s.report.Results)
	}
	for i, r := range s.report.Results {
		unit := []string{"evaluations/s", "games/h", "% outside the network"}[i%3]
		if r.Who != fmt.Sprintf("%s %s on %d", ours, path, i/3+1) || r.Unit != unit || len(r.Rounds) == 0 {
			t.Errorf("result %d: %+v", i, r)
		}
		for k, x := range r.Rounds {
			if rate := s.report.Results[i/3*3].Rounds[k]; unit == "games/h" && x != 3600*rate/100 || unit[0] == '%' && (x <= 0 || x >= 100) {
				t.Errorf("%s of round %d is %v at %v evaluations/s", unit, k, x, rate)
			}
		}
	}
}
