// Package behaviour reduces what the program does to one number, so that a test tells whether a change that
// was not meant to alter play did so. The number is a hash of fixed searches with fixed weights, from fixed
// positions of two rule sets, on the portable kernels. No clock is involved.
//
// It is the same on every processor and with every compiler setting. A change of the rules, the encoding, the
// arithmetic or the search changes it; Expected is the one of this version.
package behaviour

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/cespare/xxhash/v2"

	"synochess/env"
	"synochess/mcts"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

//go:embed expected.txt
var expected string

// Expected returns the text of the Record that Measure gives in this version of the program.
func Expected() string { return expected }

// Record is what the searches did.
type Record struct {
	Searches []string // a line each: position, mode, move, nodes, depth, a hash of all its numbers
	Nodes    int      // of all trees
	Number   string   // a hash of Searches
}

// String is the whole record, the number last.
func (r *Record) String() string {
	return strings.Join(r.Searches, "\n") + fmt.Sprintf("\nnodes %d, number %s\n", r.Nodes, r.Number)
}

// The searches: in each rule set, after each number of random plies, in each mode. They are few, because the
// test also runs on an emulated processor.
var (
	ruleSets = []string{"moddable", "pychess"}
	plies    = []int{0, 7, 18, 41, 74}
)

var searches = []struct {
	mode   string
	visits int
}{{mcts.ModeGumbel, 32}, {mcts.ModePUCT, 64}}

// Measure runs the searches, which takes less than a second.
func Measure() (*Record, error) {
	ev, err := fast.New(kernels.Portable, weights())
	if err != nil {
		return nil, err
	}
	record := &Record{}
	for _, name := range ruleSets {
		rules, err := env.Builtin(name)
		if err != nil {
			return nil, err
		}
		for _, n := range plies {
			g := game(rules, n)
			for _, c := range searches {
				cfg := mcts.ReferenceConfig()
				cfg.Mode, cfg.MaxNodes = c.mode, 4096
				s := mcts.New(cfg, nil)
				r, err := s.Run(g, mcts.Options{Visits: c.visits, FreshRoot: true}, ev, nil)
				if err != nil {
					return nil, fmt.Errorf("behaviour: %s after %d plies: %w", name, n, err)
				}
				record.Nodes += r.Nodes
				record.Searches = append(record.Searches, fmt.Sprintf("%s ply %d %s: %s, %d nodes, depth %d, %016x",
					name, n, c.mode, rules.MoveString(r.Best), r.Nodes, r.Depth, hash(r)))
			}
		}
	}
	record.Number = fmt.Sprintf("%08x", uint32(xxhash.Sum64String(strings.Join(record.Searches, "\n"))))
	return record, nil
}

// weights returns an untrained network of the quick run's size, with logits large enough to matter.
func weights() *net.Weights {
	arch := net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64, FromTo: 16}
	w := net.New(arch, 7)
	for _, name := range []string{"policy.weight", "value.fc2.weight"} {
		data := w.Tensor(name).Data
		for i := range data {
			data[i] *= 64
		}
	}
	to := w.Tensor("policy.to.weight").Data // zero in an untrained network
	for i, v := range net.New(arch, 8).Tensor("policy.from.weight").Data {
		to[i] = v / 4
	}
	return w
}

// game plays random moves; a game that ends early is begun again with other ones.
func game(rules *env.Rules, plies int) *env.Game {
	for seed := uint64(1); ; seed++ {
		if g := env.RandomGame(rules, plies, rand.New(rand.NewPCG(seed, uint64(plies)))); !g.Outcome().Over() {
			return g
		}
	}
}

// hash covers every number of a result.
func hash(r *mcts.Result) uint64 {
	var b []byte
	float := func(f float32) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f)) }
	for _, m := range r.PV {
		b = binary.LittleEndian.AppendUint16(b, uint16(m))
	}
	for _, a := range r.Actions {
		b = binary.LittleEndian.AppendUint16(b, uint16(a.Move))
		b = binary.LittleEndian.AppendUint32(b, uint32(a.Visits))
		float(a.Logit)
		float(a.Policy)
		float(a.Q)
	}
	for i := range 3 {
		float(r.RootBefore[i])
		float(r.RootAfter[i])
	}
	return xxhash.Sum64(b)
}
