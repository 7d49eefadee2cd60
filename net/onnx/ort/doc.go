// Package ort runs models in ONNX Runtime, by its shared library. It needs cgo and is therefore only in
// builds with the tag "ort":
//
//	go build -tags ort ./cmd/synochess
//
// The library is not part of the program: libonnxruntime.so.1 of version 1.24 or newer comes, among
// others, with the npm package onnxruntime-node (docs/onnx.md).
package ort
