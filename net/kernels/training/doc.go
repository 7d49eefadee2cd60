// Package training does what learning needs of a network, forward and backward over a whole batch, on any kernel path.
//
// Boards are padded: [position][10][10][channel] with a border of zeros. Tower (stem and blocks, made of ConvBN), Lin,
// FromTo and MaskedCE each do their layers on the threads of a Pool; AdamW changes the weights. They own their outputs and gradients, all
// allocated once.
//
// Whatever is summed over a batch is summed per block of BlockPositions positions and then over the blocks in order,
// so that the bits do not depend on the number of threads. Between paths results differ by rounding.
package training
