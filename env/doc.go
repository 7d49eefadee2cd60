// Package env is the game: rule sets, positions, moves, games, and their notation. It knows nothing of
// searches and networks and imports nothing of this module.
//
// # Rule sets
//
// A Rules value holds every rule that can vary (docs/rules.md lists them) and tables derived from it. It
// is made by Builtin, ParseRules, LoadRules or With, never changes afterwards and may be shared by
// goroutines. Everything that depends on the rules is a method of Rules. The move generator asks the
// fields about nothing but the Cannon and the faceoff; all else is in the tables.
//
// A rule set is identified by its Canonical text; Hash and GroupHash are hashes of parts of that text.
//
// # Positions
//
// Squares are numbered file + 8*rank from a1 = 0; bit s of a bitboard is square s. The board is never
// turned round: the West is at the bottom whoever is to move. A Position is a value of 120 bytes without
// pointers, made to be copied. Its invariants:
//
//   - western and eastern are disjoint, and each is the union of its pieces' boards and its royal;
//   - a Queen stands in both diagonal and orthogonal, every other piece in one board;
//   - there is exactly one King and one Chancellor, as squares, not boards;
//   - a castling right implies the King on e1 and the Rook in its corner;
//   - hash is a function of board, hand, side to move and castling rights: what makes two positions the
//     same for repetition. The counters have no part in it.
//
// Apply writes the position after a legal move to another variable and keeps all of this incrementally.
// Generating, applying, counting and judging allocate nothing. Built with the tag slowcheck, Apply
// recomputes everything after every move and compares the legal moves with those of a slow and simple
// generator; it panics at the first difference.
//
// # Legality
//
// Moves are never made to be tested. For each enemy piece that could attack the royal, type danger
// works out where the mover's pieces must land to leave the royal safe (danger.go, danger_western.go);
// generate.go lists moves with it and perft.go counts them without listing them.
//
// # Games and endings
//
// Outcome judges a position by itself: faceoff, campmate, checkmate or stalemate, plies without
// progress, the first that applies. Repetition and perpetual check need the past; History holds it, for
// Game (a game being played) and for searches alike.
//
// Moves are 16 bits (type Move) and, unlike generator order, part of the file formats.
package env
