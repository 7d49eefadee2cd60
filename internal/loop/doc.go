// Package loop turns the wheel: games, window, training, next generation; and at the end the matches that
// prove what was learned.
//
// A run is a folder:
//
//	config.yaml                 the resolved configuration
//	run.json                    run id, program version and machine
//	journal/000007.journal      finished games of the generation under way
//	games/gen-000007.parquet    games of a complete generation
//	weights/000007.weights      the network that generation 7's training ended with (000000: untrained)
//	checkpoints/000007.ckpt     the trainer after generation 7; a generation counts when this file is there
//	metrics.jsonl               one JSON object for every training step and every generation
//	log.jsonl                   structured log
//	proof/                      journals of the closing matches
//	proof.json                  their results
//
// There is one way to stop and one way to go on. However a run ends - finished, interrupted or killed -
// the next call reads the newest checkpoint, keeps the finished games in the journal, plays the missing
// ones again from their seeds, trains again what was trained since, and arrives at the same bytes.
package loop
