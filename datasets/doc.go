// Package datasets keeps games: the record of a finished game, the journal it goes to at once, the
// Parquet files that generations are compacted to, the replay window that training draws from, and
// inspection; and where in a run's folder all things are (RunFolder). docs/formats.md describes the bytes.
//
// # The way of a game
//
//	Game, Ply.Quantise --Journal.Append--> journal --Compact--> gen-NNNNNN.parquet
//	  --Catalogue.AddDir--> Catalogue --Window--> Window --Sampler--> Chunk (games and positions)
//
// # Invariants
//
// A stored game is valid (Game.Validate). In particular a game that was cut or is void has no result, so
// nothing can take it for a draw; all floats have their fixed-point values, so that a Game is equal
// (reflect.DeepEqual, nil and empty lists apart) in memory, in the journal and in Parquet; a full search
// lists every legal move and its policy sums to one exactly.
//
// All values of a ply and its actions are the mover's. Results name armies. Game.WDLFor,
// Game.ScoreFor and Game.Mover are the only bridge between the two.
//
// Files appear whole or not at all. The same games give the same bytes, in the journal in the order they
// were appended, in Parquet in the order of their numbers. A Parquet file holds one run and one purpose,
// sorted by (game, ply); a row group holds whole games.
//
// Whoever reads holds a row group or a chunk of groups, never a file. Bad bytes give errors that name
// the file (FileError), never a panic, and never wrong games without an error: every page and every
// journal record has a checksum.
package datasets
