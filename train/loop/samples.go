package loop

import (
	"errors"
	"fmt"
	"io"

	"synochess/datasets"
	"synochess/env"
	"synochess/train"
)

// sampleStream turns a sampler's picks into training samples. It holds the games of one chunk and the
// samples of those of its games that were asked for: a game has far more positions than are drawn of it.
type sampleStream struct {
	sampler *datasets.Sampler
	cfg     *train.Config
	rules   map[uint64]*env.Rules // by hash, of rule sets seen: at most keptRules
	chunk   *datasets.Chunk
	wanted  [][]bool         // [game of the chunk][ply]
	made    [][]train.Sample // [game of the chunk][ply], nil until asked for
	next    int              // pick of the chunk
	drawn   int              // picks so far, those without a target included
}

// keptRules bounds the memory of rule sets, some 25 kB each: where games draw their own there is no end of them.
const keptRules = 1024

func newSampleStream(s *datasets.Sampler, cfg *train.Config, rules map[uint64]*env.Rules) *sampleStream {
	return &sampleStream{sampler: s, cfg: cfg, rules: rules}
}

// fill appends samples to batch until it holds n. It is false when the stream has ended before.
func (s *sampleStream) fill(batch []*train.Sample, n int) ([]*train.Sample, bool, error) {
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

// take begins a chunk.
func (s *sampleStream) take(chunk *datasets.Chunk) {
	s.chunk, s.next, s.made = chunk, 0, make([][]train.Sample, len(chunk.Games))
	s.wanted = make([][]bool, len(chunk.Games))
	for i, g := range chunk.Games {
		s.wanted[i] = make([]bool, len(g.Plies))
	}
	for _, pick := range chunk.Picks {
		s.wanted[pick.Game][pick.Ply] = true
	}
}

// targets makes the wanted samples of a game under its own rule set.
func (s *sampleStream) targets(g *datasets.Game, wanted []bool) ([]train.Sample, error) {
	r, ok := s.rules[g.RulesHash]
	if !ok {
		var err error
		if r, err = env.ParseRules([]byte(g.Rules), fmt.Sprintf("rule set of game %d", g.Number)); err != nil {
			return nil, err
		}
		if len(s.rules) == keptRules {
			clear(s.rules)
		}
		s.rules[g.RulesHash] = r
	}
	return train.Targets(g, r, s.cfg, wanted)
}
