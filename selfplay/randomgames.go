package selfplay

import (
	"math/rand/v2"

	"synochess/env"
)

// RandomPositions calls each with games at n positions, one ply in seven of random games: an odd number, so
// that both armies are to move, and not small, so that many games and rule sets are seen.
func (s *RuleSource) RandomPositions(n int, each func(g *env.Game)) error {
	rng := rand.New(rand.NewPCG(3, 4))
	for {
		r, err := s.Draw(rng)
		if err != nil {
			return err
		}
		for g := env.NewGame(r, r.StartPosition()); !g.Outcome().Over(); {
			if g.Ply()%7 == 0 {
				if n == 0 {
					return nil
				}
				each(g)
				n--
			}
			g.PlayRandom(rng)
		}
	}
}
