package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// RunFolder is the path of a run's folder, with a method for each place in it. docs/runs.md describes them for those
// who look into one.
type RunFolder string

func (f RunFolder) at(elem ...string) string {
	return filepath.Join(append([]string{string(f)}, elem...)...)
}

// Config is the resolved configuration, rule sets included.
func (f RunFolder) Config() string { return f.at("config.yaml") }

// History tells which generations were made with which configuration, program and kernel path.
func (f RunFolder) History() string { return f.at("history.yaml") }

// Identity is the run's id, and the program version and machine that it began with.
func (f RunFolder) Identity() string { return f.at("run.json") }

// Lock is held by the process that works on the run.
func (f RunFolder) Lock() string { return f.at("lock") }

// Log is the structured log.
func (f RunFolder) Log() string { return f.at("log.jsonl") }

// Metrics holds one JSON object for every training step and every generation.
func (f RunFolder) Metrics() string { return f.at("metrics.jsonl") }

// Report is the page of curves.
func (f RunFolder) Report() string { return f.at("report.html") }

// Journals is the folder of Journal.
func (f RunFolder) Journals() string { return f.at("journal") }

// Journal holds the finished games of a generation under way.
func (f RunFolder) Journal(generation int) string {
	return filepath.Join(f.Journals(), fmt.Sprintf("%06d.journal", generation))
}

// Games is the folder with the games of complete generations.
func (f RunFolder) Games() string { return f.at("games") }

// GamesOf holds the games of a complete generation.
func (f RunFolder) GamesOf(generation int) string {
	return GenerationFile(f.Games(), uint32(generation))
}

// Inherited is the folder with games that were taken over from another run; most have none.
func (f RunFolder) Inherited() string { return f.at("inherited") }

// Weights is the folder of the networks.
func (f RunFolder) Weights() string { return f.at("weights") }

// WeightsOf is the network that a generation's training ended with; of generation 0, the one that the run began with.
func (f RunFolder) WeightsOf(generation int) string {
	return filepath.Join(f.Weights(), fmt.Sprintf("%06d.weights", generation))
}

// NewestWeights returns the file of the newest network that is there. A folder without any is an error.
func (f RunFolder) NewestWeights() (string, error) {
	all, err := filepath.Glob(filepath.Join(f.Weights(), "*.weights"))
	if err != nil || len(all) == 0 {
		return "", fmt.Errorf("%s is a folder, but not a run's: it has no weights/*.weights", f)
	}
	return slices.Max(all), nil
}

// Checkpoints is the folder of the trainer's states.
func (f RunFolder) Checkpoints() string { return f.at("checkpoints") }

// CheckpointOf is the trainer after a generation; a generation counts when this file is there.
func (f RunFolder) CheckpointOf(generation int) string {
	return filepath.Join(f.Checkpoints(), fmt.Sprintf("%06d.ckpt", generation))
}

// checkpoint matches the names of checkpoints.
var checkpoint = regexp.MustCompile(`^(\d{6})\.ckpt$`)

// Complete returns the newest generation that counts, 0 if none does.
func (f RunFolder) Complete() (int, error) {
	entries, err := os.ReadDir(f.Checkpoints())
	if err != nil {
		return 0, fmt.Errorf("run folder: %w", err)
	}
	newest := 0
	for _, e := range entries {
		if m := checkpoint.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1])
			newest = max(newest, n)
		}
	}
	return newest, nil
}

// Anchors is the folder with games and records of the anchor matches, named after what they depend on.
func (f RunFolder) Anchors() string { return f.at("anchors") }

// AnchorResults are the results of the anchor matches so far.
func (f RunFolder) AnchorResults() string { return f.at("anchors.json") }

// Proof is the folder with games and records of the closing matches, named after what they depend on.
func (f RunFolder) Proof() string { return f.at("proof") }

// EarlierProof is the folder for closing matches of other networks or settings.
func (f RunFolder) EarlierProof() string { return filepath.Join(f.Proof(), "earlier") }

// ProofResults are the results of the closing matches.
func (f RunFolder) ProofResults() string { return f.at("proof.json") }
