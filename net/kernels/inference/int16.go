package inference

import (
	"math"

	"synochess/net/kernels/winograd"
)

// Int16Top is the largest quantised activation. 68*481 = 32708 is the largest magnitude the input transform
// of F(4x4,3x3) gives for activations from 0 to 481, so it is exact in 16 bits.
const Int16Top = 481

const (
	int16Points = 36 // [6 down the files][6 along the ranks], of 6x6 inputs
	int16Tiles  = 4  // a board in quarters: rank half * 2 + file half
)

// QuantisedConv is a 3x3 convolution of the residual blocks in the form the quantised trunks read: Winograd
// F(4x4,3x3) with activations and transformed weights in 16 bits and sums in 32. The transform of the
// inputs and the sums are exact; they overflow for no input. Each sum times its Scale is a float32, and so
// is all that follows up to the rounding to the next layer's activations.
type QuantisedConv struct {
	U     []int16   // [point][in][out]
	Scale []float32 // [point][out], output units of one unit of the sum
	Bias  []float32 // [out], in output units
	Skip  []float32 // [out], output units of one unit of the skip connection; nil in the first of a block
}

// Quantised is a stack of residual blocks with quantised activations.
type Quantised struct {
	Width int
	// Enter holds for each channel the activation units of one unit of the trunk's input.
	Enter []float32
	// Convs are two for each block. Output units are activation units of the next layer; those of the
	// last layer are what the trunk gives.
	Convs []QuantisedConv
}

// Quantise quantises convolutions. limits[i][c] is the largest activation of channel c that layer i
// is to read; what is larger counts as that. Weights and limits are finite and limits positive.
func Quantise(width int, convs []Conv, limits [][]float32) *Quantised {
	t := &Quantised{Width: width, Enter: make([]float32, width)}
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
func quantiseConv(width int, c Conv, in, out func(c int) float64) QuantisedConv {
	q := QuantisedConv{
		U:     make([]int16, int16Points*width*width),
		Scale: make([]float32, int16Points*width),
		Bias:  make([]float32, width),
	}
	column := make([][int16Points]float64, width)
	var taps [9]float64
	for o := range width {
		q.Bias[o] = float32(float64(c.Bias[o]) / out(o))
		for i := range column {
			unit := in(i)
			for tap := range taps {
				taps[tap] = unit * float64(c.Weight[(tap*width+i)*width+o])
			}
			winograd.Filter(winograd.F4, winograd.F4, &taps, column[i][:])
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

// int16Reach is the largest magnitude of a transformed input at a point.
func int16Reach(point int) float64 {
	var above, below float64
	for _, a := range winograd.F4.In[point/6] {
		for _, b := range winograd.F4.In[point%6] {
			above, below = above+max(a*b, 0), below+max(-a*b, 0)
		}
	}
	return Int16Top * max(above, below)
}
