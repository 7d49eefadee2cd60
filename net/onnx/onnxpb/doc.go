// Package onnxpb holds the messages of the ONNX file format, generated from onnx-ml.proto.
//
// The .proto file is the one of ONNX 1.12, unchanged, as Debian's package python3-onnx ships it. It is
// Copyright (c) ONNX Project Contributors and licensed under the Apache License 2.0, a copy of which
// is in the file LICENSE beside it; so are the parts of onnx-ml.pb.go that come from it. ONNX ships no
// NOTICE file.
//
// To generate again (needs Debian's protobuf-compiler; the Go plugin is the one of go.mod):
//
//	go generate ./net/onnx/onnxpb
package onnxpb

//go:generate ./generate
