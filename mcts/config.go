package mcts

import (
	"fmt"

	"synochess/internal/setting"
)

// The values of Config.Mode.
const (
	ModeAuto   = "auto"   // gumbel for searches of at most GumbelUpTo visits, puct beyond
	ModeGumbel = "gumbel" // Gumbel root with sequential halving, deterministic inner nodes
	ModePUCT   = "puct"   // PUCT everywhere
)

// Config holds every constant of the search, with the paper that it comes from. A run takes their values from its
// preset.
type Config struct {
	Mode       string `yaml:"mode" oneof:"auto gumbel puct"`    // ModeAuto, ModeGumbel or ModePUCT
	GumbelUpTo int    `yaml:"gumbel_up_to" range:"[0,1000000]"` // most visits for which auto means gumbel

	// Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022).
	Candidates int     `yaml:"candidates" range:"[1,1000]"` // most root moves that enter sequential halving (m), half the visits at most
	CVisit     float64 `yaml:"c_visit" range:"[0,10000]"`   // sigma(q) = (c_visit + max N) * c_scale * q
	CScale     float64 `yaml:"c_scale" range:"[0,100]"`     // with q in [0,1], as in mctx after its rescaling

	// Silver et al. (AlphaZero, 2018), with Leela Chess Zero's names and values.
	CPuct             float64 `yaml:"cpuct" range:"[0,100]"`               // exploration
	CPuctBase         float64 `yaml:"cpuct_base" range:"[1,10000000]"`     // visits over which exploration grows
	CPuctFactor       float64 `yaml:"cpuct_factor" range:"[0,100]"`        // how much it grows
	FPUReduction      float64 `yaml:"fpu_reduction" range:"[0,2]"`         // how much below its parent an unvisited move counts
	PolicyTemperature float64 `yaml:"policy_temperature" range:"[0.1,10]"` // of the prior in puct mode

	// Mates by checks alone are looked for at every new node (matehunt.go).
	MateMoves int `yaml:"mate_moves" range:"[1,8]"`       // longest mate looked for, in moves of the attacker; 1 is what expansion sees anyway
	MateNodes int `yaml:"mate_nodes" range:"[0,1000000]"` // moves tried for one node at most

	Discount      float64 `yaml:"discount" range:"[0.5,1]"`            // a value loses this factor towards a draw each ply
	LeavesPerStep int     `yaml:"leaves_per_step" range:"[1,256]"`     // leaves of one game in one batch
	MaxNodes      int     `yaml:"max_nodes" range:"[16,100000000]"`    // hard limit of a tree, some 1 kB a node
	CacheEntries  int     `yaml:"cache_entries" range:"[0,100000000]"` // evaluations a worker remembers, some 250 bytes each; 0 for none
}

// ReferenceConfig returns constants that no preset changes, for the behaviour number, bench and tests.
func ReferenceConfig() Config {
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

// Validate names every field outside its range.
func (c Config) Validate() error { return setting.Check(c) }
