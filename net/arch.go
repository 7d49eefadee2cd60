package net

import (
	"fmt"
	"math"
	"strconv"

	"synochess/env/encode"
)

// Epsilon is added to a variance before its square root in every batch norm.
const Epsilon = 1e-5

// Arch is what fixes the shapes of all tensors. The first five fields are free choices; the others
// come from the encoding (Complete).
type Arch struct {
	Blocks        int `yaml:"blocks" json:"blocks"`                 // residual blocks of two convolutions, 0 to 64
	Width         int `yaml:"width" json:"width"`                   // filters, 1 to 1024
	ValueChannels int `yaml:"value_channels" json:"value_channels"` // channels of the value head, 1 to 256
	ValueHidden   int `yaml:"value_hidden" json:"value_hidden"`     // hidden units of the value head, 1 to 4096
	FromTo        int `yaml:"from_to" json:"from_to,omitempty"`     // channels of the policy's from-to term, 0 (none) to 256

	EncodingVersion int `yaml:"encoding" json:"-"` // version of the inputs (package encode); 0: its DefaultVersion

	PolicyPlanes int `yaml:"-" json:"policy_planes"` // policy indices / 64
	Planes       int `yaml:"-" json:"planes"`        // binary planes it reads, the first of a row's
	Scalars      int `yaml:"-" json:"scalars"`       // scalar inputs it reads, the first of a row's
}

// InputPlanes returns the number of planes the stem's convolution reads.
func (a Arch) InputPlanes() int { return a.Planes + ScalarPlanes }

// VectorLen returns the length of the vector that is projected into the stem.
func (a Arch) VectorLen() int { return a.Scalars - ScalarPlanes }

// Check reports the first field that is out of range.
func (a Arch) Check() error {
	for _, f := range []struct {
		name     string
		val      int
		min, max int
	}{
		{"blocks", a.Blocks, 0, 64},
		{"width", a.Width, 1, 1024},
		{"value_channels", a.ValueChannels, 1, 256},
		{"value_hidden", a.ValueHidden, 1, 4096},
		{"from_to", a.FromTo, 0, 256},
		{"policy_planes", a.PolicyPlanes, 1, 1024},
		{"planes", a.Planes, 1, 1024},
		{"scalars", a.Scalars, ScalarPlanes + 1, 1024},
		{"encoding_version", a.EncodingVersion, 1, 1 << 20},
	} {
		if f.val < f.min || f.val > f.max {
			return fmt.Errorf("network architecture: %s is %d, must be %d to %d", f.name, f.val, f.min, f.max)
		}
	}
	if a.FromTo > 0 && a.PolicyPlanes > encode.PolicyPlanes {
		return fmt.Errorf("network architecture: policy_planes is %d, but a from-to term knows the squares of %d: use from_to 0 or the encoding's planes",
			a.PolicyPlanes, encode.PolicyPlanes)
	}
	return nil
}

// FromToScale is the factor of the from-to term's products, 1/sqrt(FromTo): whatever their number, they
// are of the size of one.
func (a Arch) FromToScale() float32 { return float32(1 / math.Sqrt(float64(a.FromTo))) }

// shape is the name and shape of one tensor.
type shape struct {
	name string
	dims []int
}

func (s shape) len() int {
	n := 1
	for _, d := range s.dims {
		n *= d
	}
	return n
}

// shapes lists the architecture's tensors in their fixed order (doc.go).
func (a Arch) shapes() []shape {
	w := a.Width
	var list []shape
	add := func(name string, dims ...int) { list = append(list, shape{name, dims}) }
	norm := func(name string) {
		for _, part := range []string{"scale", "bias", "mean", "var"} {
			add(name+".bn."+part, w)
		}
	}
	add("stem.conv.weight", 9*a.InputPlanes(), w)
	add("stem.vector.weight", a.VectorLen(), w)
	norm("stem")
	for i := range a.Blocks {
		for _, conv := range []string{".conv1", ".conv2"} {
			name := "block" + strconv.Itoa(i) + conv
			add(name+".weight", 9*w, w)
			norm(name)
		}
	}
	add("policy.weight", w, a.PolicyPlanes)
	add("policy.bias", a.PolicyPlanes)
	if a.FromTo > 0 {
		add("policy.from.weight", w, a.FromTo)
		add("policy.to.weight", w, a.FromTo)
	}
	add("value.conv.weight", w, a.ValueChannels)
	add("value.conv.bias", a.ValueChannels)
	add("value.fc1.weight", 64*a.ValueChannels, a.ValueHidden)
	add("value.fc1.bias", a.ValueHidden)
	add("value.fc2.weight", a.ValueHidden, 3)
	add("value.fc2.bias", 3)
	return list
}
