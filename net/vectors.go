package net

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"synochess/env/encode"
)

// TestVector is one input row with the outputs the network gives for it. A weights file carries a few,
// so that a program in which the network would play differently refuses it instead.
type TestVector struct {
	encode.Row            // as the network reads it
	Logits     []float32  // one for each of Moves
	WDL        [3]float32 // win, draw, loss for the mover
}

// vectorText is a TestVector in JSON.
type vectorText struct {
	Planes    []mask     `json:"planes"`
	Scalars   []uint16   `json:"scalars"`
	Scales    []uint16   `json:"scales"`
	RulesHash mask       `json:"rules_hash"`
	Moves     []uint16   `json:"moves"` // policy indices
	Logits    []float32  `json:"logits"`
	WDL       [3]float32 `json:"wdl"`
}

// MarshalJSON is part of json.Marshaler.
func (v TestVector) MarshalJSON() ([]byte, error) {
	text := vectorText{nil, v.Scalars, v.Scales, mask(v.RulesHash), v.Moves, v.Logits, v.WDL}
	for _, p := range v.Planes {
		text.Planes = append(text.Planes, mask(p))
	}
	return json.Marshal(text)
}

// UnmarshalJSON is part of json.Unmarshaler. A field it does not know is an error.
func (v *TestVector) UnmarshalJSON(data []byte) error {
	var text vectorText
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&text); err != nil {
		return err
	}
	row := encode.Row{Scalars: text.Scalars, Scales: text.Scales, RulesHash: uint64(text.RulesHash), Moves: text.Moves}
	for _, p := range text.Planes {
		row.Planes = append(row.Planes, uint64(p))
	}
	*v = TestVector{row, text.Logits, text.WDL}
	return nil
}

// mask is 64 bits, in JSON a string of 16 hexadecimal digits, because not every reader's numbers hold 64 bits.
type mask uint64

// MarshalJSON is part of json.Marshaler.
func (m mask) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "\"%016x\"", uint64(m)), nil }

// UnmarshalJSON is part of json.Unmarshaler.
func (m *mask) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil || len(s) != 16 {
		return fmt.Errorf("mask %q is not 16 hexadecimal digits", s)
	}
	*m = mask(v)
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
