package ort

import (
	"math"
	"os"
	"testing"

	"synochess/net"
	"synochess/net/onnx"
)

// The quantised model is near the exact one, and not equal to it.
func TestInt8InONNXRuntime(t *testing.T) {
	library := os.Getenv("SYNOCHESS_ORT")
	if !Built || library == "" {
		t.Skip("skipped: needs -tags ort and SYNOCHESS_ORT, the path of libonnxruntime.so.1 (.ci/onnx-runtime)")
	}
	for _, fromTo := range []int{0, 16} {
		int8In(t, library, loud(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64, FromTo: fromTo}))
	}
}

func int8In(t *testing.T, library string, w *net.Weights) {
	b, err := onnx.Positions(w, 20)
	if err != nil {
		t.Fatal(err)
	}
	model, err := onnx.MarshalInt8(w, "test", b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(library, model)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	planes, vector := onnx.Inputs(w.Arch, b, 0, b.Len())
	policy, value, err := r.Run(b.Len(), planes, vector)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := onnx.Marshal(w, "test")
	if err != nil {
		t.Fatal(err)
	}
	in, err := onnx.Interpret(exact)
	if err != nil {
		t.Fatal(err)
	}
	wantPolicy, wantValue, err := in.Run(b.Len(), planes, vector)
	if err != nil {
		t.Fatal(err)
	}
	logit, spread := rms(policy, wantPolicy), rms(wantPolicy, make([]float32, len(policy)))
	t.Logf("logits: rms error %.3g of rms %.3g; value: rms error %.3g", logit, spread, rms(value, wantValue))
	if logit == 0 || logit > 0.1*spread || rms(value, wantValue) > 0.1 {
		t.Error("the quantised model is not near the exact one, or is equal to it")
	}
}

func rms(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]-b[i]) * float64(a[i]-b[i])
	}
	return math.Sqrt(sum / float64(len(a)))
}
