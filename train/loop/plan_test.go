package loop

import (
	"testing"

	"synochess/datasets"
	"synochess/mcts"
	"synochess/net"
	"synochess/selfplay"
	"synochess/train"
)

// What the plan announces is near what .ci/train-memory measured with net M and a window of a million
// positions, each searched in full: 1,160 MB. Games beyond the window take no more.
func TestMemoryOfAPlan(t *testing.T) {
	cfg := &Config{
		Net:    net.Arch{Blocks: 6, Width: 64},
		Search: mcts.Config{MaxNodes: 4096, CacheEntries: 65536},
		Window: datasets.WindowConfig{Mode: datasets.WindowFraction, MinPositions: 1e6, Fraction: 0.001},
		Train:  train.Config{Batch: 256},
		SelfPlay: selfplay.Config{
			Seats: 12, FullVisits: 4, CheapVisits: 1, FullProbability: 1,
		},
	}
	machine := Machine{Workers: 2, Threads: 2}
	full := memoryBytes(cfg, machine, 1e6)
	if full < 0.95e9 || full > 1.35e9 {
		t.Errorf("a million positions: %d MB", full/1e6)
	}
	if more := memoryBytes(cfg, machine, 1e8); more != full {
		t.Errorf("a hundred times as many: %d MB, not %d", more/1e6, full/1e6)
	}
	if less := memoryBytes(cfg, machine, 1e5); less > full*3/4 {
		t.Errorf("a tenth: %d MB", less/1e6)
	}
}
