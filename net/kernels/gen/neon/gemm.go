package neon

import "fmt"

// unroll is how many steps of a sum a loop turn takes: as many as a register holds of a row of A.
const unroll = 4

// rowPointers hold where the rows of A that go together are.
var rowPointers = []string{"R14", "R15", "R19", "R20", "R21", "R22", "R23", "R24"}

// gemm writes a function for a series of products of narrow matrices: C = A*B with cols vectors of
// columns, for each point the next A, B and C. tiles are the numbers of rows that go together, largest
// first. Rows of sums stay in registers. Each sum runs over ascending depth, whatever the tile. The first
// tile of a point fetches the next point's B.
func (a *asm) gemm(cols int, tiles ...int) {
	a.function(fmt.Sprintf("gemm%d", cols),
		"a *float32, b *float32, c *float32, depth uintptr, points uintptr, rows uintptr, lda uintptr, aSkip uintptr, ldc uintptr, cSkip uintptr", "",
		fmt.Sprintf(`computes C[rows][%d] = A[rows][depth]*B[depth][%d] for each point.
The rows of A are lda bytes apart and those of C ldc; after the last row aSkip and cSkip bytes lead to the
next point. The Bs lie one behind the other; memory behind the last is prefetched, not read.
depth and rows are at least 1.`, cols*4, cols*4))
	a.load("R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9")
	a.op("MOVD $%d, R10", cols*width)
	a.op("MUL R3, R10") // bytes of a B
	a.label("point")
	a.op("MOVD R5, R11") // rows left
	t := tile{asm: a, cols: cols, rows: tiles[0], fetch: true}
	t.write(label(tiles[1]))
	for i, rows := range tiles {
		next := "done"
		if i+1 < len(tiles) {
			next = label(tiles[i+1])
		}
		a.label(label(rows))
		t := tile{asm: a, cols: cols, rows: rows}
		t.write(next)
		a.op("B %s", label(rows))
	}
	a.label("done")
	a.op("ADD R7, R0")
	a.op("ADD R9, R2")
	a.op("ADD R10, R1")
	a.op("SUBS $1, R4")
	a.op("BNE point")
	a.op("RET")
}

// label is where the tiles of so many rows begin.
func label(rows int) string { return fmt.Sprintf("rows%d", rows) }

// tile is a tile being written.
type tile struct {
	*asm
	rows, cols int
	fetch      bool    // whether it fetches the next point's B
	sums       [][]vec // [row][column]
	a          []vec   // the next of each row of A
	b          []vec   // take the vectors of B in turn
}

// write writes the product of the tile's rows of A with B, going on to the next rows, and a jump to next if
// there are not so many.
func (t *tile) write(next string) {
	t.op("CMP $%d, R11", t.rows)
	t.op("BLO %s", next)
	t.op("SUB $%d, R11", t.rows)
	for range t.rows {
		t.sums = append(t.sums, t.takes(t.cols))
	}
	t.a = t.takes(t.rows)
	t.b = t.takes(len(t.free) / 2 * 2)
	for _, row := range t.sums {
		for _, v := range row {
			t.zero(v)
		}
	}
	pointers := rowPointers[:t.rows]
	for _, p := range pointers {
		t.op("MOVD R0, %s", p)
		t.op("ADD R6, R0")
	}
	t.op("MOVD R1, R12") // next row of B
	if t.fetch {
		t.op("ADD R1, R10, R25") // what will be there for the next point
	}
	t.op("SUBS $%d, R3, R13", unroll) // steps left
	t.op("BLO %s", t.label("rest"))

	t.asm.label(t.label("steps"))
	for r, p := range pointers {
		t.op("FMOVQ.P %d(%s), %s", width, p, t.a[r].q())
	}
	for u := range unroll {
		t.step(u)
	}
	turn := unroll * t.cols * width
	t.op("ADD $%d, R12", turn)
	if t.fetch {
		for at := 0; at < turn; at += 64 {
			t.op("PRFM %d(R25), PLDL1KEEP", at)
		}
		t.op("ADD $%d, R25", turn)
	}
	t.op("SUBS $%d, R13", unroll)
	t.op("BHS %s", t.label("steps"))

	t.asm.label(t.label("rest"))
	t.op("ADDS $%d, R13", unroll)
	t.op("BEQ %s", t.label("store"))
	t.asm.label(t.label("step"))
	for r, p := range pointers {
		t.op("FMOVS.P 4(%s), %s", p, t.a[r].q())
	}
	t.step(0)
	t.op("ADD $%d, R12", t.cols*width)
	t.op("SUBS $1, R13")
	t.op("BNE %s", t.label("step"))

	t.asm.label(t.label("store"))
	for _, row := range t.sums {
		for j := 0; j < t.cols; j += 2 {
			t.op("FSTPQ (%s, %s), %d(R2)", row[j].q(), row[j+1].q(), j*width)
		}
		t.op("ADD R8, R2")
		t.release(row...)
	}
	t.release(t.a...)
	t.release(t.b...)
}

// label is the name of a place in the tile.
func (t *tile) label(name string) string {
	if t.fetch {
		name += "First"
	}
	return fmt.Sprintf("%s%d", name, t.rows)
}

// step adds the products of lane u of A's rows and the row of B that many behind R12.
func (t *tile) step(u int) {
	for j := 0; j < t.cols; j += 2 {
		x, y := t.b[0], t.b[1]
		t.b = append(t.b[2:], x, y)
		t.op("FLDPQ %d(R12), (%s, %s)", (u*t.cols+j)*width, x.q(), y.q())
		for r := range t.sums {
			t.fmla(t.sums[r][j], x, lane{t.a[r], u})
			t.fmla(t.sums[r][j+1], y, lane{t.a[r], u})
		}
	}
}
