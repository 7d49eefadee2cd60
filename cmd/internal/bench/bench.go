package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"synochess/cmd/internal/behaviour"
	"synochess/datasets"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
	"synochess/train/loop"
)

// Options say what is measured.
type Options struct {
	Config  *loop.Config  // of the quick run: its network, self-play and training are measured
	Kernels *kernels.Path // that networks play and learn on
	Program string        // version
	ORT     string        // ONNX Runtime's library, "" for none
	Torch   string        // a Python with PyTorch, "" for none
	Fairy   string        // a folder into which npm installed Fairy-Stockfish, "" for none
	Only    []string      // groups to measure; none: all
	Say     func(format string, args ...any)
}

// Groups are what Options.Only may name, in the order in which they are measured.
var Groups = []string{"rules", "search", "forward", "training", "data", "self-play"}

// session is a run of the benchmark.
type session struct {
	Options
	ctx    context.Context
	folder string        // temporary
	torch  *torch        // nil for none
	fairy  *fairyProcess // nil for none
	report Report

	games   []*datasets.Game // see sample
	perGame float64          // evaluations of one of them
}

// network is a size that is measured.
type network struct {
	name string
	arch net.Arch
}

// networks returns the sizes: the quick run's, and two larger ones, which docs/performance.md calls S and M.
func (s *session) networks() []network {
	return []network{
		{"quick", s.Config.Net},
		{"S 4x48", net.Arch{Blocks: 4, Width: 48, ValueChannels: 8, ValueHidden: 64}},
		{"M 6x64", net.Arch{Blocks: 6, Width: 64, ValueChannels: 8, ValueHidden: 64}},
	}
}

// weights returns an untrained network whose outputs are large enough to be compared.
func (n network) weights() *net.Weights {
	w := net.New(n.arch, 1)
	for _, name := range []string{"policy.weight", "value.fc2.weight"} {
		data := w.Tensor(name).Data
		for i := range data {
			data[i] *= 50
		}
	}
	if to := w.Tensor("policy.to.weight"); to != nil { // zero in an untrained network
		for i, v := range net.New(n.arch, 2).Tensor("policy.from.weight").Data {
			to.Data[i] = v / 4
		}
	}
	return w
}

// calibrated returns weights that are calibrated for int16 if their width allows it.
func (n network) calibrated(path *kernels.Path) (*net.Weights, error) {
	w := n.weights()
	if fast.Int16.Check(n.arch) != nil {
		return w, nil
	}
	b, err := positions(256)
	if err != nil {
		return nil, err
	}
	return w, fast.Calibrate(path, w, b)
}

// precisions lists those that networks of an architecture can play in here, the exact one first. One that the
// kernel path which the user named has no kernels for is left out and named.
func (s *session) precisions(a net.Arch) []fast.Precision {
	return slices.DeleteFunc(slices.Clone(fast.Precisions), func(p fast.Precision) bool {
		if p.Check(a) != nil {
			return true
		}
		_, err := p.KernelPath(s.Kernels)
		if err != nil {
			s.Say("left out: %v", err)
		}
		return err != nil
	})
}

// Run measures everything and returns the report. It takes one to two minutes.
func Run(ctx context.Context, o Options) (report *Report, err error) {
	for _, group := range o.Only {
		if !slices.Contains(Groups, group) {
			return nil, fmt.Errorf("bench: no group is called %q; the groups are %s", group, strings.Join(Groups, ", "))
		}
	}
	began := time.Now()
	s := &session{Options: o, ctx: ctx, report: Report{Program: o.Program, Machine: thisMachine()}}
	if s.folder, err = os.MkdirTemp("", "synochess-bench-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.folder)) }()
	if o.Torch != "" {
		if s.torch, err = startTorch(ctx, o.Torch, s.folder); err != nil {
			return nil, err
		}
		defer s.torch.close()
		s.report.Rivals = append(s.report.Rivals, s.torch.version)
	}
	if o.Fairy != "" {
		if s.fairy, err = startFairy(ctx, o.Fairy, s.folder); err != nil {
			return nil, err
		}
		defer s.fairy.close()
		s.report.Rivals = append(s.report.Rivals, s.fairy.version)
	}
	record, err := behaviour.Measure()
	if err != nil {
		return nil, err
	}
	s.report.Behaviour = Behaviour{record.Nodes, record.Number, record.String() == behaviour.Expected()}
	for i, measure := range []func() error{s.rules, s.search, s.forward, s.training, s.data, s.selfPlay} {
		if len(o.Only) > 0 && !slices.Contains(o.Only, Groups[i]) {
			continue
		}
		o.Say("measuring: %s", Groups[i])
		if err := measure(); err != nil {
			return nil, err
		}
	}
	s.report.Seconds = time.Since(began).Seconds()
	return &s.report, nil
}

// hold runs a contest and keeps its results.
func (s *session) hold(c contest) error {
	results, err := c.run(s.ctx)
	s.report.Results = append(s.report.Results, results...)
	return err
}
