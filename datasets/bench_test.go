package datasets

import (
	"os"
	"path/filepath"
	"testing"
)

// The benchmarks report rows (plies) a second and bytes a row, half of the rows searched in full.
func BenchmarkWrite(b *testing.B) {
	games := syntheticGames(b, 1, 1, 300, 100)
	path := filepath.Join(b.TempDir(), "a.parquet")
	rows := 0
	for b.Loop() {
		info, err := WriteFile(path, "v", each(games))
		if err != nil {
			b.Fatal(err)
		}
		rows += info.Rows
	}
	info, _ := os.Stat(path)
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(info.Size())*float64(b.N)/float64(rows), "bytes/row")
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.parquet")
	if _, err := WriteFile(path, "v", each(syntheticGames(b, 1, 1, 300, 100))); err != nil {
		b.Fatal(err)
	}
	rows := 0
	for b.Loop() {
		games, err := collect(ReadFile(path))
		if err != nil {
			b.Fatal(err)
		}
		for _, g := range games {
			rows += len(g.Plies)
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
