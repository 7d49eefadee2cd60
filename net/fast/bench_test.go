package fast

import (
	"fmt"
	"testing"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

func BenchmarkEvaluate(b *testing.B) {
	for _, shape := range [][3]int{{2, 32, 0}, {2, 32, 16}, {4, 48, 0}, {6, 64, 0}} {
		w := net.New(net.Arch{Blocks: shape[0], Width: shape[1], ValueChannels: 8, ValueHidden: 64, FromTo: shape[2]}, 1)
		for _, path := range kernels.Paths() {
			if !path.Float.Runs {
				continue
			}
			for _, rows := range []int{1, 8, 64} {
				b.Run(fmt.Sprintf("%dx%d/from-to=%d/batch%d/%s", shape[0], shape[1], shape[2], rows, path.Float.Name), func(b *testing.B) {
					e, batch := mustNew(b, path, w), positions(rows)
					perSecond(b, float64(rows), "evals", func() {
						if err := e.Evaluate(batch); err != nil {
							b.Fatal(err)
						}
					})
				})
			}
		}
	}
}

// positions returns rows as dense as a middle game: 28 pieces, 40 moves.
func positions(rows int) *encode.Batch {
	b := encode.NewBatch()
	for n := range rows {
		planes, scalars, scales := b.AddRow(1)
		for i := range 28 {
			planes[i%13] |= 1 << ((i*7 + n) % 64)
		}
		planes[encode.PlaneEastern] = -uint64(n & 1)
		planes[16], planes[17], planes[18] = 0xffffffff<<32, 0xffffffff<<32, 0x3c3c3c<<40
		for i := range scales {
			scales[i] = 16
		}
		planes[19], planes[20], planes[22], planes[23] = 1<<(n%64), 1<<((n+9)%64), 1<<((n+5)%64), 9<<((n+17)%64)
		scalars[0], scalars[encode.ScalarHand], scalars[5], scalars[9], scalars[27] = 3, uint16(n%9), 16, 16, 2
		for i := range 9 {
			scalars[28+i] = uint16(2 + n%3)
		}
		for i := range 40 {
			b.AddMove(uint16((i*97 + n) % encode.PolicySize))
		}
	}
	return b
}

func BenchmarkEvaluateQuantised(b *testing.B) {
	for _, shape := range [][3]int{{2, 32, 0}, {2, 32, 16}, {4, 48, 0}, {6, 64, 0}} {
		w := net.New(net.Arch{Blocks: shape[0], Width: shape[1], ValueChannels: 8, ValueHidden: 64, FromTo: shape[2]}, 1)
		if err := Calibrate(kernels.Best(), w, positions(64)); err != nil {
			b.Fatal(err)
		}
		for _, path := range kernels.Paths() {
			if !path.Int16.Runs {
				continue
			}
			for _, rows := range []int{1, 8, 64} {
				b.Run(fmt.Sprintf("%dx%d/from-to=%d/batch%d/%s", shape[0], shape[1], shape[2], rows, path.Int16.Name), func(b *testing.B) {
					e, batch := mustQuantise(b, path, w), positions(rows)
					perSecond(b, float64(rows), "evals", func() {
						if err := e.Evaluate(batch); err != nil {
							b.Fatal(err)
						}
					})
				})
			}
		}
	}
}
