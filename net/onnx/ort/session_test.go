package ort

import (
	"os"
	"strings"
	"testing"

	"synochess/net"
	"synochess/net/onnx"
)

// TestONNXRuntime runs exported models in ONNX Runtime. It needs a build with -tags ort and the library's
// path in SYNOCHESS_ORT; .ci/onnx-runtime provides both.
func TestONNXRuntime(t *testing.T) {
	library := os.Getenv("SYNOCHESS_ORT")
	if !Built || library == "" {
		t.Skip("skipped: needs -tags ort and SYNOCHESS_ORT, the path of libonnxruntime.so.1 (.ci/onnx-runtime)")
	}
	for _, shape := range [][3]int{{2, 32, 0}, {2, 32, 16}, {4, 48, 16}} {
		w := loud(net.Arch{Blocks: shape[0], Width: shape[1], ValueChannels: 8, ValueHidden: 64, FromTo: shape[2]})
		model, err := onnx.Marshal(w, "test")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(library, model)
		if err != nil {
			t.Fatal(err)
		}
		b, err := onnx.Positions(w, 40)
		if err != nil {
			t.Fatal(err)
		}
		a, err := onnx.Check(w, b, r)
		if err != nil {
			t.Error(err)
		}
		t.Log(a)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// loud returns a network with logits of some size.
func loud(a net.Arch) *net.Weights {
	w := net.New(a, 5)
	for _, name := range []string{"policy.weight", "value.fc2.weight"} {
		for i := range w.Tensor(name).Data {
			w.Tensor(name).Data[i] *= 50
		}
	}
	if a.FromTo > 0 {
		for i, v := range w.Tensor("policy.from.weight").Data {
			w.Tensor("policy.to.weight").Data[len(w.Tensor("policy.to.weight").Data)-1-i] = v / 10
		}
	}
	return w
}

func TestErrorsSayWhatToDo(t *testing.T) {
	want := "-tags ort"
	if Built {
		want = "nowhere.so"
	}
	if _, err := Open("nowhere.so", nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v does not say %q", err, want)
	}
}
