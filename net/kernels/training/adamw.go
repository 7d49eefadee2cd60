package training

import (
	"math"

	"synochess/net/kernels"
)

// AdamW is one step of AdamW: the numbers that are the same for all elements. The assembly knows their
// order.
type AdamW struct {
	Scale      float32 // factor of the gradient
	Beta1      float32
	Rest1      float32 // 1-Beta1
	Beta2      float32
	Rest2      float32 // 1-Beta2
	Correction float32 // 1/(1-Beta2^steps)
	Rate       float32 // learning rate/(1-Beta1^steps)
	Keep       float32 // what weight decay leaves of a weight
	Epsilon    float32
}

// Step changes the weights w and the mean m and mean square v of the gradients by the gradient g; all
// have the length of w.
func (a *AdamW) Step(p *kernels.Path, w, g, m, v []float32) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	if s := assemblyOf(p); s != nil && len(w) >= s.lanes {
		vectors := len(w) / s.lanes
		s.adamW(&w[0], &g[0], &m[0], &v[0], vectors, &a.Scale)
		done := vectors * s.lanes
		w, g, m, v = w[done:], g[done:], m[done:], v[done:]
	}
	for i := range w {
		x := float32(g[i] * a.Scale)
		m[i] = float32(a.Beta1*m[i]) + float32(a.Rest1*x)
		v[i] = float32(a.Beta2*v[i]) + float32(a.Rest2*float32(x*x))
		root := float32(math.Sqrt(float64(v[i] * a.Correction)))
		w[i] = float32(a.Keep*w[i]) - float32(a.Rate*m[i])/(root+a.Epsilon)
	}
}
