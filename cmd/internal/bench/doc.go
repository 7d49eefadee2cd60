// Package bench measures how fast the program is on a machine, and how fast beside what a user would pick
// instead: ONNX Runtime for the forward pass, PyTorch for that and for training, Fairy-Stockfish for the
// rules and the search without a network.
//
// Contenders for the same work take turns (contest): each does about the same time of it in each round,
// so that whatever else happens on the machine meets all of them. Reported are the medians over the
// rounds, and for ratios the median of each round's ratio. Work on one thread is timed by the
// processor time that the process used, which other processes disturb least; work on several threads
// by the clock on the wall (Clock). All rounds are kept, and can be written for benchstat (Report.Benchmarks).
//
// The networks are untrained ones of fixed sizes: time does not depend on the weights.
package bench
