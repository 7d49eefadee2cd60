package training

// boardArea is the number of squares of a padded board, [10][10], whose inside is 8x8.
const boardArea = 100

// newBoards allocates padded boards.
func newBoards(batch, channels int) []float32 {
	return make([]float32, batch*boardArea*channels)
}

// inside is the offset of the first square of board p of n channels.
func inside(p, n int) int { return (p*boardArea + 11) * n }

// squareOf is the offset of a square, 0 to 63, of board p.
func squareOf(p, square, channels int) int {
	return (p*boardArea + 11 + square/8*10 + square%8) * channels
}

// eachRow calls f with the offset of each of the eight rows of squares, eight squares long, of the
// boards lo to hi of n channels.
func eachRow(lo, hi, n int, f func(at int)) {
	for p := lo; p < hi; p++ {
		for r := range 8 {
			f((p*boardArea + 11 + 10*r) * n)
		}
	}
}

// eachSquare calls f with the offset of each of the 64 squares of board p of n channels.
func eachSquare(p, n int, f func(at int)) {
	for r := range 8 {
		first := (p*boardArea + 11 + 10*r) * n
		for s := range 8 {
			f(first + s*n)
		}
	}
}
