package graph

import (
	"fmt"
	"math/bits"

	"synochess/env/encode"
	"synochess/net"
)

// Example is one position to train or measure on: its row, which may hold more inputs than the network reads, as rows
// of a newer encoding do, and the targets.
type Example struct {
	encode.Row

	Policy       []float32  // [len(Moves)], sum 1; may be nil if PolicyWeight is 0
	PolicyWeight float32    // factor of the policy's cross entropy, 0 for no target
	WDL          [3]float32 // win, draw, loss for the mover, sum 1
	ValueWeight  float32    // factor of the value's cross entropy, 0 for no target
}

// SetRows writes a batch of examples. Fewer than the batch size may be measured but not trained.
func (g *Graph) SetRows(rows []*Example) error {
	if len(rows) > g.batch {
		return fmt.Errorf("training graph: %d rows for a batch of %d", len(rows), g.batch)
	}
	g.filled = 0
	for _, h := range g.layers.all() {
		clear(h.weight.data[len(rows):])
	}
	g.pool.Each(len(rows), func(i int) { g.wrong[i] = g.setRow(i, rows[i]) })
	for i, err := range g.wrong[:len(rows)] {
		if err != nil {
			return fmt.Errorf("training graph: row %d: %w", i, err)
		}
	}
	g.filled = len(rows)
	return nil
}

func (g *Graph) setRow(i int, r *Example) error {
	a := g.arch
	if len(r.Planes) < a.Planes || len(r.Scalars) < a.Scalars || len(r.Scales) != len(r.Scalars) {
		return fmt.Errorf("%d planes and %d scalars, the network reads %d and %d", len(r.Planes), len(r.Scalars), a.Planes, a.Scalars)
	}
	g.setInputs(i, r.First(a.Planes, a.Scalars))
	g.layers.value.weight.data[i] = r.ValueWeight
	copy(g.layers.value.target.data[3*i:], r.WDL[:])
	return g.setPolicy(i, r)
}

// setInputs writes what the network reads of a row.
func (g *Graph) setInputs(i int, r encode.Row) {
	a := g.arch
	n := a.InputPlanes()
	board, vector := g.layers.boards.data[i*100*n:(i+1)*100*n], g.layers.vector.data[i*a.VectorLen():]
	clear(board)
	for p, mask := range r.Planes {
		for ; mask != 0; mask &= mask - 1 {
			s := bits.TrailingZeros64(mask)
			board[(s>>3*10+s&7+11)*n+p] = 1
		}
	}
	for j := range r.Scalars {
		v := float32(r.Scalars[j]) / float32(r.Scales[j])
		if j >= net.ScalarPlanes {
			vector[j-net.ScalarPlanes] = v
			continue
		}
		for s := range 64 {
			board[(s>>3*10+s&7+11)*n+a.Planes+j] = v
		}
	}
}

// setPolicy writes the policy's target, -1 for what is not a legal move. A position without one keeps an old one, which
// has no weight.
func (g *Graph) setPolicy(i int, r *Example) error {
	g.layers.policy.weight.data[i] = r.PolicyWeight
	if r.PolicyWeight == 0 {
		return nil
	}
	if len(r.Policy) != len(r.Moves) {
		return fmt.Errorf("%d policy targets for %d legal moves", len(r.Policy), len(r.Moves))
	}
	planes := g.arch.PolicyPlanes
	size := 64 * planes
	target := g.layers.policy.target.data[i*size : (i+1)*size]
	copy(target, g.masked)
	for j, m := range r.Moves {
		if int(m) >= size {
			return fmt.Errorf("policy index %d is not below %d", m, size)
		}
		target[int(m&63)*planes+int(m>>6)] = r.Policy[j]
	}
	return nil
}
