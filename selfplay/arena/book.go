package arena

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	Limit      selfplay.Limit // the least that the judge spends on a move, in nodes
	Positions  int            // how many are wanted
	Candidates int            // how many are looked at, at most
	Width      float64        // candidates whose value lies within this of the middle are played, in log odds
	Seed       uint64
	Workers    int
}

// The judge plays bookGames games against itself from a candidate, which is fair if the Western army scores
// fairLow to fairHigh points. From a fair one it plays freshGames more. These have no part in the choice, so what
// the West scores in them tells without bias how fair the chosen ones are.
const (
	bookGames         = 6
	fairLow, fairHigh = 2.0, 4.0
	freshGames        = 2
)

// bookPlies are the lengths of the random openings, in turns.
var bookPlies = [...]int{4, 6, 8, 10, 12}

// A position that a search takes for even need not be even when it is played out, because in most rule sets one
// army does more with the same material. So the judge plays candidates whose value is near a middle, and the middle
// moves: after every batch towards the value at which the West scores one half in the first games, and after a batch
// without a game back towards even.
const (
	bookBatch = 32
	bookStep  = 0.2 // log odds that the middle moves for each point beyond one half in the first games of a batch
	bookBack  = 0.8 // factor of the middle after a batch of which nothing was played
	mostOdds  = 5   // candidates farther than this from even are not played, in log odds
)

// Fair is a position of a book.
type Fair struct {
	FEN     string
	Value   float64    // for the West by the judge's search, in log odds
	Western float64    // points of the West in bookGames games
	Fresh   [2]float64 // [freshGames] points of the West in each of the games that had no part in the choice
}

// Book is what was found.
type Book struct {
	Positions []Fair
	Looked    int     // candidates looked at
	Played    int     // of these, those that were played out
	Middle    float64 // the value at which the West scores one half, in log odds for the West
}

// FreshScore returns the West's mean score, 0 to 1, in the games that had no part in choosing the positions.
func (b *Book) FreshScore() float64 {
	sum := 0.0
	for _, p := range b.Positions {
		sum += p.Fresh[0] + p.Fresh[1]
	}
	return sum / float64(max(1, freshGames*len(b.Positions)))
}

// MakeBook looks at candidates, a batch at a time, until enough are fair. The result depends on the config alone if
// the judge's moves do. progress, which may be nil, is called after each batch with what was found so far. If MakeBook
// is interrupted, or too few are fair, it returns what it has found beside the error.
func MakeBook(ctx context.Context, c BookConfig, progress func(*Book)) (*Book, error) {
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
	for len(b.Positions) < c.Positions && b.Looked < len(candidates) {
		some := candidates[b.Looked:min(len(candidates), b.Looked+bookBatch)]
		verdicts, err := c.judge(ctx, judges, some, b.Looked, b.Middle)
		if err != nil {
			return b, err
		}
		excess, before := 0.0, b.Played
		for _, v := range verdicts {
			b.Looked++
			if v.played {
				b.Played++
				excess += v.first - 0.5
			}
			if v.fair && len(b.Positions) < c.Positions {
				b.Positions = append(b.Positions, v.Fair)
			}
		}
		if b.Played == before {
			b.Middle *= bookBack
		}
		b.Middle = max(1-mostOdds, min(mostOdds-1, b.Middle-bookStep*excess))
		if progress != nil {
			progress(b)
		}
	}
	if len(b.Positions) < c.Positions {
		return b, fmt.Errorf("book: %d of %d candidates are fair, and %d are wanted; look at more candidates, or allow values farther from the middle (width)", len(b.Positions), b.Looked, c.Positions)
	}
	return b, nil
}

// candidates returns distinct undecided positions after random openings of all lengths in turn.
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
	played bool
	first  float64 // points of the West in the first game, if it was played
	fair   bool
}

// judge looks at candidates with several judges at a time. first is the number of the first candidate, by which
// its games are seeded.
func (c *BookConfig) judge(ctx context.Context, judges []*chair, candidates []env.Position, first int, middle float64) ([]verdict, error) {
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
				v, err := c.look(ctx, j, &candidates[i], middle, rng)
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

// look finds out whether one candidate is fair, and stops as soon as it cannot be any more.
func (c *BookConfig) look(ctx context.Context, j *chair, p *env.Position, middle float64, rng *rand.Rand) (v verdict, err error) {
	v.FEN = c.Rules.FEN(p)
	r, err := j.think(ctx, env.NewGame(c.Rules, *p), c.Limit, rng)
	if err != nil {
		return v, err
	}
	win, loss := float64(r.RootAfter[0])+float64(r.RootAfter[1])/2, float64(r.RootAfter[2])+float64(r.RootAfter[1])/2
	if p.SideToMove() == env.Eastern {
		win, loss = loss, win
	}
	if win+loss > 0 { // a judge without values, such as the random one, plays from all candidates
		v.Value = math.Log(win / loss)
		if !(math.Abs(v.Value-middle) <= c.Width && math.Abs(v.Value) <= mostOdds) {
			return v, nil
		}
	}
	eastern := 0.0
	for i := range bookGames {
		score, err := c.play(ctx, j, p, rng)
		if err != nil {
			return v, err
		}
		if i == 0 {
			v.played, v.first = true, score
		}
		v.Western += score
		if eastern += 1 - score; v.Western > fairHigh || eastern > bookGames-fairLow {
			return v, nil
		}
	}
	v.fair = true
	for i := range v.Fresh {
		if v.Fresh[i], err = c.play(ctx, j, p, rng); err != nil {
			return v, err
		}
	}
	return v, nil
}

// play returns what the West scores in a game of the judge against itself. Every move has a budget of its own,
// from the limit to twice as much; otherwise all games from a position would be the same.
func (c *BookConfig) play(ctx context.Context, j *chair, start *env.Position, rng *rand.Rand) (float64, error) {
	g := env.NewGame(c.Rules, *start)
	for !g.Outcome().Over() {
		l := c.Limit
		l.Visits += rng.IntN(l.Visits + 1)
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
