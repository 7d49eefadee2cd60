package selfplay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/portable"
	"synochess/internal/stats"
)

// A handicap is what Go calls komi: a start position that makes a lopsided game even, so that the value
// head sees games that either army may win (KataGo gives its weaker side stones and points for the same
// reason). Here it is a start without some pieces, with more or fewer Soldiers in hand, or with the other
// army to move.
type handicap struct {
	removed [len(handicapPieces)]int // pieces taken off the start, by kind
	soldier int                      // Soldiers added to the hand, less than 0 if taken
	flipped bool                     // the other army moves first
}

// handicapPieces are the kinds that may be missing, as FEN letters; the Horse's stands for either letter.
const handicapPieces = "QRBNPrhcea"

const (
	maxRemoved  = 2 // pieces missing at most
	maxSoldiers = 3 // Soldiers added or taken at most
)

// What is believed of a handicap's effect on logit(Western score) before any game was played with it, from
// rough piece values in Pawns. pawnEffect, in logits, is what a Pawn is worth in a young network's games; later
// the games themselves say more.
var (
	handicapValues = [len(handicapPieces)]float64{9, 5, 3, 3, 1, -5, -3, -3, -1.5, -1}
	pawnEffect     = 0.2
	soldierBelief  = stats.Belief{Mean: -0.2, SD: 0.2}
	flipBelief     = stats.Belief{Mean: -0.2, SD: 0.3}
	armyBelief     = stats.Belief{Mean: 0, SD: 2}
)

// evenness is the width, in logits, of what counts as near even; each change of the start halves a
// handicap's weight, so that simple ones are preferred.
const (
	evenness    = 0.4
	changeShare = 0.5
)

// Handicaps draws start positions from which the score is expected to be near even, one list for each
// built-in rule set of a run. It follows from finished games alone.
type Handicaps struct {
	byGroup map[uint64]*handicapList // by GroupHash of the base
}

// handicapList is what may be drawn for a rule set.
type handicapList struct {
	rules   *env.Rules
	start   string // FEN
	menu    []handicap
	weights []float64 // [menu]
	sum     float64
}

// NewHandicaps fits, for each base rule set, how the Western score depends on what a start lacks. It fits to the
// games that began at the rule set's start or at one of its handicaps, and then weighs all handicaps by how near to
// even they are expected to be.
func NewHandicaps(bases []*env.Rules, games []*datasets.Game) (*Handicaps, error) {
	h := &Handicaps{byGroup: map[uint64]*handicapList{}}
	for _, r := range bases {
		if h.byGroup[r.GroupHash()] != nil {
			continue // the same but for the start
		}
		list, err := newHandicapList(r, games)
		if err != nil {
			return nil, fmt.Errorf("handicaps of %s: %w", r.Name, err)
		}
		h.byGroup[r.GroupHash()] = list
	}
	return h, nil
}

func newHandicapList(r *env.Rules, games []*datasets.Game) (*handicapList, error) {
	start := r.StartPosition()
	l := &handicapList{rules: r, start: r.FEN(&start)}
	there, armyFirst := countLetters(l.start), start.SideToMove()
	var x [][]float64
	var y []float64
	for _, g := range games {
		score, ok := g.ScoreFor(env.Western)
		if !ok || g.GroupHash != r.GroupHash() || g.Start != datasets.FromStart && g.Start != datasets.FromHandicap {
			continue
		}
		var found handicap
		now := countLetters(g.StartFEN)
		for i := range found.removed {
			found.removed[i] = there[i] - now[i]
		}
		found.soldier = now[len(handicapPieces)] - there[len(handicapPieces)]
		found.flipped = g.FirstMover() != armyFirst
		x, y = append(x, found.features()), append(y, score)
	}
	beta, err := stats.Logistic(x, y, handicapBeliefs(armyFirst))
	if err != nil {
		return nil, err
	}
	// The last bits of a fit depend on the processor, and on them a game must not.
	for i := range beta {
		beta[i] = math.Round(beta[i]*4096) / 4096
	}
	l.fill(there, start.Hand(), beta)
	return l, nil
}

// features is the handicap as the regression sees it: 1, the pieces missing, the Soldiers added, who begins.
func (h *handicap) features() []float64 {
	f := []float64{1}
	for _, n := range h.removed {
		f = append(f, float64(n))
	}
	flipped := 0.0
	if h.flipped {
		flipped = 1
	}
	return append(f, float64(h.soldier), flipped)
}

// handicapBeliefs are the beliefs about the features' coefficients.
func handicapBeliefs(first env.Army) []stats.Belief {
	all := []stats.Belief{armyBelief}
	for _, v := range handicapValues {
		all = append(all, stats.Belief{Mean: -pawnEffect * v, SD: 0.1 + 0.5*pawnEffect*math.Abs(v)})
	}
	flip := flipBelief
	if first == env.Eastern {
		flip.Mean = -flip.Mean
	}
	return append(all, soldierBelief, flip)
}

// changes counts what differs from the start.
func (h *handicap) changes() int {
	n := max(h.soldier, -h.soldier)
	for _, r := range h.removed {
		n += r
	}
	if h.flipped {
		n++
	}
	return n
}

// fill lists every handicap with its weight. there counts the start's pieces (countLetters), hand is its Soldiers
// in hand, and beta holds the coefficients of features.
func (l *handicapList) fill(there [len(handicapPieces) + 1]int, hand int, beta []float64) {
	var grow func(kind, left int, h handicap)
	grow = func(kind, left int, h handicap) {
		if kind == len(handicapPieces) {
			for h.soldier = -min(hand, maxSoldiers); h.soldier <= min(maxSoldiers, env.MaxHand-there[len(handicapPieces)]); h.soldier++ {
				for _, h.flipped = range []bool{false, true} {
					if h.changes() == 0 {
						continue // the start itself
					}
					logit := 0.0
					for i, f := range h.features() {
						logit += float64(f * beta[i])
					}
					w := portable.Exp(-0.5*(logit/evenness)*(logit/evenness)) * math.Pow(changeShare, float64(h.changes()))
					l.menu, l.weights, l.sum = append(l.menu, h), append(l.weights, w), l.sum+w
				}
			}
			return
		}
		for n := 0; n <= min(left, there[kind]); n++ {
			h.removed[kind] = n
			grow(kind+1, left-n, h)
		}
	}
	grow(0, maxRemoved, handicap{})
}

// Draw returns a rule set derived from base whose start is a handicap. ok is false if base has none: it is not
// among those that h was made for, or no handicap comes near to even.
func (h *Handicaps) Draw(base *env.Rules, rng *rand.Rand) (r *env.Rules, ok bool) {
	l := h.byGroup[base.GroupHash()]
	if l == nil || base.Hash() != l.rules.Hash() || l.sum < 1e-12 {
		return nil, false
	}
	const tries = 20 // a start without a piece may be refused: it gives check, or makes a faceoff
	for range tries {
		x, i := float64(rng.Float64()*l.sum), 0
		for ; i < len(l.menu)-1 && x >= l.weights[i]; i++ {
			x -= l.weights[i]
		}
		if r, err := l.rules.With(map[string]any{"start": l.menu[i].apply(l.start, rng)}); err == nil {
			return r, true
		}
	}
	return nil, false
}

// letterKind returns a FEN letter's place in handicapPieces, after them for a Soldier, -1 for the others.
func letterKind(c byte) int {
	switch c {
	case 'n':
		c = 'h'
	case 's':
		return len(handicapPieces)
	}
	return strings.IndexByte(handicapPieces, c)
}

// countLetters counts the pieces of a FEN by kind, the hand included.
func countLetters(fen string) (n [len(handicapPieces) + 1]int) {
	board, _, _ := strings.Cut(fen, " ")
	for i := range len(board) {
		if k := letterKind(board[i]); k >= 0 {
			n[k]++
		}
	}
	return n
}
