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
// samples of those of its games that were asked for.
type sampleStream struct {
	sampler *datasets.Sampler
	cfg     *train.Config
	rules   map[uint64]*env.Rules // by hash, of all rule sets seen
	chunk   *datasets.Chunk
	made    [][]train.Sample // [game of the chunk], nil until asked for
	next    int              // pick of the chunk
	drawn   int              // picks so far, those without a target included
}

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
			s.chunk, s.next, s.made = chunk, 0, make([][]train.Sample, len(chunk.Games))
			continue
		}
		pick := s.chunk.Picks[s.next]
		s.next++
		s.drawn++
		if s.made[pick.Game] == nil {
			var err error
			if s.made[pick.Game], err = s.targets(s.chunk.Games[pick.Game]); err != nil {
				return nil, false, err
			}
		}
		if sample := &s.made[pick.Game][pick.Ply]; sample.Trainable() {
			batch = append(batch, sample)
		}
	}
	return batch, true, nil
}

// targets makes a game's samples under its own rule set.
func (s *sampleStream) targets(g *datasets.Game) ([]train.Sample, error) {
	r, ok := s.rules[g.RulesHash]
	if !ok {
		var err error
		if r, err = env.ParseRules([]byte(g.Rules), fmt.Sprintf("rule set of game %d", g.Number)); err != nil {
			return nil, err
		}
		s.rules[g.RulesHash] = r
	}
	return train.Targets(g, r, s.cfg)
}
