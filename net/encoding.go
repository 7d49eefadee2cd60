package net

// Complete fills in the fields that belong to the encoding where they are zero.
func (a Arch) Complete() Arch {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&a.PolicyPlanes, 81}, {&a.Planes, 19}, {&a.Scalars, 60}, {&a.EncodingVersion, 1},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return a
}
