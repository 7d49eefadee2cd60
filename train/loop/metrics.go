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

	"synochess/internal/files"
)

// metricsFile appends JSON lines to metrics.jsonl. Every line has "kind" and "generation".
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
			if line.Kind == "generation" {
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
