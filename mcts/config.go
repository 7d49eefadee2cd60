package mcts

import (
	"errors"
	"fmt"
)

// The values of Config.Mode.
const (
	ModeAuto   = "auto"   // gumbel for searches of at most GumbelUpTo visits, puct beyond
	ModeGumbel = "gumbel" // Gumbel root with sequential halving, deterministic inner nodes
	ModePUCT   = "puct"   // PUCT everywhere
)

// Config holds every constant of the search. The paper that a constant comes from stands beside it, and
// the range that Validate accepts.
type Config struct {
	Mode       string `yaml:"mode"`         // auto, gumbel or puct
	GumbelUpTo int    `yaml:"gumbel_up_to"` // most visits for which auto means gumbel; 0 to 1,000,000

	// Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022).
	Candidates int     `yaml:"candidates"` // most root moves that enter sequential halving (m), half the visits at most; 1 to 1000
	CVisit     float64 `yaml:"c_visit"`    // sigma(q) = (c_visit + max N) * c_scale * q; 0 to 10,000
	CScale     float64 `yaml:"c_scale"`    // with q in [0,1], as in mctx after its rescaling; 0 to 100

	// Silver et al. (AlphaZero, 2018), with Leela Chess Zero's names and values.
	CPuct             float64 `yaml:"cpuct"`              // exploration; 0 to 100
	CPuctBase         float64 `yaml:"cpuct_base"`         // visits over which exploration grows; 1 to 10,000,000
	CPuctFactor       float64 `yaml:"cpuct_factor"`       // how much it grows; 0 to 100
	FPUReduction      float64 `yaml:"fpu_reduction"`      // how much below its parent an unvisited move counts; 0 to 2
	PolicyTemperature float64 `yaml:"policy_temperature"` // of the prior in puct mode; 0.1 to 10

	// Mates by checks alone are looked for at every new node (matehunt.go).
	MateMoves int `yaml:"mate_moves"` // longest mate looked for, in moves of the attacker; 1, what expansion sees anyway, to 8
	MateNodes int `yaml:"mate_nodes"` // moves tried for one node at most; 0 to 1,000,000

	Discount      float64 `yaml:"discount"`        // a value loses this factor towards a draw each ply; 0.5 to 1
	LeavesPerStep int     `yaml:"leaves_per_step"` // leaves of one game in one batch; 1 to 256
	MaxNodes      int     `yaml:"max_nodes"`       // hard limit of a tree, some 1 kB a node; 16 to 100,000,000
	CacheEntries  int     `yaml:"cache_entries"`   // evaluations a worker remembers, some 250 bytes each; 0 for none
}

// DefaultConfig returns the constants that self-play and matches start from.
func DefaultConfig() Config {
	return Config{
		Mode: ModeAuto, GumbelUpTo: 400,
		Candidates: 16, CVisit: 50, CScale: 1,
		CPuct: 1.745, CPuctBase: 38739, CPuctFactor: 3.894, FPUReduction: 0.33, PolicyTemperature: 1.36,
		MateMoves: 3, MateNodes: 200,
		Discount: 0.995, LeavesPerStep: 1, MaxNodes: 400_000, CacheEntries: 65536,
	}
}

// Algorithm returns what a search of so many visits runs, ModeGumbel or ModePUCT.
func (c *Config) Algorithm(visits int) string {
	// Sequential halving must know its budget.
	if visits != Unlimited && (c.Mode == ModeGumbel || c.Mode == ModeAuto && visits <= c.GumbelUpTo) {
		return ModeGumbel
	}
	return ModePUCT
}

// CheckVisits says why a search of so many visits would be cut by the limit of its tree: each visit may add a
// node, and the root is one.
func (c *Config) CheckVisits(visits int) error {
	if visits < c.MaxNodes {
		return nil
	}
	return fmt.Errorf("%d visits do not fit in a tree of search.max_nodes (%d): take fewer, or raise search.max_nodes to %d, better to twice that, because trees are kept from move to move",
		visits, c.MaxNodes, visits+1)
}

// Validate returns one error that names every field outside its range.
func (c Config) Validate() error {
	var errs []error
	switch c.Mode {
	case ModeAuto, ModeGumbel, ModePUCT:
	default:
		errs = append(errs, fmt.Errorf("mcts: mode is %q; it must be auto, gumbel or puct", c.Mode))
	}
	for _, f := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"gumbel_up_to", float64(c.GumbelUpTo), 0, 1e6},
		{"candidates", float64(c.Candidates), 1, 1000},
		{"c_visit", c.CVisit, 0, 1e4},
		{"c_scale", c.CScale, 0, 100},
		{"cpuct", c.CPuct, 0, 100},
		{"cpuct_base", c.CPuctBase, 1, 1e7},
		{"cpuct_factor", c.CPuctFactor, 0, 100},
		{"fpu_reduction", c.FPUReduction, 0, 2},
		{"policy_temperature", c.PolicyTemperature, 0.1, 10},
		{"mate_moves", float64(c.MateMoves), 1, 8},
		{"mate_nodes", float64(c.MateNodes), 0, 1e6},
		{"discount", c.Discount, 0.5, 1},
		{"leaves_per_step", float64(c.LeavesPerStep), 1, 256},
		{"max_nodes", float64(c.MaxNodes), 16, 1e8},
		{"cache_entries", float64(c.CacheEntries), 0, 1e8},
	} {
		if !(f.value >= f.low && f.value <= f.high) {
			errs = append(errs, fmt.Errorf("mcts: %s is %v; it must be from %v to %v", f.name, f.value, f.low, f.high))
		}
	}
	return errors.Join(errs...)
}
