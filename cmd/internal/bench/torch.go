package bench

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"synochess/env/encode"
	"synochess/net"
)

//go:embed pytorch.py
var torchScript string

// torch is a process that runs networks in PyTorch. It works only while it is asked to, so that contenders
// in this process and it can take turns.
type torch struct {
	version string
	folder  string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errors  bytes.Buffer
}

// request is a line to the process; the fields that a request needs are set.
type request struct {
	Do      string    `json:"do"`
	Net     string    `json:"net,omitempty"`
	Threads int       `json:"threads,omitempty"`
	Path    string    `json:"path,omitempty"`
	Arch    *net.Arch `json:"arch,omitempty"`
	Tensors [][2]any  `json:"tensors,omitempty"` // name and shape
	Pairs   []int     `json:"pairs,omitempty"`   // of each policy index from square * 64 + to square, for a from-to term
	Planes  string    `json:"planes,omitempty"`  // files
	Vector  string    `json:"vector,omitempty"`
	Rows    int       `json:"rows,omitempty"`
	Times   int       `json:"times,omitempty"`
}

// answer is a line from the process.
type answer struct {
	Version string    `json:"version"`
	Policy  []float32 `json:"policy"` // of the first position
	Value   []float32 `json:"value"`
	Seconds float64   `json:"seconds"`
}

// startTorch starts the process. BLAS chooses its kernels by itself there, whatever the environment says.
func startTorch(ctx context.Context, python, folder string) (*torch, error) {
	t := &torch{folder: folder, cmd: exec.CommandContext(ctx, python, "-c", torchScript)}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OPENBLAS_") && !strings.HasPrefix(v, "OMP_NUM_THREADS=") {
			t.cmd.Env = append(t.cmd.Env, v)
		}
	}
	t.cmd.Stderr = &t.errors
	var err error
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewScanner(out)
	t.out.Buffer(nil, 1<<20)
	if err := t.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: --torch: %w", err)
	}
	a, err := t.ask(request{Do: "hello"})
	if err != nil {
		t.close()
		return nil, err
	}
	t.version = "PyTorch " + a.Version
	return t, nil
}

// close ends the process.
func (t *torch) close() {
	t.in.Close()
	t.cmd.Wait() // how it ended does not matter any more
}

// ask sends a request and waits for its answer.
func (t *torch) ask(r request) (answer, error) {
	var a answer
	line, err := json.Marshal(r)
	if err == nil {
		_, err = t.in.Write(append(line, '\n'))
	}
	if err == nil && !t.out.Scan() {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		t.close()
		return a, fmt.Errorf("bench: PyTorch stopped at %q: %w\n%s", r.Do, err, t.errors.String())
	}
	if err := json.Unmarshal(t.out.Bytes(), &a); err != nil {
		return a, fmt.Errorf("bench: PyTorch answers %q: %w", t.out.Text(), err)
	}
	return a, nil
}

// file writes floats for the process and returns the path.
func (t *torch) file(name string, data ...[]float32) (string, error) {
	var raw []byte
	for _, part := range data {
		for _, v := range part {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	path := filepath.Join(t.folder, name)
	return path, os.WriteFile(path, raw, 0o600)
}

// network fills in what a request says of weights.
func (t *torch) network(r request, w *net.Weights) (request, error) {
	var data [][]float32
	for _, tensor := range w.Tensors {
		data = append(data, tensor.Data)
		r.Tensors = append(r.Tensors, [2]any{tensor.Name, tensor.Shape})
	}
	r.Arch = &w.Arch
	if w.Arch.FromTo > 0 {
		for i := range uint16(encode.PolicySize) {
			from, to := encode.IndexSquares(i)
			r.Pairs = append(r.Pairs, int(from)*64+int(to))
		}
	}
	var err error
	r.Path, err = t.file("weights", data...)
	return r, err
}

// load gives the process a network.
func (t *torch) load(name string, w *net.Weights) error {
	r, err := t.network(request{Do: "load", Net: name}, w)
	if err == nil {
		_, err = t.ask(r)
	}
	return err
}

// batch writes inputs and fills in what a request says of them.
func (t *torch) batch(r request, planes, vector []float32, rows int) (request, error) {
	r.Rows = rows
	var err error
	if r.Planes, err = t.file("planes", planes); err != nil {
		return r, err
	}
	r.Vector, err = t.file("vector", vector)
	return r, err
}

// inputs prepares the evaluation of positions with a network and returns the logits of the first one's policy
// indices, and win, draw and loss of all.
func (t *torch) inputs(name string, planes, vector []float32, rows int) (policy, value []float32, err error) {
	r, err := t.batch(request{Do: "inputs", Net: name}, planes, vector, rows)
	if err != nil {
		return nil, nil, err
	}
	a, err := t.ask(r)
	return a.Policy, a.Value, err
}

// training prepares training steps on positions, with legal moves and targets that the process makes up.
func (t *torch) training(w *net.Weights, planes, vector []float32, rows int) error {
	r, err := t.batch(request{Do: "training"}, planes, vector, rows)
	if err == nil {
		r, err = t.network(r, w)
	}
	if err == nil {
		_, err = t.ask(r)
	}
	return err
}

// run does what was prepared last and returns the seconds it took.
func (t *torch) run(threads int) func(times int) (float64, error) {
	return func(times int) (float64, error) {
		a, err := t.ask(request{Do: "run", Threads: threads, Times: times})
		return a.Seconds, err
	}
}
