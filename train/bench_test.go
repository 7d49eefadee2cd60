package train

import (
	"fmt"
	"testing"

	"synochess/net"
	"synochess/net/kernels"
)

// BenchmarkStep is a whole step of the quick run's network: forward, backward, AdamW, average.
func BenchmarkStep(b *testing.B) {
	samples := knownSamples(b, 1, 256)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprint("threads=", threads), func(b *testing.B) {
			tr, err := New(validConfig(), net.New(net.Arch{Blocks: 2, Width: 32, ValueChannels: 8, ValueHidden: 64}, 1), kernels.Best(), threads)
			if err != nil {
				b.Fatal(err)
			}
			defer tr.Close()
			for b.Loop() {
				if _, err := tr.Step(samples, 0); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(256*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}
