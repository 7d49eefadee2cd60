package loop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"synochess/datasets"
	"synochess/internal/files"
	"synochess/train"
)

// The kinds of lines of metrics.jsonl.
const (
	ofStep       = "step"
	ofHeldOut    = "held-out"
	ofGeneration = "generation"
)

// StepLine is what a training step measured.
type StepLine struct {
	Kind       string `json:"kind"` // step
	Generation int    `json:"generation"`
	train.Metrics
}

// HeldOutLine is the losses of a generation's averaged weights on games that are never learned from.
type HeldOutLine struct {
	Kind       string `json:"kind"` // held-out
	Generation int    `json:"generation"`
	Step       int    `json:"step"`
	Window     int    `json:"window"` // positions of the training window
	train.Losses
}

// GenerationLine counts a generation. Games without a result count in Cuts and in no score.
type GenerationLine struct {
	Kind         string         `json:"kind"` // generation
	Generation   int            `json:"generation"`
	KernelPath   string         `json:"kernel_path"` // at its end; each game has its own
	Games        int            `json:"games"`
	Plies        int            `json:"plies"`
	Positions    int            `json:"positions"` // plies with a full search: what is learned from
	Visits       int            `json:"visits"`    // simulations
	Evaluations  int            `json:"evaluations"`
	WesternScore float64        `json:"western_score"` // over games with a result
	Draws        int            `json:"draws"`
	Cuts         int            `json:"cuts"`
	Reasons      map[string]int `json:"reasons"`
	Steps        int            `json:"steps"`
	PlaySeconds  float64        `json:"play_seconds"`
	TrainSeconds float64        `json:"train_seconds"`
}

// Metrics is metrics.jsonl: the lines of each kind, in order.
type Metrics struct {
	Steps       []StepLine
	HeldOut     []HeldOutLine
	Generations []GenerationLine
}

// ReadMetrics reads the metrics of a run, which may be going on: a torn last line is left out, as the run would do.
func ReadMetrics(f datasets.RunFolder) (*Metrics, error) {
	text, err := os.ReadFile(f.Metrics())
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	m := &Metrics{}
	for number := 1; ; number++ {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return m, nil
		}
		if err := m.add(line); err != nil {
			return nil, fmt.Errorf("metrics: %s: line %d: %w; take the line out", f.Metrics(), number, err)
		}
		text = rest
	}
}

// add reads a line.
func (m *Metrics) add(line []byte) error {
	var of struct{ Kind string }
	if err := json.Unmarshal(line, &of); err != nil {
		return err
	}
	switch of.Kind {
	case ofStep:
		m.Steps = append(m.Steps, StepLine{})
		return json.Unmarshal(line, &m.Steps[len(m.Steps)-1])
	case ofHeldOut:
		m.HeldOut = append(m.HeldOut, HeldOutLine{})
		return json.Unmarshal(line, &m.HeldOut[len(m.HeldOut)-1])
	case ofGeneration:
		m.Generations = append(m.Generations, GenerationLine{})
		return json.Unmarshal(line, &m.Generations[len(m.Generations)-1])
	}
	return nil // of a later version
}

// metricsFile appends lines to metrics.jsonl.
type metricsFile struct{ f *os.File }

// openMetrics drops the lines of generations that do not count yet, since they will be written again,
// and opens the file for more. It returns the lines of kind "generation" that there are.
func openMetrics(path string, complete int) (m *metricsFile, done []GenerationLine, err error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("metrics: %w", err)
	}
	err = files.WriteAtomic(path, func(w io.Writer) error {
		lines := bufio.NewScanner(bytes.NewReader(old))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line GenerationLine // of the other kinds, what they have in common
			if json.Unmarshal(lines.Bytes(), &line) != nil || line.Generation > complete {
				continue // a torn last line, or a generation to come again
			}
			if line.Kind == ofGeneration {
				done = append(done, line)
			}
			if _, err := fmt.Fprintf(w, "%s\n", lines.Bytes()); err != nil {
				return err
			}
		}
		return lines.Err()
	})
	if err != nil {
		return nil, nil, fmt.Errorf("metrics: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("metrics: %w", err)
	}
	return &metricsFile{f: f}, done, nil
}

// write appends one line.
func (m *metricsFile) write(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = m.f.Write(append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

func (m *metricsFile) close() error { return m.f.Close() }
