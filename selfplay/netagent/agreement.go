package netagent

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"synochess/datasets"
	"synochess/env"
	"synochess/env/encode"
	"synochess/net"
	"synochess/net/fast"
	"synochess/net/kernels"
)

// ComparedPositions is how many positions two precisions are compared on, at most.
const ComparedPositions = 10_000

// Int16Agreement is how far int16 is from float32 on stored games.
type Int16Agreement struct {
	fast.Agreement
	Calibration int  // positions that the network was calibrated on
	Own         bool // the calibration is the one it came with
}

// CompareInt16 compares int16 with float32 on a kernel path. It uses distinct positions of stored games that the
// network was not calibrated on, drawn from all games alike, the same ones for the same files. heldOut is the share of
// games that a run keeps out of training (datasets.HeldOut), 0 for games of no known run. Weights that came calibrated
// out of the run are compared as they are, on the games held out. Others, and all if heldOut is 0, are calibrated anew
// in memory, on half the games, and compared on the other half.
func CompareInt16(path *kernels.Path, w *net.Weights, files []string, heldOut float64) (*Int16Agreement, error) {
	a := &Int16Agreement{Own: w.Quantisation() != nil && heldOut > 0}
	if !a.Own {
		heldOut = 0.5
	}
	rng := rand.New(rand.NewPCG(5, 6))
	others, compared := &reservoir{want: CalibrationPositions, rng: rng}, &reservoir{want: ComparedPositions, rng: rng}
	err := eachPosition(files, func(g *datasets.Game, p drawn) {
		if datasets.HeldOut(g.Family, heldOut) {
			compared.add(p)
		} else {
			others.add(p)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(compared.list) == 0 || !a.Own && len(others.list) == 0 {
		return nil, errors.New("int16: too few games: there is none that the network was not calibrated on; name more of them")
	}
	if !a.Own {
		if err := fast.Calibrate(path, w, others.batch()); err != nil {
			return nil, err
		}
	}
	a.Calibration = w.Quantisation().Positions
	exact, err := fast.Float32.Open(path, w)
	if err != nil {
		return nil, err
	}
	quantised, err := fast.Int16.Open(path, w)
	if err != nil {
		return nil, err
	}
	a.Agreement, err = fast.Compare(exact, quantised, compared.batch())
	return a, err
}

// drawn is a position of a game.
type drawn struct {
	rules       *env.Rules
	position    env.Position
	repetitions int
}

// reservoir keeps some of the positions that it is given, each as likely as any other (Vitter's algorithm R).
type reservoir struct {
	want int // how many to keep, at most
	seen int // how many were given
	rng  *rand.Rand
	list []drawn // those that are kept
}

func (r *reservoir) add(p drawn) {
	r.seen++
	if len(r.list) < r.want {
		r.list = append(r.list, p)
	} else if i := r.rng.IntN(r.seen); i < r.want {
		r.list[i] = p
	}
}

func (r *reservoir) batch() *encode.Batch {
	b := encode.NewBatch()
	for i := range r.list {
		p := &r.list[i]
		encode.AppendRow(b, p.rules, &p.position, p.repetitions, p.rules.Legal(&p.position, nil))
	}
	return b
}

// eachPosition calls fn with every position of the files' games in which a move was played, each once: of a position
// that several games reach only the first game counts.
func eachPosition(files []string, fn func(g *datasets.Game, p drawn)) error {
	type key struct{ rules, position uint64 }
	met := map[key]bool{}
	var rules datasets.RuleSets
	for _, path := range files {
		for g, err := range datasets.ReadFile(path) {
			if err != nil {
				return err
			}
			r, err := rules.Of(g)
			if err == nil {
				_, err = g.Replay(r, func(game *env.Game, _ int) error {
					if k := (key{g.RulesHash, game.Position().Hash()}); !met[k] {
						met[k] = true
						fn(g, drawn{r, *game.Position(), game.Repetitions()})
					}
					return nil
				})
			}
			if err != nil {
				return fmt.Errorf("%s: game %d: %w", path, g.Number, err)
			}
		}
	}
	return nil
}
