// Package winograd states the matrices of the Winograd transforms that the convolutions use, and what they compute in
// the plainest way.
//
// F(m,3) computes m outputs of a filter of three taps from m+2 inputs with m+2 products instead of 3m:
//
//	y = At ((G g) * (Bt d))     (* elementwise)
//
// Each row of G and Bt, and each column of At, belongs to a point: a filter is a polynomial of its taps, and the
// products are those of the polynomials' values at the points (Lavin and Gray, arXiv 1509.09308). The points are 0, pairs a and -a,
// and infinity. A board takes one transform down the files and one along the ranks:
//
//	Y = At ((G g Gt) * (Bt d B)) A
package winograd
