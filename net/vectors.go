package net

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// TestVector is one input row with the outputs the network gives for it. A weights file carries a few,
// so that a program in which the network would play differently refuses it instead.
type TestVector struct {
	Planes    []Mask     `json:"planes"`
	Scalars   []uint16   `json:"scalars"`
	Scales    []uint16   `json:"scales"`
	RulesHash Mask       `json:"rules_hash"`
	Moves     []uint16   `json:"moves"`  // policy indices
	Logits    []float32  `json:"logits"` // one for each of Moves
	WDL       [3]float32 `json:"wdl"`    // win, draw, loss for the mover
}

// Mask is 64 bits, in JSON a string of 16 hexadecimal digits, for JSON's numbers do not hold 64 bits
// everywhere.
type Mask uint64

// MarshalJSON is part of json.Marshaler.
func (m Mask) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "\"%016x\"", uint64(m)), nil }

// UnmarshalJSON is part of json.Unmarshaler.
func (m *Mask) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil || len(s) != 16 {
		return fmt.Errorf("mask %q is not 16 hexadecimal digits", s)
	}
	*m = Mask(v)
	return nil
}

// Vectors returns the test vectors, or nil if the tensors have changed since they were set.
func (w *Weights) Vectors() []TestVector {
	if len(w.vectors) == 0 || w.vectorsOf != w.EvalID() {
		return nil
	}
	return w.vectors
}

// SetVectors records outputs of the network as it is now. Package fast makes them.
func (w *Weights) SetVectors(v []TestVector) {
	w.vectors, w.vectorsOf = v, w.EvalID()
}
