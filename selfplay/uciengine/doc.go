// Package uciengine makes an engine that speaks the Universal Chess Interface an agent of matches.
//
//	Config -> Engine (an agent) -> one table a worker -> one player a seat and army -> one process
//
// Every player has a process of its own, which is started when it is first needed and again after it has
// failed. A search runs on a goroutine of its own while the worker serves other games; the worker is woken
// when the search ends. Whatever the process does wrong (it crashes, says nothing, floods its output, plays an
// illegal move), it loses that game and no more. Only an engine that fails many times in a row ends the match.
//
// An engine that knows no variant silently plays chess, so before a match it has to prove that it plays by
// our rules (Engine.Prove).
package uciengine
