package datasets

import (
	"fmt"
	"math"
)

// The scales of the 16-bit fixed-point columns: value = code / scale.
const (
	LogitScale = 512   // int16, -64 to +63.998
	ShareScale = 65535 // uint16, 0 to 1: policy, win, draw, loss
	QScale     = 32767 // int16, -1 to 1
)

// weightScale is the resolution of sample weights, which a Window adds up as integers.
const weightScale = 256

// shareTolerance is how far from 1 the shares given to Quantise may sum, the rounding of float32 sums.
const shareTolerance = 1e-3

func logitCode(x float32) int16 {
	return int16(min(max(math.Round(float64(x)*LogitScale), math.MinInt16), math.MaxInt16))
}
func logitValue(c int16) float32 { return float32(c) / LogitScale }

func shareCode(x float32) uint16  { return uint16(math.Round(float64(x) * ShareScale)) }
func shareValue(c uint16) float32 { return float32(float64(c) / ShareScale) }

func qCode(x float32) int16  { return int16(math.Round(float64(x) * QScale)) }
func qValue(c int16) float32 { return float32(float64(c) / QScale) }

// Quantise brings the floats of a ply to the fixed-point values that files hold, so that the game in
// memory equals the one that is read back. Give it all legal moves in Actions: the policy is scaled so
// that its codes sum to exactly ShareScale, and after a cheap search the moves without visits are then
// dropped, but for the one played. Logits saturate (minus infinity becomes -64). Quantising twice
// changes nothing. An error means that the search's numbers are wrong (not finite, negative, sums off):
// such a ply must not be stored.
func (p *Ply) Quantise() error {
	w := float64(p.SampleWeight) * weightScale
	if !(w >= 0 && w <= 255*weightScale) {
		return fmt.Errorf("sample weight is %v, want 0 to 255", p.SampleWeight)
	}
	p.SampleWeight = float32(math.Round(w) / weightScale)
	for i, wdl := range [2]*[3]float32{&p.Before, &p.After} {
		if *wdl == ([3]float32{}) {
			continue
		}
		var codes [3]uint16
		if err := quantiseShares(wdl[:], codes[:]); err != nil {
			return fmt.Errorf("win, draw, loss %s search: %w", [2]string{"before", "after"}[i], err)
		}
		for j, c := range codes {
			wdl[j] = shareValue(c)
		}
	}
	return p.quantiseActions()
}

func (p *Ply) quantiseActions() error {
	n := len(p.Actions)
	if n == 0 {
		return nil
	}
	shares, codes := make([]float32, n), make([]uint16, n)
	for i := range p.Actions {
		a := &p.Actions[i]
		if math.IsNaN(float64(a.Logit)) || math.IsInf(float64(a.Logit), 1) {
			return fmt.Errorf("action %d: logit is %v", i, a.Logit)
		}
		if !(a.Q >= -1 && a.Q <= 1) {
			return fmt.Errorf("action %d: q is %v, want -1 to 1", i, a.Q)
		}
		a.Logit, a.Q = logitValue(logitCode(a.Logit)), qValue(qCode(a.Q))
		shares[i] = a.Policy
	}
	if p.Search == CheapSearch && p.actionsQuantised() {
		return nil // moves may have been dropped already, so that the policy need not sum to 1
	}
	if err := quantiseShares(shares, codes); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	kept := p.Actions[:0]
	for i, a := range p.Actions {
		a.Policy = shareValue(codes[i])
		if p.Search != CheapSearch || a.Visits > 0 || a.Move == p.Move {
			kept = append(kept, a)
		}
	}
	p.Actions = kept
	return nil
}

// actionsQuantised reports whether every policy value is a fixed-point value and no move is left that
// quantising a cheap search would drop.
func (p *Ply) actionsQuantised() bool {
	for i := range p.Actions {
		a := &p.Actions[i]
		if !(a.Policy >= 0 && a.Policy <= 1) || a.Policy != shareValue(shareCode(a.Policy)) {
			return false
		}
		if a.Visits == 0 && a.Move != p.Move {
			return false
		}
	}
	return true
}

// quantiseShares writes codes in proportion to shares that sum to exactly ShareScale: each is rounded
// down, and what is missing goes to the largest remainders, the first among equals.
func quantiseShares(shares []float32, codes []uint16) error {
	sum := 0.0
	for i, s := range shares {
		if !(s >= 0 && s <= 1+shareTolerance) {
			return fmt.Errorf("share %d is %v, want 0 to 1", i, s)
		}
		sum += float64(s)
	}
	if math.Abs(sum-1) > shareTolerance {
		return fmt.Errorf("the %d shares sum to %v, want 1", len(shares), sum)
	}
	rest := make([]float64, len(shares))
	missing := ShareScale
	for i, s := range shares {
		exact := float64(float64(s)*ShareScale) / sum
		whole := math.Floor(exact)
		codes[i], rest[i] = uint16(whole), exact-whole
		missing -= int(whole)
	}
	for ; missing > 0; missing-- {
		best := 0
		for i := range rest {
			if rest[i] > rest[best] {
				best = i
			}
		}
		codes[best]++
		rest[best] = -1
	}
	return nil
}
