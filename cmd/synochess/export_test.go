package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synochess/net"
	"synochess/net/onnx/ort"
)

// try runs the program and returns its exit code and all it printed.
func try(args ...string) (int, string) {
	var out bytes.Buffer
	code := run(args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	weights, out := filepath.Join(dir, "a.weights"), filepath.Join(dir, "a.onnx")
	w := net.New(net.Arch{Blocks: 1, Width: 8, ValueChannels: 2, ValueHidden: 8}, 1)
	if err := w.Save(weights); err != nil {
		t.Fatal(err)
	}
	code, text := try("export", "--format", "onnx", "--weights", weights, "--out", out)
	if code != 0 || !strings.Contains(text, "interpreter: 96 positions") || !strings.Contains(text, w.EvalID()) {
		t.Errorf("exit code %d: %s", code, text)
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--weights " + weights, 2, "--out is missing"},
		{"--out b.onnx", 2, "--weights is missing"},
		{"--format hdf5 --weights a --out b", 2, "hdf5"},
		{"--weights " + dir + " --out b.onnx", 1, "weights/*.weights"},
		{"--weights " + weights + " --out " + filepath.Join(dir, "none", "b.onnx"), 1, "none"},
	} {
		code, text := try(append([]string{"export"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s: exit code %d, %s", c.args, code, text)
		}
	}
}

func TestORTFlagWithoutORT(t *testing.T) {
	if ort.Built {
		t.Skip("skipped: this build has ONNX Runtime")
	}
	for _, args := range [][]string{{"export", "--weights", "a", "--out", "b", "--ort", "c"}, {"bench", "--ort", "c"}} {
		if code, text := try(args...); code != 2 || !strings.Contains(text, "-tags ort") {
			t.Errorf("%v: exit code %d, %s", args, code, text)
		}
	}
}
