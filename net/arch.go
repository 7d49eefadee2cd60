package net

import (
	"fmt"
	"math"
	"strconv"

	"synochess/env/encode"
	"synochess/internal/setting"
)

// Epsilon is added to a variance before its square root in every batch norm.
const Epsilon = 1e-5

// Arch is what fixes the shapes of all tensors. The first five fields are free choices; the others
// come from the encoding (Complete).
type Arch struct {
	Blocks        int `yaml:"blocks" json:"blocks" range:"[0,64]"`                  // residual blocks of two convolutions
	Width         int `yaml:"width" json:"width" range:"[1,1024]"`                  // filters
	ValueChannels int `yaml:"value_channels" json:"value_channels" range:"[1,256]"` // channels of the value head
	ValueHidden   int `yaml:"value_hidden" json:"value_hidden" range:"[1,4096]"`    // hidden units of the value head
	FromTo        int `yaml:"from_to" json:"from_to,omitempty" range:"[0,256]"`     // channels of the policy's from-to term; 0: none

	EncodingVersion int `yaml:"encoding" json:"-" range:"[0,3]"` // version of the inputs (package encode); 0: its DefaultVersion

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
	choice := a
	choice.EncodingVersion = 0 // a file's may be that of a newer program, which CheckEncoding tells
	if err := setting.Check(choice); err != nil {
		return fmt.Errorf("network architecture: %w", err)
	}
	for _, f := range []struct {
		name     string
		val      int
		min, max int
	}{
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
