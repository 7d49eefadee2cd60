package train

import (
	"errors"
	"fmt"
	"io"

	"synochess/datasets"
)

// Stream turns a sampler's picks into training samples. It holds the games of one chunk and the samples of those of
// its games that were asked for: a game has far more positions than are drawn of it.
type Stream struct {
	sampler *datasets.Sampler
	cfg     *Config
	rules   *datasets.RuleSets
	chunk   *datasets.Chunk
	wanted  [][]bool   // [game of the chunk][ply]
	made    [][]Sample // [game of the chunk][ply], nil until asked for
	next    int        // pick of the chunk
	drawn   int        // picks so far, those without a target included
}

// NewStream returns the stream of a sampler's picks. Each game's samples are made under its own rule set; rules
// remembers those.
func NewStream(s *datasets.Sampler, cfg *Config, rules *datasets.RuleSets) *Stream {
	return &Stream{sampler: s, cfg: cfg, rules: rules}
}

// Share returns the share of the picks that was drawn so far, from 0 to 1.
func (s *Stream) Share() float64 { return float64(s.drawn) / float64(s.sampler.Len()) }

// Fill appends samples to batch until it holds n. The bool is false if the stream ended before that.
func (s *Stream) Fill(batch []*Sample, n int) ([]*Sample, bool, error) {
	for len(batch) < n {
		if s.chunk == nil || s.next == len(s.chunk.Picks) {
			chunk, err := s.sampler.Next()
			if errors.Is(err, io.EOF) {
				return batch, false, nil
			}
			if err != nil {
				return nil, false, err
			}
			s.take(chunk)
			continue
		}
		pick := s.chunk.Picks[s.next]
		s.next++
		s.drawn++
		if s.made[pick.Game] == nil {
			var err error
			if s.made[pick.Game], err = s.targets(s.chunk.Games[pick.Game], s.wanted[pick.Game]); err != nil {
				return nil, false, err
			}
		}
		if sample := &s.made[pick.Game][pick.Ply]; sample.Trainable() {
			batch = append(batch, sample)
		}
	}
	return batch, true, nil
}

// take begins a chunk and notes which plies of its games are wanted.
func (s *Stream) take(chunk *datasets.Chunk) {
	s.chunk, s.next, s.made = chunk, 0, make([][]Sample, len(chunk.Games))
	s.wanted = make([][]bool, len(chunk.Games))
	for i, g := range chunk.Games {
		s.wanted[i] = make([]bool, len(g.Plies))
	}
	for _, pick := range chunk.Picks {
		s.wanted[pick.Game][pick.Ply] = true
	}
}

// targets makes the wanted samples of a game.
func (s *Stream) targets(g *datasets.Game, wanted []bool) ([]Sample, error) {
	r, err := s.rules.Of(g)
	if err != nil {
		return nil, fmt.Errorf("game %d of run %s: %w", g.Number, g.RunID, err)
	}
	return Targets(g, r, s.cfg, wanted)
}
