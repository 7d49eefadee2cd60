// Package uci speaks the Universal Chess Interface over any reader and writer; docs/uci.md says how it is used.
//
// Three goroutines take part. One reads lines; Run, on the caller's goroutine, owns the position, the
// options and the search tree; a third one runs a search or a perft and lives from `go` to `bestmove`. The
// searching goroutine works on a copy of the game, so nothing is shared but the output, which is written
// line by line under a lock, the context that ends the search, and the channel that says ponderhit.
//
// While a search runs, isready, stop and ponderhit are obeyed at once; other commands wait for its end and keep
// their order, quit among them. After quit and at the end of input nobody says stop any more: a search that only stop would
// end is stopped, after quit one by a game's clock too; others run to their end, so that commands may come from a pipe.
//
// Whatever is said, each go is answered by one bestmove. What is wrong with it is left out, and named in an
// `info string error: ...`; a command that cannot be obeyed is named so and changes nothing, but for a position:
// after one that was refused there is none. Where the weights of the start cannot be opened the engine says so once
// and plays with material values.
package uci
