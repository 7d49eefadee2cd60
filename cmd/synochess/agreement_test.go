package main

import (
	"path/filepath"
	"strings"
	"testing"

	"synochess/net"
	"synochess/net/fast"
)

// A calibration that cuts activations off breaks a limit, and the command says which and what to do.
func TestAgreementOfBadCalibration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	args := "train --config tiny --run " + dir + " --plan=false --set generations=1 --set net.width=16 --set precision=int16 --set train.held_out=0.4 --set proof.openings=1"
	if code, text := try(strings.Fields(args)...); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	if code, text := try("agreement", dir); code != 0 || !strings.Contains(text, "calibrated by its run") {
		t.Errorf("exit code %d: %s", code, text)
	}
	path := filepath.Join(dir, "weights", "000001.weights")
	w, err := net.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	q := &net.Quantisation{Positions: 1}
	for range w.Quantisation().Limits {
		limits := make([]float32, w.Arch.Width)
		for c := range limits {
			limits[c] = 0.01
		}
		q.Limits = append(q.Limits, limits)
	}
	if err := w.SetQuantisation(q); err != nil {
		t.Fatal(err)
	}
	if err := fast.Save(path, w); err != nil {
		t.Fatal(err)
	}
	code, text := try("agreement", dir)
	if code != 1 || !strings.Contains(text, "int16 is too far from float32 for this network: the ") || !strings.Contains(text, "play it in float32") {
		t.Errorf("exit code %d: %s", code, text)
	}
	// The table is printed all the same.
	if !strings.Contains(text, "same best move ") {
		t.Errorf("no table: %s", text)
	}

	narrow := filepath.Join(t.TempDir(), "narrow.weights")
	if err := net.New(net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8}, 1).Save(narrow); err != nil {
		t.Fatal(err)
	}
	if code, text := try("agreement", "--weights", narrow, dir); code != 1 || !strings.Contains(text, "int16 needs a multiple of 16") {
		t.Errorf("exit code %d: %s", code, text)
	}
}
