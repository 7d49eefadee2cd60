package main

import "fmt"

// unroll is how many steps of a sum a loop turn takes: as many as a register holds of a row of A.
const unroll = 4

// rowPointers hold where the rows of A that go together are.
var rowPointers = []string{"R14", "R15", "R19", "R20", "R21", "R22", "R23", "R24"}

// gemm writes a function for a series of products of narrow matrices: C = A*B with cols vectors of
// columns, for each point the next A, B and C. tiles are the numbers of rows that go together, largest
// first. Rows of sums stay in registers, and the rows of B for the next point are fetched while this
// one's are used. Each sum runs over ascending depth, whatever the tile.
func (a *asm) gemm(cols int, tiles ...int) {
	a.function(fmt.Sprintf("gemm%d", cols),
		"a *float32, b *float32, c *float32, depth uintptr, points uintptr, rows uintptr, lda uintptr, aSkip uintptr, ldc uintptr, cSkip uintptr", "",
		fmt.Sprintf(`computes C[rows][%d] = A[rows][depth]*B[depth][%d] for each point.
The rows of A are lda bytes apart and those of C ldc; after the last row aSkip and cSkip bytes lead to the
next point. The Bs lie one behind the other; the memory behind the last is prefetched, not read.
depth and rows are at least 1.`, cols*4, cols*4))
	a.load("R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9")
	a.op("MOVD $%d, R10", cols*width)
	a.op("MUL R3, R10") // bytes of a B
	a.label("point")
	a.op("MOVD R5, R11") // rows left
	for i, rows := range tiles {
		this, next := fmt.Sprintf("rows%d", rows), "done"
		if i+1 < len(tiles) {
			next = fmt.Sprintf("rows%d", tiles[i+1])
		}
		a.label(this)
		a.op("CMP $%d, R11", rows)
		a.op("BLO %s", next)
		a.tile(rows, cols)
		a.op("SUB $%d, R11", rows)
		a.op("B %s", this)
	}
	a.label("done")
	a.op("ADD R7, R0")
	a.op("ADD R9, R2")
	a.op("ADD R10, R1")
	a.op("SUBS $1, R4")
	a.op("BNE point")
	a.op("RET")
}

// tile writes the product of some rows of A with B, and goes on to the next rows.
func (a *asm) tile(rows, cols int) {
	t := tile{asm: a, cols: cols}
	for range rows {
		t.sums = append(t.sums, a.takes(cols))
	}
	t.rows = a.takes(rows)
	t.b = a.takes(len(a.free) / 2 * 2)
	for _, row := range t.sums {
		for _, v := range row {
			a.zero(v)
		}
	}
	for _, p := range rowPointers[:rows] {
		a.op("MOVD R0, %s", p)
		a.op("ADD R6, R0")
	}
	a.op("MOVD R1, R12")     // next row of B
	a.op("ADD R1, R10, R25") // what will be there for the next point
	name := func(s string) string { return fmt.Sprintf("%s%d", s, rows) }
	a.op("SUBS $%d, R3, R13", unroll) // steps left
	a.op("BLO %s", name("rest"))
	a.label(name("steps"))
	for r, p := range rowPointers[:rows] {
		a.op("FMOVQ.P %d(%s), %s", width, p, t.rows[r].q())
	}
	for u := range unroll {
		t.step(u)
	}
	a.op("ADD $%d, R12", unroll*cols*width)
	for at := 0; at < unroll*cols*width; at += 64 {
		a.op("PRFM %d(R25), PLDL1KEEP", at)
	}
	a.op("ADD $%d, R25", unroll*cols*width)
	a.op("SUBS $%d, R13", unroll)
	a.op("BHS %s", name("steps"))
	a.label(name("rest"))
	a.op("ADDS $%d, R13", unroll)
	a.op("BEQ %s", name("store"))
	a.label(name("step"))
	for r, p := range rowPointers[:rows] {
		a.op("FMOVS.P 4(%s), %s", p, t.rows[r].q())
	}
	t.step(0)
	a.op("ADD $%d, R12", cols*width)
	a.op("SUBS $1, R13")
	a.op("BNE %s", name("step"))
	a.label(name("store"))
	for _, row := range t.sums {
		for j := 0; j < cols; j += 2 {
			a.op("FSTPQ (%s, %s), %d(R2)", row[j].q(), row[j+1].q(), j*width)
		}
		a.op("ADD R8, R2")
		a.release(row...)
	}
	a.release(t.rows...)
	a.release(t.b...)
}

// tile is the state of a tile being written.
type tile struct {
	*asm
	cols int
	sums [][]vec // [row][column]
	rows []vec   // the next of each row of A
	b    []vec   // take the vectors of B in turn
}

// step adds the products of lane u of A's rows and the row of B that many behind R12.
func (t *tile) step(u int) {
	for j := 0; j < t.cols; j += 2 {
		x, y := t.b[0], t.b[1]
		t.b = append(t.b[2:], x, y)
		t.op("FLDPQ %d(R12), (%s, %s)", (u*t.cols+j)*width, x.q(), y.q())
		for r := range t.sums {
			t.fmla(t.sums[r][j], x, lane{t.rows[r], u})
			t.fmla(t.sums[r][j+1], y, lane{t.rows[r], u})
		}
	}
}
