package net

import (
	"fmt"

	"synochess/env/encode"
	"synochess/internal/setting"
)

// ScalarPlanes is the number of leading scalar inputs that enter the stem as constant planes.
const ScalarPlanes = encode.PlaneScalars

// Complete fills in the fields that belong to the encoding where they are zero. An encoding version that
// there is not leaves them as they are.
func (a Arch) Complete() Arch {
	if a.EncodingVersion == 0 {
		a.EncodingVersion = encode.DefaultVersion
	}
	planes, scalars, _ := encode.Inputs(a.EncodingVersion)
	for _, f := range []struct {
		field *int
		value int
	}{{&a.PolicyPlanes, encode.PolicyPlanes}, {&a.Planes, planes}, {&a.Scalars, scalars}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return a
}

// CheckChoice reports what a configuration cannot ask for.
func (a Arch) CheckChoice() error {
	if err := setting.Check(a); err != nil {
		return err
	}
	return a.Complete().Check()
}

// CheckEncoding reports why rows of this program's encoding do not fit the network.
func (a Arch) CheckEncoding() error {
	planes, scalars, ok := encode.Inputs(a.EncodingVersion)
	if ok && a.Planes == planes && a.Scalars == scalars && a.PolicyPlanes == encode.PolicyPlanes {
		return nil
	}
	remedy := "train a new network, or use the synochess it was made with"
	if a.EncodingVersion > encode.Version {
		remedy = "use a newer synochess"
	}
	theirs := fmt.Sprintf("the network was trained for encoding version %d (%d planes, %d scalars, %d policy planes)",
		a.EncodingVersion, a.Planes, a.Scalars, a.PolicyPlanes)
	if !ok {
		return fmt.Errorf("%s, this program has versions 1 to %d: %s", theirs, encode.Version, remedy)
	}
	return fmt.Errorf("%s, but that version has %d, %d and %d: %s", theirs, planes, scalars, encode.PolicyPlanes, remedy)
}
