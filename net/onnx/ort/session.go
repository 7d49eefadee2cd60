//go:build ort

package ort

import (
	"fmt"
	"sync"

	runtime "github.com/yalue/onnxruntime_go"

	"synochess/env/encode"
	"synochess/net/onnx"
)

// Built tells whether this program can run ONNX Runtime.
const Built = true

// loaded is the library of this process; there can be one only.
var loaded struct {
	sync.Mutex
	library string
}

// load opens the shared library once.
func load(library string) error {
	loaded.Lock()
	defer loaded.Unlock()
	switch loaded.library {
	case library:
		return nil
	case "":
	default:
		return fmt.Errorf("ONNX Runtime %s is loaded already; %s cannot be loaded beside it", loaded.library, library)
	}
	runtime.SetSharedLibraryPath(library)
	if err := runtime.InitializeEnvironment(); err != nil {
		return fmt.Errorf("ONNX Runtime %s: %w", library, err)
	}
	loaded.library = library
	return nil
}

// session is a model in ONNX Runtime, on one thread.
type session struct {
	inner  *runtime.DynamicAdvancedSession
	in     []runtime.Value
	out    []runtime.Value
	rows   int // that in and out are made for
	inputs [2][]float32
	output [2][]float32
}

// Open loads the shared library (once a process) and the model, for one thread.
func Open(library string, model []byte) (onnx.Runner, error) {
	if err := load(library); err != nil {
		return nil, err
	}
	options, err := runtime.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime: %w", err)
	}
	defer options.Destroy()
	for _, set := range []error{
		options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1),
		options.SetGraphOptimizationLevel(runtime.GraphOptimizationLevelEnableAll),
	} {
		if set != nil {
			return nil, fmt.Errorf("ONNX Runtime: %w", set)
		}
	}
	inner, err := runtime.NewDynamicAdvancedSessionWithONNXData(model,
		[]string{onnx.InputPlanes, onnx.InputVector}, []string{onnx.OutputPolicy, onnx.OutputValue}, options)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime refuses the model: %w", err)
	}
	return &session{inner: inner}, nil
}

// Name names the version.
func (s *session) Name() string { return "ONNX Runtime " + runtime.GetVersion() }

// Run is part of onnx.Runner. The tensors are made once for a number of rows.
func (s *session) Run(rows int, planes, vector []float32) (policy, value []float32, err error) {
	if rows != s.rows {
		if err := s.resize(rows, len(planes), len(vector)); err != nil {
			return nil, nil, fmt.Errorf("ONNX Runtime: %w", err)
		}
	}
	copy(s.inputs[0], planes)
	copy(s.inputs[1], vector)
	if err := s.inner.Run(s.in, s.out); err != nil {
		return nil, nil, fmt.Errorf("ONNX Runtime: %w", err)
	}
	return s.output[0], s.output[1], nil
}

// resize makes tensors for a number of rows.
func (s *session) resize(rows, planes, vector int) error {
	s.free()
	n := int64(rows)
	for i, shape := range []runtime.Shape{
		runtime.NewShape(n, int64(planes/64/rows), 8, 8), runtime.NewShape(n, int64(vector/rows)),
		runtime.NewShape(n, encode.PolicySize), runtime.NewShape(n, 3),
	} {
		t, err := runtime.NewEmptyTensor[float32](shape)
		if err != nil {
			return err
		}
		if i < 2 {
			s.in, s.inputs[i] = append(s.in, t), t.GetData()
		} else {
			s.out, s.output[i-2] = append(s.out, t), t.GetData()
		}
	}
	s.rows = rows
	return nil
}

// free gives the tensors back.
func (s *session) free() {
	for _, list := range [][]runtime.Value{s.in, s.out} {
		for _, t := range list {
			t.Destroy()
		}
	}
	s.in, s.out, s.rows = nil, nil, 0
}

// Close frees the session. The library stays loaded.
func (s *session) Close() error {
	s.free()
	return s.inner.Destroy()
}
