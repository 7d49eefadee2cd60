// Package onnx writes a network as an ONNX file that any runtime can run, and proves that the file is
// the network.
//
// The model is plain: operator set 13, float32, the operators Conv, Gemm, Reshape, Add, Relu, Flatten
// and Softmax, and for a from-to term Transpose, MatMul and Gather. Batch norms are folded into the weights before
// them, as in package fast, because every runtime is fast then, however little it optimises. The batch size N is
// free.
//
//	input   planes [N, P, 8, 8]   vector [N, V]
//	output  policy [N, 5184]      value [N, 3]
//
// where P and V belong to the encoding version (docs/onnx.md); of version 2 they are 26 and 38.
//
// Boards lie as [plane][rank][file], a1 first. docs/onnx.md and the model's metadata say what each input
// and output means.
//
// Nothing leaves this package unchecked: Export runs the bytes it is about to write on positions of
// random games, by an interpreter of its own (Interpreter) and by whatever other Runner it is given, and
// compares every logit with package fast. The interpreter shares no arithmetic with fast; it sums in
// float64.
//
// Invariants: the same weights and program version give the same bytes. Malformed models are errors,
// never panics.
package onnx
