package encode

import (
	"fmt"
	"math/bits"

	"synochess/env"
)

// Decode returns the position of a row and its number of earlier occurrences (0 to 2). The move number
// is not encoded and comes back as 1; a ply count beyond the limit comes back as the limit. The error
// names what no encoder could have written.
func Decode(r Row) (p env.Position, repetitions int, err error) {
	planes, scalars := r.Planes, r.Scalars
	if len(planes) != NumPlanes || len(scalars) != NumScalars || len(r.Scales) != NumScalars {
		return p, 0, fmt.Errorf("encode: a row of %d planes, %d scalars and %d scales is not of encoding version %d (%d planes, %d scalars)",
			len(planes), len(scalars), len(r.Scales), Version, NumPlanes, NumScalars)
	}
	if err := check(planes, scalars, r.Scales); err != nil {
		return p, 0, fmt.Errorf("encode: %w", err)
	}
	var pieces [env.NumPieces]uint64
	copy(pieces[env.Pawn:], planes)
	side := env.Western
	if planes[PlaneEastern] != 0 {
		side = env.Eastern
	}
	p = env.Assemble(pieces, int(scalars[ScalarHand]), side, planes[planeKingside] != 0, planes[planeQueenside] != 0,
		int(scalars[scalarPlies]), 1)
	return p, int(scalars[scalarRepeated]), nil
}

// check returns an error for what no encoder could have written; scales has the length of scalars.
func check(planes []uint64, scalars, scales []uint16) error {
	var occupied uint64
	for plane, mask := range planes[:env.Chancellor] {
		if occupied&mask != 0 {
			return fmt.Errorf("plane %d has a piece where another stands", plane)
		}
		occupied |= mask
	}
	if bits.OnesCount64(planes[env.King-1]) != 1 || bits.OnesCount64(planes[env.Chancellor-1]) != 1 {
		return fmt.Errorf("planes %d and %d must hold one royal each", env.King-1, env.Chancellor-1)
	}
	for plane := planeKingside; plane <= PlaneEastern; plane++ {
		if planes[plane] != 0 && planes[plane] != ^uint64(0) {
			return fmt.Errorf("plane %d is neither full nor empty", plane)
		}
	}
	for i := range scalars {
		if scalars[i] > scales[i] {
			return fmt.Errorf("scalar %d is %d/%d, more than 1", i, scalars[i], scales[i])
		}
	}
	if scales[scalarRepeated] != maxRepetitions || scales[ScalarHand] != handScale {
		return fmt.Errorf("the scales of repetitions and hand are %d and %d, not %d and %d",
			scales[scalarRepeated], scales[ScalarHand], maxRepetitions, handScale)
	}
	var boards [env.NumPieces]uint64
	copy(boards[env.Pawn:], planes)
	var counts [len(materialKinds)]uint16
	material(&boards, counts[:])
	for i, n := range counts {
		if at := scalarMaterial + i; scalars[at] != n || scales[at] != materialScales[i] {
			return fmt.Errorf("scalar %d is %d/%d, its plane says %d/%d", at, scalars[at], scales[at], n, materialScales[i])
		}
	}
	return nil
}
