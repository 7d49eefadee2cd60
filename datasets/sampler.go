package datasets

import (
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
)

// chunkRows is the number of rows that are loaded and shuffled together. It bounds the memory: a row
// searched in full takes about 1 kB.
const chunkRows = 1 << 16

// Sampler draws the positions of a Window in rounds. In each round it goes through the row groups in a
// new random order and draws by systematic sampling: every position adds its weight to a running sum,
// and one that carries the sum over a multiple of (weight of all / draws of the round) is drawn. So the
// number of draws is exact, even for groups that are not loaded, and no position is drawn twice in a round.
// The place in the sequence is the whole state, so Skip is enough to resume.
type Sampler struct {
	window *Window
	seed   uint64
	total  int // samples over all rounds
	rounds int

	round  int
	draws  uint64 // samples of this round
	order  []int  // [len(window.groups)] order of the groups in this round
	next   int    // index in order of the next group
	credit uint64 // running sum, weight * draws, less than window.weight
	chunk  uint64 // chunks of this round so far
	skip   int    // samples still to be left out
}

// Pick is a position of a chunk's game.
type Pick struct {
	Game int32 // index in Chunk.Games
	Ply  int32
}

// Chunk is a number of games that are in memory together, and the positions drawn from them, in the order
// in which they are to be used. The games hold only what training needs: Chosen, Chance, Visits, Before and Proven
// are left empty, and Actions are there only for policy targets, with nothing but Move and Policy.
type Chunk struct {
	Games []*Game
	Picks []Pick
}

// Len returns the number of samples over all chunks.
func (s *Sampler) Len() int { return s.total }

// Skip leaves out the next n samples. Chunks that are left out wholly are not read.
func (s *Sampler) Skip(n int) { s.skip += n }

// Next returns the next chunk, or io.EOF after the last. A file that has become bad since it was taken
// into the catalogue is a *FileError.
func (s *Sampler) Next() (*Chunk, error) {
	for s.round < s.rounds {
		if s.next == len(s.order) {
			s.beginRound(s.round + 1)
			continue
		}
		groups, count := s.plan()
		rng := rand.New(rand.NewPCG(s.seed, uint64(s.round)<<32|s.chunk|1<<63))
		s.chunk++
		if s.skip >= count {
			s.skip -= count
			s.credit = s.creditAfter(groups)
			continue
		}
		c, err := s.fill(groups)
		if err != nil {
			return nil, err
		}
		if len(c.Picks) != count {
			return nil, fmt.Errorf("a window's files have changed: %d positions drawn, %d expected", len(c.Picks), count)
		}
		rng.Shuffle(count, func(i, j int) { c.Picks[i], c.Picks[j] = c.Picks[j], c.Picks[i] })
		c.Picks = c.Picks[s.skip:]
		s.skip = 0
		return c, nil
	}
	return nil, io.EOF
}

// beginRound gives a round its share of the samples, an order of groups and a random start.
func (s *Sampler) beginRound(round int) {
	s.round, s.next, s.chunk = round, 0, 0
	if round == s.rounds {
		return
	}
	s.draws = uint64(s.total*(round+1)/s.rounds - s.total*round/s.rounds)
	rng := rand.New(rand.NewPCG(s.seed, uint64(round)))
	s.order = rng.Perm(len(s.window.groups))
	s.credit = rng.Uint64N(s.window.weight)
}

// plan takes the groups of the next chunk and returns them with how many positions will be drawn from them.
func (s *Sampler) plan() (groups []int, count int) {
	rows, weight := 0, uint64(0)
	for s.next < len(s.order) {
		g := &s.window.groups[s.order[s.next]]
		if len(groups) > 0 && rows+g.rows > chunkRows {
			break
		}
		groups = append(groups, s.order[s.next])
		rows, weight = rows+g.rows, weight+g.weight
		s.next++
	}
	n, _ := s.advance(weight)
	return groups, int(n)
}

// advance returns how many positions of a total weight are drawn from where the running sum is, and the
// sum after them. The product takes 128 bits.
func (s *Sampler) advance(weight uint64) (drawn, credit uint64) {
	hi, lo := bits.Mul64(weight, s.draws)
	lo, carry := bits.Add64(lo, s.credit, 0)
	return bits.Div64(hi+carry, lo, s.window.weight)
}

// creditAfter returns the running sum behind groups that are not loaded.
func (s *Sampler) creditAfter(groups []int) uint64 {
	weight := uint64(0)
	for _, g := range groups {
		weight += s.window.groups[g].weight
	}
	_, credit := s.advance(weight)
	return credit
}

// fill loads groups and draws from their positions; games without a drawn position are left out.
func (s *Sampler) fill(groups []int) (*Chunk, error) {
	c := new(Chunk)
	for _, i := range groups {
		games, err := s.window.load(&s.window.groups[i])
		if err != nil {
			return nil, err
		}
		for _, g := range games {
			before := len(c.Picks)
			for ply := range g.Plies {
				var drawn uint64
				drawn, s.credit = s.advance(uint64(sampleUnits(g, ply)))
				if drawn > 0 {
					c.Picks = append(c.Picks, Pick{int32(len(c.Games)), int32(ply)})
				}
			}
			if len(c.Picks) > before {
				c.Games = append(c.Games, g)
			}
		}
	}
	return c, nil
}
