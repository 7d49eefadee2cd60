package fast

import (
	"math/bits"
	"slices"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
)

// baseSlots is how many rule sets' bases are kept; a power of two.
const baseSlots = 32

// stem computes relu(bn(conv(planes) + vector*projection)) of one row.
type stem struct {
	path  *kernels.Path
	arch  net.Arch
	width int
	// taps holds the folded filter of each plane, [plane][ky][2-kx][channel]: for a bit at (rank, file)
	// the three outputs of rank+1-ky lie side by side, as their weights do.
	taps  []float32
	full  []float32 // [plane][square][channel], the output for a plane of ones
	proj  []float32 // [scalar-ScalarPlanes][channel], the folded projection of the vector
	shift []float32 // [channel], what batch norm adds
	rank  []float32 // [file][channel], scratch: what the position's scalars add to each square of a rank, the same everywhere
	bases [baseSlots]base
}

// base is the part of the stem's output that the rule set decides, with the inputs it was made from.
type base struct {
	planes          []uint64
	scalars, scales []uint16
	sum             []float32 // [square][channel], nil while the slot is empty
}

func newStem(w *net.Weights, path *kernels.Path) *stem {
	l := w.Arch.Tower()[0]
	n, width, planes := w.Norm(l), l.Out, l.In
	s := &stem{
		path:  path,
		arch:  w.Arch,
		width: width,
		taps:  make([]float32, planes*9*width),
		full:  make([]float32, planes*64*width),
		proj:  n.Fold(w.Tensor(l.VectorWeight()).Data),
		shift: n.Shift,
		rank:  make([]float32, 8*width),
	}
	conv := n.Fold(w.Tensor(l.Weight()).Data)
	for p := range planes {
		for tap := range 9 {
			from := conv[(tap*planes+p)*width:][:width]
			copy(s.taps[(p*9+tap/3*3+2-tap%3)*width:], from)
		}
	}
	for p := range planes {
		s.addBits(s.full[p*64*width:(p+1)*64*width], p, ^uint64(0))
	}
	return s
}

// twin returns a stem with scratch and bases of its own.
func (s *stem) twin() *stem {
	return &stem{
		path: s.path, arch: s.arch, width: s.width, taps: s.taps, full: s.full, proj: s.proj, shift: s.shift,
		rank: make([]float32, len(s.rank)),
	}
}

// run computes a row's output x[square][channel]. The row may hold more inputs than the network reads.
func (s *stem) run(x []float32, row encode.Row) {
	b := s.base(row)
	planes, scalars, scales := row.Planes, row.Scalars, row.Scales
	added := s.rank[:s.width]
	clear(added)
	for i := net.ScalarPlanes; i < encode.FirstRuleScalar; i++ {
		s.addScalar(added, i, scalars[i], scales[i])
	}
	for i := encode.EndRuleScalars; i < s.arch.Scalars; i++ {
		s.addScalar(added, i, scalars[i], scales[i])
	}
	for at := s.width; at < len(s.rank); at += s.width {
		copy(s.rank[at:], added)
	}
	copy(x, b)
	for at := 0; at < len(x); at += len(s.rank) {
		s.path.Add(x[at:at+len(s.rank)], s.rank)
	}
	for p, mask := range planes[:encode.FirstRulePlane] {
		s.addPlane(x, p, mask)
	}
	for p := encode.EndRulePlanes; p < s.arch.Planes; p++ {
		s.addPlane(x, p, planes[p])
	}
	for i := range net.ScalarPlanes {
		if scalars[i] != 0 {
			p := s.arch.Planes + i
			s.path.AddScaled(x, s.full[p*len(x):(p+1)*len(x)], input(scalars[i], scales[i]))
		}
	}
	s.path.ReLU(x)
}

// base returns the rule set's part of the output, from its slot if the slot was made from the same
// inputs.
func (s *stem) base(row encode.Row) []float32 {
	planes := row.Planes[encode.FirstRulePlane:encode.EndRulePlanes]
	scalars, scales := row.Scalars[encode.FirstRuleScalar:encode.EndRuleScalars], row.Scales[encode.FirstRuleScalar:encode.EndRuleScalars]
	b := &s.bases[row.RulesHash%baseSlots]
	if b.sum != nil && slices.Equal(b.planes, planes) && slices.Equal(b.scalars, scalars) && slices.Equal(b.scales, scales) {
		return b.sum
	}
	if b.sum == nil {
		b.sum = make([]float32, 64*s.width)
	}
	b.planes = append(b.planes[:0], planes...)
	b.scalars, b.scales = append(b.scalars[:0], scalars...), append(b.scales[:0], scales...)
	copy(b.sum, s.shift)
	for i, v := range scalars {
		s.addScalar(b.sum[:s.width], encode.FirstRuleScalar+i, v, scales[i])
	}
	for at := s.width; at < len(b.sum); at += s.width {
		copy(b.sum[at:], b.sum[:s.width])
	}
	for i, mask := range planes {
		s.addBits(b.sum, encode.FirstRulePlane+i, mask)
	}
	return b.sum
}

// addScalar adds the projection of scalar input i to the channels of one square.
func (s *stem) addScalar(to []float32, i int, scalar, scale uint16) {
	if scalar != 0 {
		s.path.AddScaled(to, s.proj[(i-net.ScalarPlanes)*s.width:][:s.width], input(scalar, scale))
	}
}

// addPlane adds the convolution of a binary plane, which may be full, to the whole output x.
func (s *stem) addPlane(x []float32, plane int, mask uint64) {
	if mask == ^uint64(0) {
		s.path.Add(x, s.full[plane*len(x):(plane+1)*len(x)])
	} else {
		s.addBits(x, plane, mask)
	}
}

// addBits adds the convolution of a binary plane to x.
func (s *stem) addBits(x []float32, plane int, mask uint64) {
	w := s.width
	for ; mask != 0; mask &= mask - 1 {
		square := bits.TrailingZeros64(mask)
		rank, file := square>>3, square&7
		left, right := max(file-1, 0), min(file+1, 7)
		for ky := max(rank-6, 0); ky <= min(rank+1, 2); ky++ {
			row := (rank + 1 - ky) * 8
			taps := s.taps[((plane*3+ky)*3+left-file+1)*w:]
			s.path.Add(x[(row+left)*w:(row+right+1)*w], taps[:(right-left+1)*w])
		}
	}
}

// input is the value of a scalar input.
func input(scalar, scale uint16) float32 { return float32(scalar) / float32(scale) }
