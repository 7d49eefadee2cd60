package net

import (
	"fmt"
	"math"

	"synochess/env/encode"
	"synochess/internal/setting"
)

// Epsilon is added to a variance before its square root in every batch norm.
const Epsilon = 1e-5

// Arch is what fixes the shapes of all tensors. A configuration chooses the fields that have a yaml name; the others
// follow from the encoding version (Complete).
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
