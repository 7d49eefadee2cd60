// Package arena plays matches in folders of their own, where they can be interrupted and gone on with, and
// what is made of matches: ladders and books of fair openings.
//
// The files of a match's folder:
//
//	match.json     who played whom and what every pair of games scored (selfplay/matchfile); it is written
//	               before the first game, and a folder goes on only with the match it says
//	games.journal  the games as they ended, the truth that the others are made from
//	games.parquet  the games, as in a run's folder
//	games.txt      the games as readable text
//	lock           held while a process plays
package arena
