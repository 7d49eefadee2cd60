//go:build amd64 || arm64

package kernels

// Tall tiles: Winograd F(8x4,3x3). A board is two tiles, its left and its right half, of 8x4 outputs, each
// computed from 10x6 inputs (the half and a rim of one) at 10x6 points:
//
//	y = At ((G g Gt) * (Bt d B)) A
//
// with the matrices of F(8,3) down the files and those of F(4,3) along the ranks. That takes 120 products
// a board where F(4x4,3x3) takes 144, and no input is transformed twice down the files.
//
// The points of F(8,3) are 0, infinity and four pairs, those of F(4,3) 0, infinity and two pairs. They
// were searched for the smallest rounding error; whole numbers give twice to four times as much. The
// generators know the same pairs, and makes Bt and At of them: the row of Bt for a point is the product
// of (x - b) over all other finite points b, that for infinity the product over all of them; a column of At
// holds the powers of its point.

const (
	tallHigh   = 10 // points down the files
	tallWide   = 6  // points along the ranks
	tallPoints = tallHigh * tallWide
	tallTiles  = 2
)

var (
	tallVertical   = filterRows(7./16, 13./16, 5./4, 19./8)
	tallHorizontal = filterRows(11./16, 3./2)
)

// filterRows returns G for the points 0, the pairs a, -a, b, -b, ..., and infinity: the row of a point holds
// its powers over the product of its distances to the other finite points.
func filterRows(pairs ...float64) [][3]float64 {
	points := []float64{0}
	for _, a := range pairs {
		points = append(points, a, -a)
	}
	var g [][3]float64
	for i, a := range points {
		f := 1.
		for j, b := range points {
			if i != j {
				f *= a - b
			}
		}
		g = append(g, [3]float64{1 / f, a / f, a * a / f})
	}
	return append(g, [3]float64{2: 1})
}

// tallFilter transforms one filter's taps [ky*3+kx] to the points [down*tallWide+along], in float64, for
// the sums of filters cancel.
func tallFilter(u *[tallPoints]float32, taps *[9]float64) {
	for i, v := range tallVertical {
		var row [3]float64
		for kx := range row {
			row[kx] = float64(v[0]*taps[kx]) + float64(v[1]*taps[3+kx]) + float64(v[2]*taps[6+kx])
		}
		for j, h := range tallHorizontal {
			u[i*tallWide+j] = float32(float64(h[0]*row[0]) + float64(h[1]*row[1]) + float64(h[2]*row[2]))
		}
	}
}
