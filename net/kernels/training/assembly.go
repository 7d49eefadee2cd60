package training

import "unsafe"

// assembly is the assembly of one instruction set; gen/training writes it and documents each function. All
// strides are in bytes; groups are vectors of channels.
type assembly struct {
	lanes int // floats in a vector
	// The next three are those that gen/training wrote the assembly for.
	rows int // rows of a product's register tile
	near int // cache lines of the next operand that a product prefetches per four steps
	far  int // and of boards for later

	tile                 [4]tileFunc // by vectors of columns
	analyse, synthesiseT func(board *float32, square int, to *float32, frequency, tile, groups int, scratch *float32)
	analyseT, synthesise func(from *float32, frequency, tile int, board *float32, square, groups int, scratch *float32)
	weights              func(w *float32, tap int, u *float32, frequency, vectors int, scratch *float32)
	weightsT             func(du *float32, frequency int, dw *float32, tap, vectors int, scratch *float32)
	addVector            func(z, add *float32, square, groups int)
	statistics           func(z *float32, sum, square2 *float64, square, groups int)
	activate             func(z, scale, shift, y *float32, square, groups int)
	activateRes          func(z, scale, shift, res, y *float32, square, groups int)
	maskGrad             func(dy, z, scale, shift, mean, grad *float32, sum, product *float64, square, groups int)
	maskGradRes          func(dy, y, z, mean, grad *float32, sum, product *float64, square, groups int)
	addBoard             func(to, from *float32, square, groups int)
	combine              func(g, z, gain, slope, offset, dz, sum *float32, square, groups int)
	add                  func(to, from *float32, vectors int)
	adamW                func(w, g, m, v *float32, vectors int, factors *float32)
}

type tileFunc = func(groups, k int, a *float32, aRow, aStep, aGroup int, b *float32, bRow int, c *float32, cRow, cGroup, accumulate int, next, far *float32)

const (
	floatBytes = 4
	// channelStep is what the channels of the fast layers are a multiple of: the widest vector.
	channelStep = 16
	// transformFloats is the scratch memory of a transform: a board's 96 half transformed vectors.
	transformFloats = 96 * channelStep
)

// padVectors rounds a number of channels up to whole vectors.
func padVectors(n int) int { return (n + channelStep - 1) &^ (channelStep - 1) }

// strided is the left operand of a product: element (i, k) is data[i*row + k*step].
type strided struct {
	data      []float32
	row, step int
}

// multiply sets c[m][n], rows ldc floats apart, to a*b, or adds to it. b is [k][n] with rows ldb floats
// apart. n is a multiple of lanes, and m one of rows. Meanwhile next and some of far are prefetched.
func (s *assembly) multiply(m, n, k int, a strided, b []float32, ldb int, c []float32, ldc int, accumulate bool, next []float32, far *prefetch) {
	groups, flag := m/s.rows, 0
	if accumulate {
		flag = 1
	}
	ahead, steps := 0, groups*(k/4)
	for at := 0; at < n; {
		v := tileVectors((n - at) / s.lanes)
		s.tile[v](groups, k, &a.data[0], floatBytes*a.row, floatBytes*a.step, floatBytes*s.rows*a.row,
			&b[at], floatBytes*ldb, &c[at], floatBytes*ldc, floatBytes*s.rows*ldc, flag, &next[min(ahead, len(next)-1)], far.take(steps*s.far))
		at += v * s.lanes
		ahead += steps * s.near * lineFloats
	}
}

// tileVectors is how many of the columns' vectors the next tile takes: three, but never one if it can be two.
func tileVectors(left int) int {
	if left == 4 {
		return 2
	}
	return min(left, 3)
}

// productFloats is the scratch memory that product needs.
func productFloats(n, k int) int { return (k+productRows)*padVectors(n) + productRows*k }

// productRows is how many rows product does at a time; a multiple of every assembly.rows.
const productRows = 64

// product sets c[m][n], rows ldc floats apart, to a*b for any shape. b is [k][n].
func (s *assembly) product(scratch []float32, m, n, k int, a strided, b, c []float32, ldc int) {
	wide := (n + s.lanes - 1) / s.lanes * s.lanes
	out, scratch := scratch[:productRows*wide], scratch[productRows*wide:]
	tail, scratch := scratch[:s.rows*k], scratch[s.rows*k:]
	if wide != n {
		for i := range k {
			row := scratch[i*wide : (i+1)*wide]
			copy(row, b[i*n:(i+1)*n])
			clear(row[n:])
		}
		b = scratch
	}
	for lo := 0; lo < m; lo += productRows {
		rows := min(productRows, m-lo)
		whole := rows / s.rows * s.rows
		part := strided{a.data[lo*a.row:], a.row, a.step}
		to, ld := out, wide
		if wide == n {
			to, ld = c[lo*ldc:], ldc
		}
		if whole > 0 {
			s.multiply(whole, wide, k, part, b, wide, to, ld, false, b, nil)
		}
		if whole < rows {
			// The last rows are copied: a tile would read, and write, beyond the end.
			clear(tail)
			for i := whole; i < rows; i++ {
				for j := range k {
					tail[(i-whole)*k+j] = part.data[i*part.row+j*part.step]
				}
			}
			s.multiply(s.rows, wide, k, strided{tail, k, 1}, b, wide, out[whole*wide:], wide, false, b, nil)
		}
		for i := range rows {
			if wide != n || i >= whole {
				copy(c[(lo+i)*ldc:(lo+i)*ldc+n], out[i*wide:])
			}
		}
	}
}

// lineFloats is a cache line.
const lineFloats = 16

// prefetch is a list of boards that will be needed soon. Products take from it, because the way to memory is idle
// while they compute.
type prefetch struct {
	boards [8]*float32 // inside of the first of count boards
	kinds  int
	count  int // boards of each kind
	size   int // floats to prefetch of a board: its ranks
	stride int // floats from board to board
	kind   int // where to go on
	board  int
	at     int
}

// add appends count boards of x from position p, unless x is nil.
func (f *prefetch) add(x []float32, p, channels int) {
	if x != nil {
		f.boards[f.kinds] = &x[inside(p, channels)]
		f.kinds++
	}
}

// take returns the address from where to prefetch a number of lines.
func (f *prefetch) take(lines int) *float32 {
	if f == nil || f.kind >= f.kinds {
		return &noBoard[0]
	}
	p := unsafe.Add(unsafe.Pointer(f.boards[f.kind]), floatBytes*(f.board*f.stride+f.at))
	f.at += lines * lineFloats
	if f.at >= f.size {
		f.at = 0
		f.board++
	}
	if f.board == f.count {
		f.board = 0
		f.kind++
	}
	return (*float32)(p)
}

// noBoard is prefetched when no board needs to be.
var noBoard [lineFloats]float32
