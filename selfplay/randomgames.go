package selfplay

import (
	"math/rand/v2"

	"synochess/env"
)

// RandomPositions plays random games by rule sets that it draws, and calls each with the game at n positions in
// all, always the same ones. It takes every seventh ply: an odd number, so that both armies are to move, and not a
// small one, so that many games and rule sets are seen.
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
