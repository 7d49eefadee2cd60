package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/onnx"
	"synochess/net/onnx/ort"
)

// batches are the numbers of positions evaluated at a time.
var batches = []int{1, 8, 64}

// rival is a model in ONNX Runtime.
type rival struct {
	onnx.Runner
	name  string
	exact bool // float32
}

// rivals opens a network in ONNX Runtime, exact and quantised to 8 bits; none if there is no library.
func (s *session) rivals(w *net.Weights) (list []rival, err error) {
	if s.ORT == "" {
		return nil, nil
	}
	b, err := positions(16)
	if err != nil {
		return nil, err
	}
	for _, exact := range []bool{true, false} {
		var model []byte
		if exact {
			model, err = onnx.Marshal(w, s.Program)
		} else {
			model, err = onnx.MarshalInt8(w, s.Program, b)
		}
		var r onnx.Runner
		if err == nil {
			r, err = ort.Open(s.ORT, model)
		}
		if err != nil {
			return list, err
		}
		name := r.Name()
		if exact && !slices.Contains(s.report.Rivals, name) {
			s.report.Rivals = append(s.report.Rivals, name)
		}
		if !exact {
			name += " int8"
		}
		list = append(list, rival{r, name, exact})
	}
	return list, nil
}

// forward measures the network alone, on positions of real games. The rivals get their inputs unpacked.
func (s *session) forward() error {
	for _, n := range s.networks() {
		w, err := n.calibrated(s.Kernels)
		if err != nil {
			return err
		}
		if s.torch != nil {
			if err := s.torch.load(n.name, w); err != nil {
				return err
			}
		}
		rivals, err := s.rivals(w)
		precisions := s.precisions(n.arch)
		for _, size := range batches {
			if err == nil {
				err = s.forwardBatch(n, w, precisions, rivals, size)
			}
		}
		for _, r := range rivals {
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forwardBatch holds the contest of a network's precisions and its rivals at one batch size.
func (s *session) forwardBatch(n network, w *net.Weights, precisions []fast.Precision, rivals []rival, size int) error {
	b, err := positions(size)
	if err != nil {
		return err
	}
	c := contest{
		group: "forward", name: fmt.Sprintf("%s, batch %d", n.name, size), unit: "evaluations/s", units: float64(size), budget: 4 * time.Second,
	}
	planes, vector := onnx.Inputs(w.Arch, b, 0, size)
	var want, logits []float32
	for _, p := range precisions {
		ev, err := p.Open(s.Kernels, w)
		if err != nil {
			return err
		}
		c.contenders = append(c.contenders, contender{
			name: ours + " " + ev.KernelPath(), clock: CPU, run: local(CPU, func() error { return ev.Evaluate(b) }),
		})
		if want == nil {
			if err := ev.Evaluate(b); err != nil {
				return err
			}
			want, logits = slices.Clone(b.WDL), slices.Clone(b.RowLogits(0))
		}
	}
	for _, r := range rivals {
		_, value, err := r.Run(size, planes, vector)
		if err == nil && r.exact {
			err = agree(r.name, value, want)
		}
		if err != nil {
			return err
		}
		c.contenders = append(c.contenders, contender{name: r.name, rival: true, clock: CPU, run: local(CPU, func() error {
			_, _, err := r.Run(size, planes, vector)
			return err
		})})
	}
	if s.torch != nil {
		policy, value, err := s.torch.inputs(n.name, planes, vector, size)
		if err == nil {
			err = agree(s.torch.version, value, want)
		}
		if err == nil {
			err = agree(s.torch.version, legal(policy, b), logits)
		}
		if err != nil {
			return err
		}
		c.contenders = append(c.contenders, contender{name: s.torch.version, rival: true, clock: CPU, run: s.torch.run(1)})
	}
	return s.hold(c)
}

// legal picks the logits of the first position's legal moves from those of all policy indices.
func legal(policy []float32, b *encode.Batch) []float32 {
	var list []float32
	for _, index := range b.Moves(0) {
		if int(index) < len(policy) {
			list = append(list, policy[index])
		}
	}
	return list
}

// agree makes sure that a rival runs the same network.
func agree(name string, value, want []float32) error {
	if len(value) != len(want) {
		return fmt.Errorf("bench: %s gives %d values, not %d", name, len(value), len(want))
	}
	for i, v := range want {
		if d := math.Abs(float64(value[i] - v)); !(d <= 1e-3) {
			return fmt.Errorf("bench: %s gives %v where this program gives %v: it does not run the same network", name, value[i], v)
		}
	}
	return nil
}
