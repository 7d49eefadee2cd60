//go:build !ort

package ort

import (
	"errors"

	"synochess/net/onnx"
)

// Built tells whether this program can run ONNX Runtime.
const Built = false

// Open returns an error that says how to build a program with ONNX Runtime.
func Open(library string, model []byte) (onnx.Runner, error) {
	return nil, errors.New("this program was built without ONNX Runtime; build it with: go build -tags ort ./cmd/synochess")
}
