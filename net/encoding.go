package net

import "synochess/env/encode"

// ScalarPlanes is the number of leading scalar inputs that enter the stem as constant planes.
const ScalarPlanes = encode.PlaneScalars

// Complete fills in the fields that belong to the encoding where they are zero.
func (a Arch) Complete() Arch {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&a.PolicyPlanes, encode.PolicyPlanes},
		{&a.Planes, encode.NumPlanes},
		{&a.Scalars, encode.NumScalars},
		{&a.EncodingVersion, encode.Version},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return a
}

// CheckEncoding reports why rows of this program's encoding do not fit the network.
func (a Arch) CheckEncoding() error {
	ours := Arch{Blocks: a.Blocks, Width: a.Width, ValueChannels: a.ValueChannels, ValueHidden: a.ValueHidden, FromTo: a.FromTo}.Complete()
	switch {
	case a.EncodingVersion > ours.EncodingVersion:
		return encodingError(a, ours, "use a newer synochess")
	case a != ours:
		return encodingError(a, ours, "train a new network, or use the synochess it was made with")
	}
	return nil
}
