package loop

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/progress"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/selfplay/netagent"
)

// int16Run is a run in int16, of real chess, that holds out a part of its games. It returns the last weights
// and the games' files.
func int16Run(t *testing.T, heldOut float64) (*net.Weights, []string) {
	t.Helper()
	c, dir := smallConfig(t), t.TempDir()
	c.Rules[0].Name = "moddable"
	c.Generations, c.Precision, c.Train.HeldOut = 1, fast.Int16, heldOut
	if _, err := Run(context.Background(), c, options(dir, 2, progress.Silent())); err != nil {
		t.Fatal(err)
	}
	w, err := net.Load(filepath.Join(dir, "weights", "000001.weights"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "games", "*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatalf("games %v, %v", files, err)
	}
	return w, files
}

// sides counts the distinct positions of the games on either side of a split, each on the side of the first
// game that met it.
func sides(t *testing.T, files []string, share float64) (kept, heldOut int) {
	t.Helper()
	met := map[string]bool{}
	for _, path := range files {
		for g, err := range datasets.ReadFile(path) {
			if err != nil {
				t.Fatal(err)
			}
			r, err := env.ParseRules([]byte(g.Rules), "test")
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.ParseFEN(g.StartFEN)
			if err != nil {
				t.Fatal(err)
			}
			for _, ply := range g.Plies {
				// Without the counters, which are no part of a position's identity.
				if id := strings.Join(strings.Fields(r.FEN(&p))[:3], " "); !met[id] {
					met[id] = true
					if datasets.HeldOut(g.Family, share) {
						heldOut++
					} else {
						kept++
					}
				}
				var next env.Position
				r.Apply(&p, ply.Move, &next)
				p = next
			}
		}
	}
	return kept, heldOut
}

// A run's own calibration is measured on the games it was not made on, and a bad one is noticed.
func TestCompareInt16WithItsOwnCalibration(t *testing.T) {
	w, files := int16Run(t, 0.3)
	_, want := sides(t, files, 0.3)
	a, err := netagent.CompareInt16(kernels.Best(), w, files, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("own calibration on %d positions: %v", a.Calibration, a.Agreement)
	if !a.Own || a.Calibration != w.Quantisation().Positions || a.Positions != min(want, netagent.ComparedPositions) {
		t.Errorf("%+v; the held-out games have %d positions", a, want)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
	again, err := netagent.CompareInt16(kernels.Best(), w, files, 0.3)
	if err != nil || *again != *a {
		t.Errorf("again: %+v, %v, first %+v", again, err, a)
	}

	// Limits far too low cut most activations off.
	low := &net.Quantisation{Positions: 1}
	for _, limits := range w.Quantisation().Limits {
		limits = slices.Clone(limits)
		for c := range limits {
			limits[c] /= 50
		}
		low.Limits = append(low.Limits, limits)
	}
	if err := w.SetQuantisation(low); err != nil {
		t.Fatal(err)
	}
	if a, err = netagent.CompareInt16(kernels.Best(), w, files, 0.3); err != nil || !a.Own {
		t.Fatal(a, err)
	}
	if err := a.Check(); err == nil {
		t.Errorf("limits of a 50th are good: %v", a)
	}

	// Nothing is known of what it was calibrated on: it is done anew.
	if a, err = netagent.CompareInt16(kernels.Best(), w, files, 0); err != nil || a.Own {
		t.Fatal(a, err)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
}

// Weights without calibration get one from positions that are not compared.
func TestCompareInt16Calibrates(t *testing.T) {
	trained, files := int16Run(t, 0.1)
	w := net.New(trained.Arch, 1)
	for i, tensor := range trained.Tensors {
		copy(w.Tensors[i].Data, tensor.Data)
	}
	others, compared := sides(t, files, 0.5)
	a, err := netagent.CompareInt16(kernels.Best(), w, files, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if a.Own || a.Calibration != min(others, netagent.CalibrationPositions) || a.Positions != min(compared, netagent.ComparedPositions) {
		t.Errorf("%+v; the halves have %d and %d positions", a, others, compared)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
	if _, err := netagent.CompareInt16(kernels.Best(), w, nil, 0.1); err == nil || !strings.Contains(err.Error(), "too few games") {
		t.Errorf("no games: error %v", err)
	}
}
