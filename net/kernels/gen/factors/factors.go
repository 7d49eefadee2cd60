// Package factors takes a Winograd transform apart for the generators: the rows and columns of a pair of points a
// and -a differ only in the signs of their odd factors, so both are made of one even and one odd sum.
package factors

import "synochess/net/kernels/winograd"

// Pairs is the number of pairs of points; there are 2*Pairs+2 inputs and points, and 2*Pairs outputs.
func Pairs(f winograd.F) int { return len(f.Out) / 2 }

// EvenIn returns pair n's factors of inputs 2, 4, ... 2*Pairs, the last of which is 1.
func EvenIn(f winograd.F, n int) []float64 { return everySecond(f.In[2*n+1], 2, Pairs(f)) }

// OddIn returns point a's factors of inputs 1, 3, ... 2*Pairs-1, for pair n.
func OddIn(f winograd.F, n int) []float64 { return everySecond(f.In[2*n+1], 1, Pairs(f)) }

// EndsIn returns the factors of inputs 0, 2, ... 2*Pairs for point 0, and of 1, 3, ... 2*Pairs+1 for infinity. The last
// is 1.
func EndsIn(f winograd.F) []float64 { return everySecond(f.In[0], 0, Pairs(f)+1) }

// Powers returns each pair's factor of output k: of the sum of its points if k is even, else of their difference.
func Powers(f winograd.F, k int) []float64 { return everySecond(f.Out[k], 1, Pairs(f)) }

// OfIn lists the factors of the input transform, in the order in which they are wanted in registers.
func OfIn(f winograd.F) []float64 {
	list := EndsIn(f)
	for n := range Pairs(f) {
		list = append(list, EvenIn(f, n)...)
		list = append(list, OddIn(f, n)...)
	}
	return list
}

// OfOut lists the factors of the output transform, in the order in which they are wanted in registers.
func OfOut(f winograd.F) []float64 {
	var list []float64
	for n := range Pairs(f) {
		for k := 1; k < len(f.Out); k++ {
			list = append(list, Powers(f, k)[n])
		}
	}
	return list
}

// everySecond returns n elements of a row, from one on.
func everySecond(row []float64, from, n int) []float64 {
	var list []float64
	for i := range n {
		list = append(list, row[from+2*i])
	}
	return list
}
