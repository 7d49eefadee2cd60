package selfplay

import (
	"math/rand/v2"
	"time"

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

// Table is an agent at work for one worker, on the worker's goroutine. It answers the questions of all its
// players together.
type Table interface {
	// Seat makes a player for one game at a time; it may be used for one game after another.
	Seat() Player
	// Answer evaluates everything the players have asked since the last call and returns how many
	// positions that were.
	Answer() (int, error)
}

// RemoteTable is a Table whose players think in processes of their own, while the worker serves other
// games.
type RemoteTable interface {
	Table
	// Notify is called once, before the first Seat. The players call wake, from any goroutine, when one
	// that was Waiting has something new for its Step.
	Notify(wake func())
	// Close ends the players' processes. It is called once, when no game is under way any more.
	Close()
}

// Ask says how a player is to look for a move. Of several bounds the first that is reached ends the search.
type Ask struct {
	Visits    int           // simulations to spend, or nodes of an engine's tree; 0: as many as the other bounds allow
	Depth     int           // plies an engine may look ahead; 0: no bound
	Time      time.Duration // for this move; 0: no bound
	Clock     *Clock        // of a game by the clock, both armies; nil: none
	Explore   bool          // Gumbel noise at the root: self-play; matches play without
	FreshRoot bool          // root statistics start from nothing, because the policy becomes a target
	Rand      *rand.Rand    // the game's generator
}

// Player seeks moves in one game. Start, then Step until done; between two Steps that were not done the
// table must have answered. A Step that is not done need not have asked anything, but it must have gone on.
type Player interface {
	// Start begins to seek a move in g's position, which is not over. A game of which the player has not
	// yet seen a position is a new *env.Game.
	Start(g *env.Game, ask Ask) error
	// Step goes on. When it returns true, Result holds what was found. A *Forfeit as error loses the game
	// for the player's army; any other error ends the match.
	Step() (done bool, err error)
	// Result returns what the last search found, from the mover's view. It is valid until the next Start.
	Result() *mcts.Result
}

// RemotePlayer is a Player of a RemoteTable.
type RemotePlayer interface {
	Player
	// Waiting reports whether a Step now would find nothing new.
	Waiting() bool
	// Used returns how long the last search took, without what it took to start the process.
	Used() time.Duration
}

// Forfeit is the error of a player that cannot or must not go on: its army loses the game, and the match
// goes on.
type Forfeit struct {
	Class  string // crash, no answer, illegal move, flood or lost on time
	Detail string
}

// Error returns class and detail.
func (f *Forfeit) Error() string { return f.Class + ": " + f.Detail }

// LostOnTime is the class of a forfeit by the clock.
const LostOnTime = "lost on time"
