package kernels

import "math"

// Int16Top is the largest quantised activation. 68*481 = 32708 is the largest magnitude the input transform
// of F(4x4,3x3) gives for activations from 0 to 481, so it is exact in 16 bits.
const Int16Top = 481

const (
	int16Points = 36 // [6 down the files][6 along the ranks], of 6x6 inputs
	int16Tiles  = 4  // a board in quarters: rank half * 2 + file half
)

// Int16Conv is a 3x3 convolution of the residual blocks in the form the quantised trunks read: Winograd
// F(4x4,3x3) with activations and transformed weights in 16 bits and sums in 32. The transform of the
// inputs and the sums are exact; they overflow for no input. Each sum times its Scale is a float32, and so
// is all that follows up to the rounding to the next layer's activations.
type Int16Conv struct {
	U     []int16   // [point][in][out]
	Scale []float32 // [point][out], output units of one unit of the sum
	Bias  []float32 // [out], in output units
	Skip  []float32 // [out], output units of one unit of the skip connection; nil in the first of a block
}

// Int16Trunk is a stack of residual blocks with quantised activations.
type Int16Trunk struct {
	Width int
	// Enter holds for each channel the activation units of one unit of the trunk's input.
	Enter []float32
	// Convs are two for each block. Output units are activation units of the next layer; those of the
	// last layer are what the trunk gives.
	Convs []Int16Conv
}

// QuantiseTrunk quantises convolutions. limits[i][c] is the largest activation of channel c that layer i
// is to read; what is larger counts as that. Weights and limits are finite and limits positive.
func QuantiseTrunk(width int, convs []Conv, limits [][]float32) *Int16Trunk {
	t := &Int16Trunk{Width: width, Enter: make([]float32, width)}
	if len(convs) > 0 {
		for c := range t.Enter {
			t.Enter[c] = float32(Int16Top / float64(limits[0][c]))
		}
	}
	unit := func(layer, c int) float64 {
		if layer == len(convs) {
			return 1
		}
		return float64(limits[layer][c]) / Int16Top
	}
	for i, c := range convs {
		q := quantiseConv(width, c, func(in int) float64 { return unit(i, in) }, func(out int) float64 { return unit(i+1, out) })
		if i%2 == 1 {
			q.Skip = make([]float32, width)
			for o := range q.Skip {
				q.Skip[o] = float32(unit(i-1, o) / unit(i+1, o))
			}
		}
		t.Convs = append(t.Convs, q)
	}
	return t
}

// quantiseConv quantises one convolution; in and out are the sizes of one activation unit. At each point
// the weights of an output share the largest scale at which neither they nor any sum can overflow.
func quantiseConv(width int, c Conv, in, out func(c int) float64) Int16Conv {
	q := Int16Conv{
		U:     make([]int16, int16Points*width*width),
		Scale: make([]float32, int16Points*width),
		Bias:  make([]float32, width),
	}
	column := make([][int16Points]float64, width)
	for o := range width {
		q.Bias[o] = float32(float64(c.Bias[o]) / out(o))
		for i := range column {
			unit := in(i)
			column[i] = int16Filter(func(tap int) float64 { return unit * float64(c.Weight[(tap*width+i)*width+o]) })
		}
		for p := range int16Points {
			sum, most := 0., 0.
			for i := range column {
				sum += math.Abs(column[i][p])
				most = max(most, math.Abs(column[i][p]))
			}
			if sum == 0 {
				continue
			}
			// Rounding adds at most a half to each weight.
			room := math.MaxInt32/int16Reach(p) - float64(float64(width)/2)
			f := min(room/sum, math.MaxInt16/most)
			q.Scale[p*width+o] = float32(1 / (f * out(o)))
			for i := range column {
				q.U[(p*width+i)*width+o] = int16(math.RoundToEven(f * column[i][p]))
			}
		}
	}
	return q
}

// The matrices of F(4x4,3x3) with the points 0, 1, -1, 2, -2 and infinity.
var (
	int16In = [6][6]float64{
		{4, 0, -5, 0, 1, 0}, {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
		{0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1},
	}
	int16Taps = [6][3]float64{
		{1. / 4, 0, 0}, {-1. / 6, -1. / 6, -1. / 6}, {-1. / 6, 1. / 6, -1. / 6},
		{1. / 24, 1. / 12, 1. / 6}, {1. / 24, -1. / 12, 1. / 6}, {0, 0, 1},
	}
)

// int16Reach is the largest magnitude of a transformed input at a point.
func int16Reach(point int) float64 {
	var above, below float64
	for _, a := range int16In[point/6] {
		for _, b := range int16In[point%6] {
			above, below = above+max(a*b, 0), below+max(-a*b, 0)
		}
	}
	return Int16Top * max(above, below)
}

// int16Filter transforms a filter's taps ky*3+kx.
func int16Filter(tap func(i int) float64) (u [int16Points]float64) {
	for i, v := range int16Taps {
		var row [3]float64
		for kx := range row {
			row[kx] = float64(v[0]*tap(kx)) + float64(v[1]*tap(3+kx)) + float64(v[2]*tap(6+kx))
		}
		for j, h := range int16Taps {
			u[i*6+j] = float64(h[0]*row[0]) + float64(h[1]*row[1]) + float64(h[2]*row[2])
		}
	}
	return u
}
