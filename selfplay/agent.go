package selfplay

import (
	"math/rand/v2"

	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// Agent is a way of choosing moves. Self-play and matches know nothing more of a player. An Agent is
// fixed after it is made and shared by all workers.
type Agent interface {
	// Info names the agent in game records.
	Info() datasets.AgentInfo
	// Open makes the instance that one worker uses for all its games.
	Open() (Table, error)
}

// Table is an agent at work for one worker, on the worker's goroutine. Its players' questions are
// answered together.
type Table interface {
	// Seat makes a player for one game at a time; it may be used for one game after another.
	Seat() Player
	// Answer evaluates everything the players have asked since the last call and returns how many
	// positions that were.
	Answer() (int, error)
}

// Ask says how a move is to be sought.
type Ask struct {
	Visits    int        // simulations to spend
	Explore   bool       // Gumbel noise at the root: self-play; matches play without
	FreshRoot bool       // root statistics start from nothing: the policy becomes a target
	Rand      *rand.Rand // the game's generator
}

// Player seeks moves in one game. Start, then Step until done; between two Steps that were not done the
// table must have answered. A Step that is not done need not have asked anything, but it must have gone on.
type Player interface {
	// Start begins to seek a move in g's position, which is not over.
	Start(g *env.Game, ask Ask) error
	// Step goes on. When it returns true, Result holds what was found.
	Step() (done bool, err error)
	// Result returns what the last search found, from the mover's view. It is valid until the next Start.
	Result() *mcts.Result
}
