package onnx

import (
	"fmt"
	"slices"
)

// The interpreter's operators that the from-to term needs.

// matMul is x[N,R,K] * y[N,K,C], position by position.
func matMul(in []*tensor, _ attributes) (*tensor, error) {
	x, y := in[0], in[1]
	if len(x.dims) != 3 || len(y.dims) != 3 || x.dims[0] != y.dims[0] || x.dims[2] != y.dims[1] || x.floats == nil || y.floats == nil {
		return nil, fmt.Errorf("shapes %v and %v", x.dims, y.dims)
	}
	rows, inner, cols := x.dims[1], x.dims[2], y.dims[2]
	out, err := made(x.dims[0], rows, cols)
	if err != nil {
		return nil, err
	}
	sum := make([]float64, cols)
	for r := range x.dims[0] * rows {
		clear(sum)
		for i, v := range x.floats[r*inner : (r+1)*inner] {
			for j, w := range y.floats[(r/rows*inner+i)*cols:][:cols] {
				sum[j] += float64(v) * float64(w)
			}
		}
		for j, v := range sum {
			out.floats[r*cols+j] = float32(v)
		}
	}
	return out, nil
}

// transpose swaps the last two of three dimensions.
func transpose(in []*tensor, a attributes) (*tensor, error) {
	x := in[0]
	if perm := a.take("perm", 2, 1, 0); !slices.Equal(perm, []int64{0, 2, 1}) || len(x.dims) != 3 || x.floats == nil {
		return nil, fmt.Errorf("perm %v of shape %v", perm, x.dims)
	}
	rows, cols := x.dims[1], x.dims[2]
	out, err := made(x.dims[0], cols, rows)
	if err != nil {
		return nil, err
	}
	for i := range out.floats {
		n, at := i/(rows*cols), i%(rows*cols)
		out.floats[i] = x.floats[n*rows*cols+at%rows*cols+at/rows]
	}
	return out, nil
}

// gather takes columns of x[N,C] by their indices.
func gather(in []*tensor, a attributes) (*tensor, error) {
	x, index := in[0], in[1].ints
	if axis := a.take("axis", 0); !slices.Equal(axis, []int64{1}) || len(x.dims) != 2 || x.floats == nil || len(in[1].dims) != 1 || index == nil {
		return nil, fmt.Errorf("axis %v of shape %v, indices of shape %v", axis, x.dims, in[1].dims)
	}
	out, err := made(x.dims[0], len(index))
	if err != nil {
		return nil, err
	}
	for i := range out.floats {
		col := index[i%len(index)]
		if col < 0 || col >= int64(x.dims[1]) {
			return nil, fmt.Errorf("index %d of %d columns", col, x.dims[1])
		}
		out.floats[i] = x.floats[i/len(index)*x.dims[1]+int(col)]
	}
	return out, nil
}
