package loop

import (
	"maps"
	"os"

	"synochess/datasets"
)

// past remembers games of complete generations for the generations after them, without what the searches found. It
// reads each file once.
type past struct {
	folder datasets.RunFolder
	games  map[int][]*datasets.Game // by generation
}

// of returns a generation's games, read to the end of their file. Those that forget was called for have no plies.
func (p *past) of(generation int) ([]*datasets.Game, error) {
	if games, ok := p.games[generation]; ok {
		return games, nil
	}
	path := p.folder.GamesOf(generation)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	var games []*datasets.Game
	for g, err := range datasets.ReadFile(path) {
		if err != nil {
			return nil, err
		}
		for i := range g.Plies {
			g.Plies[i].Actions = nil
		}
		games = append(games, g)
	}
	p.games[generation] = games
	return games, nil
}

// forget is called when a generation has been played, and drops what the next one does not need: forks start from games of
// the generation before, and handicaps are fitted to older ones without their plies.
func (p *past) forget(generation int) {
	maps.DeleteFunc(p.games, func(g int, games []*datasets.Game) bool {
		if g < generation {
			for _, game := range games {
				game.Plies = nil
			}
		}
		return g <= generation-handicapGenerations
	})
}
