package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"synochess/env"
	"synochess/selfplay"
)

// BookConfig says how a book of fair openings is made: positions some random plies after the start from which
// equal agents score near one half with either army.
type BookConfig struct {
	Rules      *env.Rules
	Judge      selfplay.Agent
	Limit      selfplay.Limit // of the judge's weakest games, in nodes; the others have up to twice as many
	Positions  int            // how many are wanted
	Candidates int            // how many are looked at, at most
	Value      float64        // a candidate's value by the judge's search lies within this of even, [0,1]
	Seed       uint64
	Workers    int
}

// bookGames is how many games the judge plays against itself from a candidate, each with another budget, since
// one budget would play one game again and again. A candidate is fair if the Western army scores fairLow to
// fairHigh of them; two games more, which choose nothing, tell how fair the chosen ones are.
const (
	bookGames         = 6
	fairLow, fairHigh = 2.0, 4.0
	freshGames        = 2
)

// bookPlies are the lengths of the random openings, in turns.
var bookPlies = [...]int{4, 6, 8, 10}

// Fair is a position of a book.
type Fair struct {
	FEN     string
	Value   float64    // for the West by the judge's search, [-1,1]
	Western float64    // points of the West in bookGames games
	Fresh   [2]float64 // points of the West in each of the games that chose nothing
}

// Book is what was found.
type Book struct {
	Positions []Fair
	Looked    int // candidates looked at
	Even      int // of these, those whose value is near even
}

// FreshScore returns the share of points of the West in the games that chose nothing.
func (b *Book) FreshScore() float64 {
	sum := 0.0
	for _, p := range b.Positions {
		sum += p.Fresh[0] + p.Fresh[1]
	}
	return sum / float64(max(1, freshGames*len(b.Positions)))
}

// MakeBook looks at one candidate after another until enough are fair. The result depends on the config
// alone, where the judge does; progress, which may be nil, is told how many are fair. Interrupted, or where
// too few are fair, it returns what it has found beside the error.
func MakeBook(ctx context.Context, c BookConfig, progress func(fair int)) (*Book, error) {
	candidates, err := c.candidates()
	if err != nil {
		return nil, err
	}
	var judges []*chair
	defer func() {
		for _, j := range judges {
			j.leave()
		}
	}()
	for range c.Workers {
		j, err := sit(c.Judge)
		if err != nil {
			return nil, err
		}
		judges = append(judges, j)
	}
	b := &Book{}
	batch := 8 * c.Workers
	for len(b.Positions) < c.Positions && b.Looked < len(candidates) {
		some := candidates[b.Looked:min(len(candidates), b.Looked+batch)]
		verdicts, err := c.judge(ctx, judges, some, b.Looked)
		if err != nil {
			return b, err
		}
		for _, v := range verdicts {
			b.Looked++
			if v.even {
				b.Even++
			}
			if v.fair && len(b.Positions) < c.Positions {
				b.Positions = append(b.Positions, v.Fair)
			}
		}
		if progress != nil {
			progress(len(b.Positions))
		}
	}
	if len(b.Positions) < c.Positions {
		return b, fmt.Errorf("book: %d of %d candidates are fair; %d are wanted: look at more, or allow values farther from even", len(b.Positions), b.Looked, c.Positions)
	}
	return b, nil
}

// candidates returns distinct undecided positions after random openings, of every length in turn.
func (c *BookConfig) candidates() ([]env.Position, error) {
	var lists [len(bookPlies)][]selfplay.Opening
	for i, plies := range bookPlies {
		var err error
		if lists[i], err = selfplay.RandomOpenings(c.Rules, (c.Candidates+len(bookPlies)-1)/len(bookPlies), plies, c.Seed); err != nil {
			return nil, err
		}
	}
	var all []env.Position
	for i := range c.Candidates {
		p, err := lists[i%len(bookPlies)][i/len(bookPlies)].Position()
		if err != nil {
			return nil, err
		}
		all = append(all, *p)
	}
	return all, nil
}

// verdict is what was found of a candidate.
type verdict struct {
	Fair
	even, fair bool
}

// judge looks at candidates, the first of which has the given number, with several judges at a time.
func (c *BookConfig) judge(ctx context.Context, judges []*chair, candidates []env.Position, first int) ([]verdict, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	verdicts := make([]verdict, len(candidates))
	errs := make([]error, len(judges))
	next := make(chan int, len(candidates))
	for i := range candidates {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for w, j := range judges {
		all.Go(func() {
			for i := range next {
				rng := rand.New(rand.NewPCG(c.Seed, uint64(first+i)))
				v, err := c.look(ctx, j, &candidates[i], rng)
				var failure *selfplay.Forfeit
				if errors.As(err, &failure) {
					continue // a position that an engine fails in is not for a book
				}
				if verdicts[i], errs[w] = v, err; err != nil {
					cancel()
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return verdicts, errors.Join(errs...)
}

// look finds out about one candidate; it stops as soon as it cannot be fair any more.
func (c *BookConfig) look(ctx context.Context, j *chair, p *env.Position, rng *rand.Rand) (v verdict, err error) {
	v.FEN = c.Rules.FEN(p)
	deep := c.Limit
	deep.Visits *= bookGames
	r, err := j.think(ctx, env.NewGame(c.Rules, *p), deep, rng)
	if err != nil {
		return v, err
	}
	v.Value = float64(r.RootAfter[0]) - float64(r.RootAfter[2])
	if p.SideToMove() == env.Eastern {
		v.Value = -v.Value
	}
	if v.even = v.Value >= -c.Value && v.Value <= c.Value; !v.even {
		return v, nil
	}
	eastern := 0.0
	for i := range bookGames {
		score, err := c.play(ctx, j, p, c.budget(2*i), rng)
		if err != nil {
			return v, err
		}
		v.Western += score
		if eastern += 1 - score; v.Western > fairHigh || eastern > bookGames-fairLow {
			return v, nil
		}
	}
	v.fair = true
	for i := range v.Fresh {
		if v.Fresh[i], err = c.play(ctx, j, p, c.budget(3+4*i), rng); err != nil {
			return v, err
		}
	}
	return v, nil
}

// budget returns one of the budgets from the limit to twice as much; those of even number choose, the others do
// not.
func (c *BookConfig) budget(i int) selfplay.Limit {
	l := c.Limit
	l.Visits += l.Visits * i / (2*bookGames - 1)
	return l
}

// play returns what the West scores in a game of the judge against itself.
func (c *BookConfig) play(ctx context.Context, j *chair, start *env.Position, l selfplay.Limit, rng *rand.Rand) (float64, error) {
	g := env.NewGame(c.Rules, *start)
	for !g.Outcome().Over() {
		r, err := j.think(ctx, g, l, rng)
		if err != nil {
			return 0, err
		}
		if err := g.Play(r.Best); err != nil {
			return 0, err
		}
	}
	switch g.Outcome().Result {
	case env.WesternWins:
		return 1, nil
	case env.EasternWins:
		return 0, nil
	}
	return 0.5, nil
}
