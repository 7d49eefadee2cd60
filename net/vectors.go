package net

// TestVector is one input row with the outputs the network gave when it was saved.
type TestVector struct {
	Planes          []uint64
	Scalars, Scales []uint16
	RulesHash       uint64
	Moves           []uint16  // policy indices
	Logits          []float32 // one for each of Moves
	WDL             [3]float32
}
