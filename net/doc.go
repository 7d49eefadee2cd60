// Package net defines the network once: its architecture, the names and shapes of its tensors, how
// they are initialised, and the weights file. net/graph trains it, net/fast runs it and net/onnx exports it; all follow
// the list of layers here (Arch.Layers).
//
// # Inputs
//
// A row of encode.Batch holds Planes binary planes and Scalars scalar inputs in [0,1]. The first
// ScalarPlanes scalars (ply counter, repetitions) enter as constant planes after the binary ones; the
// others, the vector v (hand, rule fields, material, check), are projected into the stem. The board is never
// turned.
//
// A row is of the newest encoding version (package encode); Planes and Scalars are how many of its inputs, from
// the first on, the network's own version has, and the network sees no others.
//
// # Architecture
//
//	stem     x = relu(bn(conv3x3(planes) + v*stem.vector))
//	block i  x = relu(bn(conv3x3(relu(bn(conv3x3(x))))) + x), Blocks times
//	policy   1x1 conv Width -> PolicyPlanes with bias; the logit of policy index
//	         plane*64 + square is the output at that plane and square. With a from-to term (FromTo > 0)
//	         q[from] . k[to] / sqrt(FromTo) is added, where q and k are 1x1 convs Width -> FromTo without
//	         bias, and from and to are the squares of the index's move (encode.IndexSquares)
//	value    1x1 conv Width -> ValueChannels with bias, relu; flattened as square*ValueChannels +
//	         channel; linear to ValueHidden, relu; linear to 3: win, draw, loss of the mover; softmax
//
// Convolutions pad with zeros and, before a batch norm, have no bias. bn(y) = scale * (y - mean) /
// sqrt(var + Epsilon) + bias, with the running mean and variance here, and those of the batch in
// training.
//
// # Tensors
//
// Row-major float32, in this order (CI = Planes + ScalarPlanes, V = Scalars - ScalarPlanes, W = Width):
//
//	stem.conv.weight         [9*CI][W]   row (ky*3+kx)*CI + plane; the tap reads rank+ky-1, file+kx-1
//	stem.vector.weight       [V][W]
//	stem.bn.scale .bias .mean .var            [W] each
//	block<i>.conv<1|2>.weight                 [9*W][W], rows as above; i from 0
//	block<i>.conv<1|2>.bn.scale .bias .mean .var [W] each
//	policy.weight [W][PolicyPlanes]      policy.bias [PolicyPlanes]
//	policy.from.weight [W][FromTo]       policy.to.weight [W][FromTo], if FromTo > 0: q and k
//	value.conv.weight [W][ValueChannels] value.conv.bias [ValueChannels]
//	value.fc1.weight [64*ValueChannels][ValueHidden]   value.fc1.bias [ValueHidden]
//	value.fc2.weight [ValueHidden][3]    value.fc2.bias [3]
//
// # Quantisation
//
// Beside its float32 tensors a network may carry a Quantisation, which lets the blocks run in integers. It
// belongs to the tensors it was measured with and is dropped when they change.
//
// A Weights value is not to be changed once an evaluator was made from it; several goroutines may read
// it.
package net
