package winograd

// F is a transform F(m,3), m = 2*len(pairs): its matrices.
type F struct {
	Filter [][3]float64 // G [point][tap]
	In     [][]float64  // Bt [point][input]
	Out    [][]float64  // At [output][point]
}

// The transforms of the program.
var (
	// F4 is F(4,3) on whole numbers: its input transform is exact in integers, and its factors are few.
	F4 = New(1, 2)
	// TallDown and TallAlong are F(8,3) and F(4,3) of the tiles of 8x4 outputs. Their points were searched for the
	// smallest rounding error; whole numbers give twice to four times as much.
	TallDown  = New(7./16, 13./16, 5./4, 19./8)
	TallAlong = New(11./16, 3./2)
)

// New returns the transform on the points 0, a and -a for each pair, and infinity, in this order.
//
// Row a of Bt holds the coefficients of the product of x-b over all other finite points b, that of infinity those of
// the product over all; row a of G holds the powers of a over the product of a-b; column a of At holds the powers of a.
func New(pairs ...float64) F {
	last := 2*len(pairs) + 1 // infinity
	f := F{Filter: filterRows(pairs), In: zeros(last+1, last+1), Out: zeros(last-1, last+1)}
	for k, c := range without(pairs, -1) {
		f.In[0][2*k], f.In[last][2*k+1] = c, c
	}
	f.Out[0][0], f.Out[last-2][last] = 1, 1
	for n, a := range pairs {
		plus, minus := 2*n+1, 2*n+2
		for k, c := range without(pairs, n) { // of x*(x+a) and x*(x-a) times this
			f.In[plus][2*k+2], f.In[minus][2*k+2] = c, c
			f.In[plus][2*k+1], f.In[minus][2*k+1] = c*a, -c*a
		}
		power := 1.
		for k := range f.Out {
			f.Out[k][plus], f.Out[k][minus] = power, power
			if k%2 == 1 {
				f.Out[k][minus] = -power
			}
			power *= a
		}
	}
	return f
}

// filterRows returns G.
func filterRows(pairs []float64) [][3]float64 {
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

// without returns the coefficients, constant first, of the product of z - a*a over all pairs but one.
func without(pairs []float64, skip int) []float64 {
	product := []float64{1}
	for i, a := range pairs {
		if i == skip {
			continue
		}
		next := make([]float64, len(product)+1)
		for k, c := range product {
			next[k+1] += c
			next[k] -= float64(a * a * c)
		}
		product = next
	}
	return product
}

func zeros(rows, cols int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}
