package bench

import (
	"fmt"
	"time"

	"synochess/datasets"
	"synochess/train"
)

// copies of the sample games are in the file that is read, so that it is not tiny.
const copies = 4

// data measures writing games, reading them, and making training samples of them.
func (s *session) data() error {
	if err := s.sample(); err != nil {
		return err
	}
	var games []*datasets.Game
	plies := 0
	for i := range copies * len(s.games) {
		g := *s.games[i%len(s.games)]
		g.Number, g.Family = uint64(i), uint64(i)
		games = append(games, &g)
		plies += len(g.Plies)
	}
	path := datasets.GenerationFile(s.folder, 1)
	each := func(yield func(*datasets.Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}
	write := func() error { _, err := datasets.WriteFile(path, s.Program, each); return err }
	read := func() error {
		for _, err := range datasets.ReadFile(path) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(); err != nil {
		return err
	}
	catalogue := datasets.NewCatalogue()
	problems, err := catalogue.AddDir(s.folder)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("bench: games cannot be read back: %s", problems[0])
	}
	window := catalogue.Window(1<<30, func(uint64) bool { return true })
	draws := window.MaxSamples(1)
	for _, c := range []struct {
		name, unit string
		units      int
		work       func() error
	}{
		{"write Parquet", "plies/s", plies, write},
		{"read Parquet", "plies/s", plies, read},
		{"draw training samples", "positions/s", draws, func() error { return drawSamples(window, draws, &s.Config.Train) }},
	} {
		err := s.hold(contest{
			group: "data", name: c.name, unit: c.unit, units: float64(c.units), budget: 2 * time.Second,
			contenders: []contender{{name: ours, clock: CPU, run: local(CPU, c.work)}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drawSamples does what training does before its steps, for n samples.
func drawSamples(window *datasets.Window, n int, cfg *train.Config) error {
	sampler, err := window.Sampler(1, n, 1)
	if err != nil {
		return err
	}
	stream := train.NewStream(sampler, cfg, &datasets.RuleSets{})
	for more := true; more; {
		if _, more, err = stream.Fill(make([]*train.Sample, 0, cfg.Batch), cfg.Batch); err != nil {
			return err
		}
	}
	return nil
}
