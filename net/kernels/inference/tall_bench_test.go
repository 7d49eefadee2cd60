package inference

import (
	"fmt"
	"testing"

	"synochess/net/kernels"
)

// BenchmarkTall times the parts of a layer by themselves, for a chunk of boards whose data is in the
// second-level cache.
func BenchmarkTall(b *testing.B) {
	for _, width := range []int{48, 64} {
		for _, path := range kernels.Paths() {
			a := assemblyOf(path)
			if !path.Float.Runs || a == nil {
				continue
			}
			convs, x := randomTrunk(1, width, 2, tallChunk)
			t := newTallTrunk(a, width, convs).(*tallTrunk)
			l, rows, lda := &t.layers[0], uintptr(tallChunk*tallTiles), uintptr(width*4)
			cols := t.panels[0] * a.Lanes
			ldm := uintptr(cols * 4)
			run := func(part string, work float64, unit string, f func()) {
				b.Run(fmt.Sprintf("%s/width%d/%s", part, width, path.Float.Name), func(b *testing.B) { perSecond(b, work, unit, f) })
			}
			run("products", 2e-9*tallPoints*float64(rows)*float64(width*cols), "GFLOP", func() {
				a.Products[t.panels[0]](&t.v[0], &l.u[0], &t.m[0], uintptr(width), tallPoints, rows, lda, tallPad, ldm, tallPad)
			})
			run("in", tallChunk, "boards", func() {
				for n := range tallChunk {
					a.in(&x[n*64*width], &t.v[n*tallTiles*width], &t.scratch[0], uintptr(width/a.Lanes), lda, rows*lda+tallPad)
				}
			})
			run("out", tallChunk*float64(cols)/float64(width), "boards", func() {
				for n := range tallChunk {
					a.out(&t.m[n*tallTiles*cols], &l.bias[0], &x[n*64*width], &t.scratch[0], uintptr(t.panels[0]), ldm, rows*ldm+tallPad, lda)
				}
			})
		}
	}
}
