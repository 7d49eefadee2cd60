// Package loop turns the wheel: games, window, training, next generation; and at the end the matches that
// prove what was learned.
//
// A run is a folder:
//
//	config.yaml                 the resolved configuration, rule sets included
//	history.yaml                which generations were made with which configuration, program and kernel path
//	run.json                    run id, and the program version and machine that it began with
//	journal/000007.journal      finished games of the generation under way
//	games/gen-000007.parquet    games of a complete generation
//	weights/000007.weights      the network that generation 7's training ended with (000000: untrained)
//	checkpoints/000007.ckpt     the trainer after generation 7; a generation counts when this file is there
//	metrics.jsonl               one JSON object for every training step and every generation
//	log.jsonl                   structured log
//	anchors/                    games and records (match.json) of the anchor matches, named after what they depend on
//	anchors.json                their results so far
//	proof/                      games and records of the closing matches, named after what they depend on
//	proof.json                  their results
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
