package net

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// PrecisionInt16 names the quantised arithmetic that a Quantisation is for.
const PrecisionInt16 = "int16"

// Quantisation is what was measured of a network's activations on real positions, so that its blocks can
// run in 16-bit integers. Package fast makes it (fast.Calibrate).
type Quantisation struct {
	// Limits holds for each convolution of the blocks, in order, and each channel that it reads the largest
	// activation to tell from larger ones: [2*Blocks][Width], finite and positive.
	Limits [][]float32 `json:"limits"`
	// Positions is the number of positions that were measured.
	Positions int `json:"positions"`
}

// Check reports limits that do not fit the architecture or cannot be.
func (q *Quantisation) Check(a Arch) error {
	if len(q.Limits) != 2*a.Blocks {
		return fmt.Errorf("there are limits for %d convolutions, the architecture has %d; calibrate again", len(q.Limits), 2*a.Blocks)
	}
	for i, limits := range q.Limits {
		if len(limits) != a.Width {
			return fmt.Errorf("convolution %d has limits for %d channels, the architecture has %d; calibrate again", i, len(limits), a.Width)
		}
		for c, v := range limits {
			if !(v > 0) || v-v != 0 {
				return fmt.Errorf("the limit of convolution %d, channel %d is %v, must be positive and finite; calibrate again", i, c, v)
			}
		}
	}
	return nil
}

func (q *Quantisation) clone() *Quantisation {
	if q == nil {
		return nil
	}
	c := *q
	c.Limits = make([][]float32, len(q.Limits))
	for i, l := range q.Limits {
		c.Limits[i] = slices.Clone(l)
	}
	return &c
}

// Quantisation returns what SetQuantisation set or the file brought, or nil if there is none or the
// tensors have changed since. It is not to be changed.
func (w *Weights) Quantisation() *Quantisation {
	if w.quantisation == nil || w.quantisationOf != w.EvalID() {
		return nil
	}
	return w.quantisation
}

// SetQuantisation records a quantisation of the network as it is now; nil removes it.
func (w *Weights) SetQuantisation(q *Quantisation) error {
	if q == nil {
		w.quantisation, w.quantisationOf = nil, ""
		return nil
	}
	if err := q.Check(w.Arch); err != nil {
		return fmt.Errorf("quantisation: %w", err)
	}
	w.quantisation, w.quantisationOf = q.clone(), w.EvalID()
	return nil
}

// QuantisedID is EvalID for the network run in 16-bit integers: precision and limits enter it as well. It
// is empty if there is no quantisation.
func (w *Weights) QuantisedID() string {
	q := w.Quantisation()
	if q == nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", w.quantisationOf, PrecisionInt16)
	for _, limits := range q.Limits {
		h.Write(appendFloats(nil, limits))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
