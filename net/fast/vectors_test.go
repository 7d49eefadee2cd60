package fast

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

var update = flag.Bool("update", false, "write testdata/v1.weights anew; only while no release has its encoding version")

// A network saved by format version 1 still plays as it did then.
func TestVersion1Plays(t *testing.T) {
	path := filepath.Join("testdata", "v1.weights")
	if *update {
		if err := Save(path, trained(1, 3, 21)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Vectors()) == 0 {
		t.Fatal("the fixture has no test vectors")
	}
	e, err := New(kernels.Best(), w)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID() != w.EvalID() {
		t.Errorf("evaluator %s, weights %s", e.ID(), w.EvalID())
	}
}

func TestSavedVectorsAreChecked(t *testing.T) {
	for version := 1; version <= encode.Version; version++ {
		savedVectorsAreChecked(t, trainedOf(version, 1, 6, 16, 3))
	}
}

func savedVectorsAreChecked(t *testing.T, w *net.Weights) {
	path := filepath.Join(t.TempDir(), "a.weights")
	if err := Save(path, w); err != nil {
		t.Fatal(err)
	}
	read, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Vectors()) < 4 {
		t.Fatalf("%d test vectors", len(read.Vectors()))
	}
	if _, err := New(kernels.Portable, read); err != nil {
		t.Error(err)
	}
	if err := direct(read).verify(read.Vectors()); err != nil {
		t.Errorf("direct: %v", err)
	}
	for name, change := range map[string]func(v *net.TestVector){
		"logit": func(v *net.TestVector) { v.Logits[1] += 0.01 },
		"wdl":   func(v *net.TestVector) { v.WDL[0] += 0.01 },
		"input": func(v *net.TestVector) { v.Planes[0] ^= 1 << 30 },
		"shape": func(v *net.TestVector) { v.Planes = v.Planes[1:] },
		"moves": func(v *net.TestVector) { v.Moves = nil },
	} {
		bad, err := net.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		vectors := bad.Vectors()
		change(&vectors[1])
		bad.SetVectors(vectors)
		if _, err := New(kernels.Best(), bad); err == nil || !strings.Contains(err.Error(), "test vector") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The check must not refuse what is whole: untrained, trained and loud networks, on every path.
func TestInt16AcceptsHealthyWeights(t *testing.T) {
	loud := trained(2, 32, 9)
	for i := range loud.Tensor("policy.weight").Data {
		loud.Tensor("policy.weight").Data[i] *= 1000
	}
	for name, w := range map[string]*net.Weights{
		"untrained": net.New(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64}.Complete(), 1),
		"trained":   trained(3, 48, 4), "loud": loud,
	} {
		if err := Calibrate(kernels.Best(), w, gamePositions(t, 1, 30)); err != nil {
			t.Fatal(err)
		}
		if err := AddVectors(w); err != nil {
			t.Fatal(err)
		}
		everyInt16Path(t, func(t *testing.T, path *kernels.Path) {
			if _, err := NewQuantised(path, w); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// brokenTrunk is a trunk one of whose numbers is wrong by the least that a float32 can be.
type brokenTrunk struct{ inference.Trunk }

func (t brokenTrunk) Run(x []float32, rows int) {
	t.Trunk.Run(x, rows)
	x[77] = math.Nextafter32(x[77], 1e9)
}

func TestInt16RefusesBrokenKernels(t *testing.T) {
	w := calibrated(t, 2, 32, 5, gamePositions(t, 1, 30))
	if err := AddVectors(w); err != nil {
		t.Fatal(err)
	}
	broken := func(p *kernels.Path, q *inference.Quantised) inference.Trunk {
		return brokenTrunk{inference.NewInt16Trunk(p, q)}
	}
	if _, err := newQuantised(kernels.Portable, w, broken); err == nil || !strings.Contains(err.Error(), "kernel path portable-i16") {
		t.Errorf("error %v", err)
	}
	// Nor may the network be another than its file says.
	v := w.Vectors()
	v[0].Logits[1] += 0.01
	w.SetVectors(v)
	if _, err := NewQuantised(kernels.Best(), w); err == nil || !strings.Contains(err.Error(), "test vector 0") {
		t.Errorf("error %v", err)
	}
}

func TestNearGoesByTheLargest(t *testing.T) {
	for _, c := range []struct {
		got, want []float32
		near      bool
	}{
		{[]float32{0.0005, 0}, []float32{0, 0}, true},
		{[]float32{0.005, 0}, []float32{0, 0}, false},
		{[]float32{15.1, -1900}, []float32{15, -1900}, true}, // as large networks round
		{[]float32{18, -1900}, []float32{15, -1900}, false},
		{[]float32{float32(math.NaN()), 1}, []float32{0, 1}, false},
	} {
		if near(c.got, c.want) != c.near {
			t.Errorf("%v for %v: near is %v", c.got, c.want, !c.near)
		}
	}
}

// Opening a network, its test vectors checked.
func BenchmarkOpen(b *testing.B) {
	for _, shape := range [][2]int{{2, 32}, {4, 48}, {6, 64}} {
		w := calibrated(b, shape[0], shape[1], 5, gamePositions(b, 1, 8))
		if err := AddVectors(w); err != nil {
			b.Fatal(err)
		}
		for name, open := range map[string]func(*kernels.Path, *net.Weights) (*Evaluator, error){"float32": New, "int16": NewQuantised} {
			b.Run(fmt.Sprintf("%dx%d/%s", shape[0], shape[1], name), func(b *testing.B) {
				for b.Loop() {
					if _, err := open(kernels.Best(), w); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
