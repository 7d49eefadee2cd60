package datasets

import (
	"fmt"
	"slices"
)

// Window is a set of games to draw positions from: the newest of a Catalogue. It is fixed once it is made. It
// knows only where its games lie, and reads them when a Sampler needs them; those that its Catalogue keeps in memory
// are not read again.
type Window struct {
	paths     []string
	cache     *groupCache // of its Catalogue
	groups    []windowGroup
	games     int
	positions int
	weight    uint64 // sum of all sample weights, in 1/256
	heaviest  uint32 // the greatest sample weight
}

// windowGroup is a row group of which at least one game is in the window.
type windowGroup struct {
	file, group int32
	rows        int      // rows to load, those of games outside the window included
	numbers     []uint64 // games in the window, ascending
	weight      uint64   // of these games
}

// take fills the window with games, ascending by number.
func (w *Window) take(games []gameEntry) {
	index := map[[2]int32]int{}
	for i := range games {
		e := &games[i]
		key := [2]int32{e.file, e.group}
		at, ok := index[key]
		if !ok {
			at = len(w.groups)
			index[key] = at
			w.groups = append(w.groups, windowGroup{file: e.file, group: e.group})
		}
		g := &w.groups[at]
		g.rows += int(e.rows)
		g.numbers = append(g.numbers, e.number)
		g.weight += e.weight
		w.games++
		w.positions += int(e.positions)
		w.weight += e.weight
		w.heaviest = max(w.heaviest, e.heaviest)
	}
}

// Games returns the number of games.
func (w *Window) Games() int { return w.games }

// Positions returns the number of positions that may be drawn.
func (w *Window) Positions() int { return w.positions }

// perRound returns how many positions can be drawn in a round if none may be drawn twice in it.
func (w *Window) perRound() uint64 {
	if w.heaviest == 0 {
		return 0
	}
	return w.weight / uint64(w.heaviest)
}

// MaxSamples returns how many samples there can be if no position may be used more than maxUses times:
// maxUses times the positions where all weigh the same, else less.
func (w *Window) MaxSamples(maxUses int) int { return maxUses * int(w.perRound()) }

// Sampler returns n samples of the window in an order that depends on nothing but the window and the
// seed. Each position is drawn in proportion to its sample weight, as evenly as whole numbers allow, and
// at most maxUses times. More than MaxSamples(maxUses) is an error.
func (w *Window) Sampler(seed uint64, n, maxUses int) (*Sampler, error) {
	if n < 1 || n > w.MaxSamples(maxUses) {
		return nil, fmt.Errorf("window of %d positions: %d samples asked for, it gives 1 to %d if each position is used at most %d times",
			w.positions, n, w.MaxSamples(maxUses), maxUses)
	}
	per := int(w.perRound())
	s := &Sampler{window: w, seed: seed, total: n, rounds: (n + per - 1) / per}
	s.beginRound(0)
	return s, nil
}

// load reads the window's games of a group.
func (w *Window) load(g *windowGroup) ([]*Game, error) {
	in := func(number uint64) bool {
		_, found := slices.BinarySearch(g.numbers, number)
		return found
	}
	if games, ok := w.cache.get(g.file, g.group, in); ok {
		return games, nil
	}
	r, err := OpenFile(w.paths[g.file])
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if int(g.group) >= r.NumGroups() {
		return nil, &FileError{w.paths[g.file], fmt.Errorf("it has changed: row group %d is gone", g.group)}
	}
	games, err := r.Group(int(g.group))
	if err != nil {
		return nil, err
	}
	games = slices.DeleteFunc(games, func(game *Game) bool { return !in(game.Number) })
	if len(games) != len(g.numbers) {
		return nil, &FileError{w.paths[g.file], fmt.Errorf("it has changed: %d of %d games are left in row group %d", len(games), len(g.numbers), g.group)}
	}
	for i, game := range games {
		games[i] = pack(game).unpack() // what the cache would have given
	}
	return games, nil
}
