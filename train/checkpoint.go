package train

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/cespare/xxhash/v2"

	"synochess/internal/files"
	"synochess/net"
	"synochess/net/kernels"
)

// The frame of a checkpoint, see docs/checkpoint.md.
const (
	checkpointMagic   = "SYNOCKPT"
	checkpointVersion = 1
	frameBytes        = len(checkpointMagic) + 4 + 4 // magic, version, length of the header
	sumBytes          = 8                            // xxhash of all before it, at the end
)

// checkpointHeader is the JSON part.
type checkpointHeader struct {
	Arch      net.Arch           `json:"arch"`
	Encoding  int                `json:"encoding"` // Arch.EncodingVersion, which Arch's own JSON leaves out
	Optimizer string             `json:"optimizer"`
	Steps     int                `json:"steps"`
	Record    net.Record         `json:"record"`
	Tensors   []checkpointTensor `json:"tensors"`
}

// checkpointTensor names one array of the payload.
type checkpointTensor struct {
	Name   string `json:"name"`
	Values int    `json:"values"`
}

// stateTensor is an array of the trainer's state under its name in a checkpoint.
type stateTensor struct {
	name string
	data []float32
}

// state lists all arrays that a trainer goes on from: "weights/NAME" for every tensor of net, and for
// the trained ones "average/NAME", "m/NAME" and, for AdamW, "v/NAME". t.weights must be up to date.
func (t *Trainer) state() []stateTensor {
	var all []stateTensor
	for _, w := range t.weights.Tensors {
		all = append(all, stateTensor{"weights/" + w.Name, w.Data})
	}
	for i, p := range t.graph.Params() {
		name := paramName(p)
		all = append(all, stateTensor{"average/" + name, t.average[i]}, stateTensor{"m/" + name, t.solver.m[i]})
		if t.solver.kind == AdamW {
			all = append(all, stateTensor{"v/" + name, t.solver.v[i]})
		}
	}
	return all
}

// Save writes all that Load needs to go on with the same bits. The file appears whole or not at all.
func (t *Trainer) Save(path string) error {
	if t.broken != nil {
		return t.broken
	}
	if err := t.graph.Store(t.weights); err != nil {
		return err
	}
	h := checkpointHeader{Arch: t.weights.Arch, Encoding: t.weights.Arch.EncodingVersion, Optimizer: t.solver.kind, Steps: t.steps, Record: t.weights.Record}
	size := 0
	for _, s := range t.state() {
		h.Tensors = append(h.Tensors, checkpointTensor{s.name, len(s.data)})
		size += 4 * len(s.data)
	}
	header, err := json.Marshal(h)
	if err != nil {
		return err
	}
	buf := make([]byte, 0, frameBytes+len(header)+size+sumBytes)
	buf = append(buf, checkpointMagic...)
	buf = binary.LittleEndian.AppendUint32(buf, checkpointVersion)
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(header)))
	buf = append(buf, header...)
	for _, s := range t.state() {
		for _, v := range s.data {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
	}
	buf = binary.LittleEndian.AppendUint64(buf, xxhash.Sum64(buf))
	return files.WriteAtomic(path, func(w io.Writer) error {
		_, err := w.Write(buf)
		return err
	})
}

// Load returns a trainer that goes on from a checkpoint. The configuration's optimiser and the
// architecture must be those of the file.
func Load(path string, c Config, arch net.Arch, on *kernels.Path, threads int) (*Trainer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	t, err := decode(data, c, arch, on, threads)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return t, nil
}

func decode(data []byte, c Config, arch net.Arch, on *kernels.Path, threads int) (*Trainer, error) {
	h, payload, err := openFrame(data)
	if err != nil {
		return nil, err
	}
	if h.Arch != arch {
		return nil, fmt.Errorf("it is of architecture %+v, the configuration asks for %+v; go on with the configuration it was made with, or start a new run", h.Arch, arch)
	}
	if h.Optimizer != c.Optimizer {
		return nil, fmt.Errorf("it holds the state of optimizer %q, the configuration asks for %q; set train.optimizer back, or start a new run", h.Optimizer, c.Optimizer)
	}
	w := net.New(arch, 0)
	w.Record = h.Record
	t, err := New(c, w, on, threads)
	if err != nil {
		return nil, err
	}
	if err := t.restore(h, payload); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// openFrame checks magic, version and checksum, and returns the header and the payload's bytes.
func openFrame(data []byte) (*checkpointHeader, []byte, error) {
	if len(data) < frameBytes+sumBytes || !bytes.HasPrefix(data, []byte(checkpointMagic)) {
		return nil, nil, fmt.Errorf("this is not a checkpoint, or only its beginning; use an earlier one")
	}
	if v := binary.LittleEndian.Uint32(data[len(checkpointMagic):]); v != checkpointVersion {
		return nil, nil, fmt.Errorf("it has version %d, this program reads version %d; use the synochess it was made with", v, checkpointVersion)
	}
	body := data[:len(data)-sumBytes]
	if xxhash.Sum64(body) != binary.LittleEndian.Uint64(data[len(body):]) {
		return nil, nil, fmt.Errorf("its checksum is wrong: it is damaged or cut off; use an earlier one")
	}
	n := int(binary.LittleEndian.Uint32(data[len(checkpointMagic)+4:]))
	if n > len(body)-frameBytes {
		return nil, nil, fmt.Errorf("its header is longer than the file; use an earlier one")
	}
	h := new(checkpointHeader)
	if err := json.Unmarshal(body[frameBytes:frameBytes+n], h); err != nil {
		return nil, nil, fmt.Errorf("its header: %w", err)
	}
	h.Arch.EncodingVersion = h.Encoding
	return h, body[frameBytes+n:], nil
}

// restore fills the trainer's state from the payload.
func (t *Trainer) restore(h *checkpointHeader, payload []byte) error {
	state := t.state()
	if len(state) != len(h.Tensors) {
		return fmt.Errorf("it holds %d tensors, %d are needed", len(h.Tensors), len(state))
	}
	for i, s := range state {
		if f := h.Tensors[i]; f.Name != s.name || f.Values != len(s.data) {
			return fmt.Errorf("tensor %d is %q with %d values, want %q with %d", i, f.Name, f.Values, s.name, len(s.data))
		}
		if len(payload) < 4*len(s.data) {
			return fmt.Errorf("its payload ends within tensor %q", s.name)
		}
		for j := range s.data {
			v := math.Float32frombits(binary.LittleEndian.Uint32(payload[4*j:]))
			if v-v != 0 { // infinite, or not a number
				return fmt.Errorf("tensor %q holds %v; use an earlier checkpoint", s.name, v)
			}
			s.data[j] = v
		}
		payload = payload[4*len(s.data):]
	}
	if len(payload) != 0 {
		return fmt.Errorf("its payload is %d bytes too long", len(payload))
	}
	t.steps, t.solver.steps = h.Steps, h.Steps
	return t.graph.Load(t.weights)
}
