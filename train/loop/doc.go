// Package loop makes a run: generation after generation of games, replay window and training, and at the end the matches
// that prove what was learned.
//
// A run is a folder; datasets.RunFolder names the places in it. A generation counts when its checkpoint is there.
//
// There is one way to stop and one way to go on. However a run ends - finished, interrupted or killed -
// the next call reads the newest checkpoint, keeps the finished games in the journal, plays the missing
// ones again from their seeds, trains again what was trained since, and arrives at the same bytes.
//
// A run may go on with more generations than it began with, and on another kernel path. The learning rate then
// follows the schedule of the new length from the next generation on. Where the games of earlier generations are gone,
// weights and checkpoint are enough: the window opens anew with the games to come, and training takes what there is,
// as in the first generation.
package loop
