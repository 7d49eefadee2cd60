// Package arena plays matches that are kept in folders, so that an interrupted one can go on. It also holds
// what is made of matches: ladders, and books of fair openings.
//
// The files of a match's folder:
//
//	match.json     who played whom and what every pair of games scored (selfplay/matchfile); it is written
//	               before the first game, and no other match can go on in the folder
//	games.journal  the games in the order in which they ended; the other files are made from it
//	games.parquet  the games, as in a run's folder
//	games.txt      the games as readable text
//	lock           held while a process plays
package arena
