// Package mcts is the tree search used by self-play, matches and play. It knows Evaluator, not
// networks.
//
// # Order of calls
//
// A Search belongs to one game and one goroutine. Many are searched side by side with one batch:
//
//	Start                            once a move
//	Collect, (Evaluate), Absorb      until Collect says done; every Search adds its rows to the batch
//	Result                           valid until the next call
//
// Run does this for a single game. A step is one Collect with its Absorb: at most LeavesPerStep leaves
// wait for the evaluator together, and all of a step are backed up in the order of their selection,
// whether the evaluator or the cache answered. So a search depends on its position, options, config and
// evaluator, and on nothing else: not on other games in the batch, nor on what the cache holds.
//
// Leaves that wait count as visits in both selection formulas, and add nothing to values (Liu et al.,
// "Watch the Unobserved", ICLR 2020). A descent that meets a waiting leaf ends the step.
//
// # The tree
//
// Two flat arrays, nodes and edges, without pointers. Node 0 is the root, children come after their
// parents, and a node's edges lie side by side; every position is reached by one path only, so there are
// no transpositions and a verdict that rests on the path is safe. The visits and values of a move are
// those of the node it leads to. Edges are not sorted: when a node selects a move that it never selected
// before, that move is brought to the front of the untouched ones, and edges [0, reach) are the touched.
// (A Gumbel root touches in its own order, and has reach = count.)
//
// # Whose value
//
// Values of a node are for its mover, those of an edge for who makes the move. A value is a pair of win
// and loss probability; a ply up they swap, and both lose the factor Discount towards a draw. A proven
// result n plies away is worth Discount^n, exactly, so nearer wins and farther losses are preferred.
//
// # What the rules decide
//
// Each legal move of a new node that may end the game or give check (env.Sharp) is looked at once. Faceoff,
// campmate, checkmate, stalemate of an army of few pieces, the end of the ply count and a true third occurrence prove
// the move at once; a move that wins proves the node, which then needs no evaluation. So does a mate by
// checks alone of at most Config.MateMoves moves, if it is found within Config.MateNodes tries
// (matehunt.go). Proven moves are not selected any more. A node's value takes in its drawn moves, whose value
// is known, with the share that they have of the improved policy, as if they were visited that often
// (Search.improved). A position that stood before in the search path, the root included, is scored as its third occurrence
// would be, but proves nothing. History is the game's own, real one, continued along the path.
//
// # Moves of equal prior
//
// Equal priors are told apart by a mix of position and move, so the order of the move generator favours
// nothing. But if the evaluator's prior is uniform and there is no noise, the Candidates that enter the
// race are still an arbitrary choice: set Options.AllCandidates for such an evaluator (HasUniformPrior).
package mcts
