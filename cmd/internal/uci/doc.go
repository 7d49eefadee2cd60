// Package uci speaks the Universal Chess Interface over any reader and writer.
//
// Commands: uci, isready, ucinewgame, setoption, position, go, stop, d, quit. Options: UCI_Variant (a
// built-in rule set), RulesFile (a YAML rule set, which becomes the current variant), WeightsFile, Precision
// (what networks run in).
//
// Three goroutines take part. One reads lines; Run, on the caller's goroutine, owns the position, the
// options and the search tree; a third one runs a search or a perft and lives from `go` to `bestmove`. The
// searching goroutine works on a copy of the game, so nothing is shared but the output, which is written
// line by line under a lock, and the context that ends the search.
//
// While a search runs, isready, stop and quit are obeyed at once; other commands wait for its end and keep
// their order. At the end of input a search without a limit is stopped, others run to their end, so that
// commands may come from a pipe.
//
// A command that cannot be obeyed prints `info string error: ...` and changes nothing. Where the weights of the
// start cannot be opened the engine says so once and plays with material values.
package uci
