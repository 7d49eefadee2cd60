package fast

import (
	"errors"
	"fmt"

	"synochess/env/encode"
	"synochess/net"
	"synochess/net/kernels"
	"synochess/net/kernels/inference"
)

const (
	// headRoom is how far beyond the largest measured activation a channel's limit lies.
	headRoom = 1.25
	// quietest is the smallest limit of a channel, as a part of its layer's largest one: channels that
	// hardly spoke on the measured positions may do so on others.
	quietest = 1. / 8
)

// Calibrate measures the activations of the network in float32 on a kernel path and the rows of the batches, which should be
// a few hundred positions or more of real games of every rule set the network plays, and records them in
// the weights (SetQuantisation). The batches' answers are those of the float32 network afterwards.
func Calibrate(path *kernels.Path, w *net.Weights, batches ...*encode.Batch) error {
	if err := checkWidth(w); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	if err := check(w); err != nil {
		return err
	}
	m := newMeter(path, w.Arch.Width, foldTrunk(w))
	e := assemble(w, path, m)
	q := net.Quantisation{}
	for _, b := range batches {
		if err := e.Evaluate(b); err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
		q.Positions += b.Len()
	}
	if q.Positions == 0 {
		return errors.New("calibrate: there are no positions to measure")
	}
	q.Limits = m.limits()
	return w.SetQuantisation(&q)
}

// meter is a trunk in float32 that keeps the largest activation each convolution reads, by channel.
type meter struct {
	path  *kernels.Path
	width int
	convs []*kernels.Packed // [tap, in][out]
	bias  [][]float32
	peaks [][]float32 // [convolution][channel]

	ws       kernels.Workspace
	columns  []float32 // [square][tap, in], what a convolution reads for each output
	mid, out []float32 // [square][channel]
}

func newMeter(path *kernels.Path, width int, convs []inference.Conv) *meter {
	m := &meter{
		path: path, width: width,
		columns: make([]float32, 64*9*width), mid: make([]float32, 64*width), out: make([]float32, 64*width),
	}
	for _, c := range convs {
		m.convs = append(m.convs, path.Pack(9*width, width, c.Weight))
		m.bias = append(m.bias, c.Bias)
		m.peaks = append(m.peaks, make([]float32, width))
	}
	return m
}

// Chunk is part of trunk.
func (m *meter) Chunk() int { return 8 }

// Run is part of trunk.
func (m *meter) Run(x []float32, rows int) {
	for ; rows > 0; rows-- {
		board := x[:64*m.width]
		x = x[64*m.width:]
		for i := 0; i < len(m.convs); i += 2 {
			m.conv(m.mid, board, i)
			m.path.ReLU(m.mid)
			m.conv(m.out, m.mid, i+1)
			m.path.Add(board, m.out)
			m.path.ReLU(board)
		}
	}
}

// conv computes convolution i of a board and notes what it reads.
func (m *meter) conv(dst, src []float32, i int) {
	for at, y := range src {
		c := at % m.width
		m.peaks[i][c] = max(m.peaks[i][c], y)
	}
	clear(m.columns)
	for square := range 64 {
		for tap := range 9 {
			rank, file := square>>3+tap/3-1, square&7+tap%3-1
			if rank >= 0 && rank < 8 && file >= 0 && file < 8 {
				copy(m.columns[(square*9+tap)*m.width:][:m.width], src[(rank*8+file)*m.width:])
			}
		}
	}
	m.path.GemmPacked(&m.ws, 64, m.columns, 9*m.width, m.convs[i], dst, m.width)
	for at := 0; at < len(dst); at += m.width {
		m.path.Add(dst[at:at+m.width], m.bias[i])
	}
}

// limits returns the limits that belong to the peaks.
func (m *meter) limits() [][]float32 {
	var list [][]float32
	for _, peaks := range m.peaks {
		loudest := float32(0)
		for _, p := range peaks {
			loudest = max(loudest, p)
		}
		if loudest == 0 {
			loudest = 1 // the layer reads zeros only: any limit will do
		}
		limits := make([]float32, len(peaks))
		for c, p := range peaks {
			limits[c] = headRoom * max(p, quietest*loudest)
		}
		list = append(list, limits)
	}
	return list
}
