// Package selfplay plays games: the generations a network learns from, and the matches that show what it
// has learned. Both go the same way:
//
//	Task -> seat -> Player (asks its Table for evaluations) -> move -> datasets.Game
//
// A worker is one goroutine with an open Table for every agent that takes part and a fixed number of
// seats, each holding one game. In a round each seat goes on until it needs an evaluation; then each
// table answers all its seats in one batch. Nothing is shared between workers but the list of tasks and
// the function that records a finished game.
//
// A game draws all its randomness from a generator seeded by (run seed, purpose, generation, number), and
// an evaluation does not depend on its batch; so the games depend on seed, weights, configuration and
// kernel path, and neither on the number of workers nor on which of them played a game.
package selfplay
