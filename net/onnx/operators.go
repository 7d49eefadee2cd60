package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// operator is one of the standard operators, in the forms that Marshal writes.
type operator struct {
	min, max int // number of inputs
	run      func(in []*tensor, a attributes) (*tensor, error)
}

var operators = map[string]operator{
	"Conv":      {3, 3, conv},
	"Gemm":      {2, 3, gemm},
	"MatMul":    {2, 2, matMul},
	"Add":       {2, 2, add},
	"Relu":      {1, 1, relu},
	"Flatten":   {1, 1, flatten},
	"Reshape":   {2, 2, reshape},
	"Transpose": {1, 1, transpose},
	"Gather":    {2, 2, gather},
	"Softmax":   {1, 1, softmax},
}

// made returns an empty tensor.
func made(dims ...int) (*tensor, error) {
	n, err := size(dims)
	return &tensor{dims: dims, floats: make([]float32, n)}, err
}

// conv is a convolution of stride 1 that keeps the board's size: x[N,C,H,W], w[M,C,K,K], bias[M].
func conv(in []*tensor, a attributes) (*tensor, error) {
	x, w, bias := in[0], in[1], in[2]
	if len(x.dims) != 4 || len(w.dims) != 4 || w.dims[1] != x.dims[1] || w.dims[2] != w.dims[3] || w.dims[2]%2 != 1 ||
		!slices.Equal(bias.dims, w.dims[:1]) || x.floats == nil || w.floats == nil || bias.floats == nil {
		return nil, fmt.Errorf("shapes %v, %v and %v", x.dims, w.dims, bias.dims)
	}
	channels, height, width := x.dims[1], x.dims[2], x.dims[3]
	k := w.dims[2]
	pad := k / 2
	p, size := int64(pad), int64(k)
	if !slices.Equal(a.take("kernel_shape", size, size), []int64{size, size}) ||
		!slices.Equal(a.take("pads", 0, 0, 0, 0), []int64{p, p, p, p}) {
		return nil, errors.New("kernel_shape and pads must keep the board's size")
	}
	out, err := made(x.dims[0], w.dims[0], height, width)
	if err != nil {
		return nil, err
	}
	board := height * width
	sum := make([]float64, board)
	for n := range x.dims[0] {
		for m := range w.dims[0] {
			for i := range sum {
				sum[i] = float64(bias.floats[m])
			}
			for c := range channels {
				from := x.floats[(n*channels+c)*board:][:board]
				for tap, weight := range w.floats[(m*channels+c)*k*k:][:k*k] {
					dy, dx := tap/k-pad, tap%k-pad
					for row := max(0, -dy); row < min(height, height-dy); row++ {
						low, high := max(0, -dx), min(width, width-dx)
						if low >= high {
							continue
						}
						to := sum[row*width+low : row*width+high]
						for i, v := range from[(row+dy)*width+low+dx:][:len(to)] {
							to[i] += float64(weight) * float64(v)
						}
					}
				}
			}
			for i, v := range sum {
				out.floats[(n*w.dims[0]+m)*board+i] = float32(v)
			}
		}
	}
	return out, nil
}

// gemm is x[N,K] * w[K,M] + bias[M], where the bias may be missing.
func gemm(in []*tensor, _ attributes) (*tensor, error) {
	x, w := in[0], in[1]
	if len(x.dims) != 2 || len(w.dims) != 2 || x.dims[1] != w.dims[0] || x.floats == nil || w.floats == nil {
		return nil, fmt.Errorf("shapes %v and %v", x.dims, w.dims)
	}
	k, cols := w.dims[0], w.dims[1]
	out, err := made(x.dims[0], cols)
	if err != nil {
		return nil, err
	}
	sum := make([]float64, cols)
	for n := range x.dims[0] {
		clear(sum)
		if len(in) == 3 {
			if !slices.Equal(in[2].dims, w.dims[1:]) || in[2].floats == nil {
				return nil, fmt.Errorf("bias of shape %v for %d columns", in[2].dims, cols)
			}
			for i, v := range in[2].floats {
				sum[i] = float64(v)
			}
		}
		for i, v := range x.floats[n*k : (n+1)*k] {
			for j, weight := range w.floats[i*cols : (i+1)*cols] {
				sum[j] += float64(v) * float64(weight)
			}
		}
		for j, v := range sum {
			out.floats[n*cols+j] = float32(v)
		}
	}
	return out, nil
}

// add is x + y, where y has x's shape or is [N,C,1,1] beside an x of [N,C,H,W].
func add(in []*tensor, _ attributes) (*tensor, error) {
	x, y := in[0], in[1]
	repeat := 1
	if len(x.dims) == 4 && len(y.dims) == 4 && y.dims[2] == 1 && y.dims[3] == 1 {
		repeat = x.dims[2] * x.dims[3]
	}
	if len(x.dims) != len(y.dims) || len(x.dims) < 2 || !slices.Equal(x.dims[:2], y.dims[:2]) || len(x.floats) != repeat*len(y.floats) || x.floats == nil {
		return nil, fmt.Errorf("shapes %v and %v", x.dims, y.dims)
	}
	out := &tensor{dims: x.dims, floats: make([]float32, len(x.floats))}
	for i, v := range x.floats {
		out.floats[i] = v + y.floats[i/repeat]
	}
	return out, nil
}

func relu(in []*tensor, _ attributes) (*tensor, error) {
	if in[0].floats == nil {
		return nil, errors.New("the input is not a tensor of floats")
	}
	out := &tensor{dims: in[0].dims, floats: make([]float32, len(in[0].floats))}
	for i, v := range in[0].floats {
		out.floats[i] = max(v, 0)
	}
	return out, nil
}

// flatten keeps the first dimension and joins the others.
func flatten(in []*tensor, a attributes) (*tensor, error) {
	x := in[0]
	if axis := a.take("axis", 1); len(axis) != 1 || axis[0] != 1 || len(x.dims) < 1 || x.dims[0] < 1 {
		return nil, fmt.Errorf("axis %v of shape %v", axis, x.dims)
	}
	return &tensor{dims: []int{x.dims[0], len(x.floats) / x.dims[0]}, floats: x.floats}, nil
}

// reshape takes the new shape from its second input; 0 keeps a dimension.
func reshape(in []*tensor, _ attributes) (*tensor, error) {
	x := in[0]
	var dims []int
	for i, d := range in[1].ints {
		if d == 0 && i < len(x.dims) {
			d = int64(x.dims[i])
		}
		dims = append(dims, int(d))
	}
	if n, err := size(dims); err != nil || n != len(x.floats) || len(dims) == 0 {
		return nil, fmt.Errorf("%d values for shape %v", len(x.floats), dims)
	}
	return &tensor{dims: dims, floats: x.floats}, nil
}

// softmax works along the last of two dimensions.
func softmax(in []*tensor, a attributes) (*tensor, error) {
	x := in[0]
	if axis := a.take("axis", -1); len(axis) != 1 || axis[0] != 1 && axis[0] != -1 || len(x.dims) != 2 || x.floats == nil || x.dims[1] < 1 {
		return nil, fmt.Errorf("axis %v of shape %v", axis, x.dims)
	}
	out := &tensor{dims: x.dims, floats: make([]float32, len(x.floats))}
	for cols, at := x.dims[1], 0; at < len(x.floats); at += cols {
		row := x.floats[at : at+cols]
		top, sum := slices.Max(row), 0.0
		for _, v := range row {
			sum += math.Exp(float64(v - top))
		}
		for i, v := range row {
			out.floats[at+i] = float32(math.Exp(float64(v-top)) / sum)
		}
	}
	return out, nil
}
