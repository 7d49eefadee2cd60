package inference

import (
	"slices"
	"sync"
	"testing"

	"synochess/net/kernels"
)

// Twins of one trunk work at the same time and give the bits that the trunk gives alone.
func TestTwinsWorkAtTheSameTime(t *testing.T) {
	check := func(t *testing.T, trunk Trunk, x []float32, width, rows int) {
		t.Helper()
		want := slices.Clone(x)
		trunk.Run(want, rows)
		var wait sync.WaitGroup
		for _, twin := range []Trunk{trunk, trunk.Twin(), trunk.Twin().Twin()} {
			if twin.Chunk() != trunk.Chunk() {
				t.Errorf("chunks of %d and %d", twin.Chunk(), trunk.Chunk())
			}
			wait.Go(func() {
				for range 20 {
					got := slices.Clone(x)
					twin.Run(got, rows)
					if !slices.Equal(got, want) {
						t.Errorf("width %d: a twin gives something else", width)
						return
					}
				}
			})
		}
		wait.Wait()
	}
	for _, width := range []int{16, 48} {
		const rows = 11
		t.Run("float32", func(t *testing.T) {
			everyPath(t, func(t *testing.T, p *kernels.Path) {
				convs, x := randomTrunk(1, width, 4, rows)
				check(t, NewTrunk(p, width, convs), x, width, rows)
			})
		})
		t.Run("int16", func(t *testing.T) {
			everyInt16Path(t, func(t *testing.T, p *kernels.Path) {
				q, x := randomInt16(1, width, 4, rows)
				check(t, NewInt16Trunk(p, q), x, width, rows)
			})
		})
	}
	convs, x := randomTrunk(1, 8, 2, 2)
	check(t, NewDirect(8, convs), x, 8, 2)
}
