package winograd

// The slow truth: the transforms of a tile straight from the matrices, in float64. A point is [down][along].

// Filter transforms taps [ky][kx] to u [points down][points along]. It is in float64 because the sums of filters cancel;
// no product is fused with a sum, so that all processors agree.
func Filter(down, along F, taps *[9]float64, u []float64) {
	for i, v := range down.Filter {
		var row [3]float64
		for kx := range row {
			row[kx] = float64(v[0]*taps[kx]) + float64(v[1]*taps[3+kx]) + float64(v[2]*taps[6+kx])
		}
		for j, h := range along.Filter {
			u[i*len(along.Filter)+j] = float64(h[0]*row[0]) + float64(h[1]*row[1]) + float64(h[2]*row[2])
		}
	}
}

// In returns the transformed inputs [points down][points along]; d gives an input of the tile.
func In(down, along F, d func(rank, file int) float64) []float64 {
	return sandwich(down.In, along.In, d)
}

// Out returns the outputs [down][along] of a tile; m gives the product at a point.
func Out(down, along F, m func(down, along int) float64) []float64 {
	return sandwich(down.Out, along.Out, m)
}

// sandwich returns a x bt.
func sandwich(a, b [][]float64, x func(i, j int) float64) []float64 {
	var y []float64
	for _, down := range a {
		for _, along := range b {
			sum := 0.
			for i, p := range down {
				for j, q := range along {
					if p != 0 && q != 0 {
						sum += float64(float64(p*q) * x(i, j))
					}
				}
			}
			y = append(y, sum)
		}
	}
	return y
}
