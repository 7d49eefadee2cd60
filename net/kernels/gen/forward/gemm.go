package forward

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unroll is how many steps of a sum a loop turn takes.
const unroll = 4

// gemm writes a function for a series of products of narrow matrices: C = A*B with cols vectors of
// columns, for each point the next A, B and C. Rows of sums stay in registers. Each sum runs over ascending
// depth, whatever the tile. The first tile of a point fetches the next point's B: processors follow the
// stream of Bs by themselves up to the end of a page only; fetching in every tile costs more than it gains.
func (a *asm) gemm(cols int, tiles []int) {
	signature, formula := "func(a, b, c *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)", "C[rows][%d] = A[rows][depth]*B[depth][%d]"
	if a.int16 {
		signature = "func(a, b *int16, c, scale *float32, depth, points, rows, lda, aSkip, ldc, cSkip uintptr)"
		formula = "C[rows][%d] = scale[column] * A[rows][depth][2]*B[depth][%d][2]"
	}
	a.function(fmt.Sprintf("gemm%d", cols), signature, fmt.Sprintf("computes "+formula+` for each point.
The rows of A are lda bytes apart and those of C ldc; after the last row aSkip and cSkip bytes lead to the
next point. The Bs lie one behind the other; memory behind the last is prefetched, not read.
depth and rows are at least 1.`, cols*a.Lanes, cols*a.Lanes))
	g := &gemm{
		asm: a, cols: cols,
		a: a.Arg("a"), b: a.Arg("b"), c: a.Arg("c"), lda: a.Arg("lda"), ldc: a.Arg("ldc"),
		panel: a.GP64(), rows: a.GP64(), bp: a.GP64(), k: a.GP64(), base: make([]reg.GPVirtual, (tiles[0]+2)/3),
	}
	for i := range g.base {
		g.base[i] = a.GP64()
	}
	a.MOVQ(a.ArgMem("depth"), g.panel)
	a.IMUL3Q(operand.U32(uint32(cols*a.Width())), g.panel, g.panel)
	a.Label("point")
	a.MOVQ(a.ArgMem("rows"), g.rows)
	g.fetch = true
	g.tileIf(tiles[0], rowsLabel(tiles[1]))
	g.fetch = false
	for i, rows := range tiles {
		next := "done"
		if i+1 < len(tiles) {
			next = rowsLabel(tiles[i+1])
		}
		a.Label(rowsLabel(rows))
		g.tileIf(rows, next)
		a.JMP(operand.LabelRef(rowsLabel(rows)))
	}
	a.Label("done")
	a.ADDQ(a.ArgMem("aSkip"), g.a)
	a.ADDQ(a.ArgMem("cSkip"), g.c)
	a.ADDQ(g.panel, g.b)
	if a.int16 {
		a.ADDQ(operand.U32(uint32(cols*a.Width())), a.ArgMem("scale"))
	}
	a.DECQ(a.ArgMem("points"))
	a.JNZ(operand.LabelRef("point"))
	a.End()
}

// gemm is the state of the product function being written.
type gemm struct {
	*asm
	cols     int
	a, b, c  reg.GPVirtual // the next rows of A and C, this point's B
	lda, ldc reg.GPVirtual
	panel    reg.GPVirtual   // bytes of a B
	rows     reg.GPVirtual   // still to do
	bp, k    reg.GPVirtual   // next row of B, steps left
	base     []reg.GPVirtual // base[i] points to rows 3*i to 3*i+2 of A
	fetch    bool            // whether the tile being written fetches the next B
}

func rowsLabel(rows int) string { return fmt.Sprintf("rows%d", rows) }

// tileIf writes a tile that runs if so many rows are left, and a jump to next if not.
func (g *gemm) tileIf(rows int, next string) {
	g.CMPQ(g.rows, operand.Imm(uint64(rows)))
	g.JB(operand.LabelRef(next))
	if rows == 6 && g.int16 {
		// Four rows a board: 6 and 2 would be left for tiles of 6 and 4.
		g.CMPQ(g.rows, operand.Imm(8))
		g.JEQ(operand.LabelRef(next))
	}
	g.tile(rows)
	g.SUBQ(operand.Imm(uint64(rows)), g.rows)
}

// tile writes the product of some rows of A with B.
func (g *gemm) tile(rows int) {
	sums := make([][]reg.VecVirtual, rows)
	for r := range sums {
		for range g.cols {
			s := g.Vec()
			g.VXORPS(s, s, s)
			sums[r] = append(sums[r], s)
		}
	}
	bases := g.base[:(rows+2)/3]
	g.MOVQ(g.a, bases[0])
	for i := 1; i < len(bases); i++ {
		g.LEAQ(operand.Mem{Base: bases[i-1], Index: g.lda, Scale: 2}, bases[i])
		g.ADDQ(g.lda, bases[i])
	}
	g.MOVQ(g.b, g.bp)
	loop, rest, single, store := g.label(rows, "steps"), g.label(rows, "rest"), g.label(rows, "step"), g.label(rows, "store")
	g.MOVQ(g.ArgMem("depth"), g.k)
	g.SUBQ(operand.Imm(unroll), g.k)
	g.JCS(operand.LabelRef(rest))
	g.Label(loop)
	g.steps(sums, bases, unroll)
	g.SUBQ(operand.Imm(unroll), g.k)
	g.JCC(operand.LabelRef(loop))
	g.Label(rest)
	g.ADDQ(operand.Imm(unroll), g.k)
	g.JZ(operand.LabelRef(store))
	g.Label(single)
	g.steps(sums, bases, 1)
	g.DECQ(g.k)
	g.JNZ(operand.LabelRef(single))
	g.Label(store)
	if g.int16 {
		g.Load(g.Param("scale"), g.bp)
	}
	for r := range sums {
		for j, s := range sums[r] {
			if g.int16 {
				g.VCVTDQ2PS(s, s)
				g.VMULPS(operand.Mem{Base: g.bp, Disp: j * g.Width()}, s, s)
			}
			g.VMOVUPS(s, operand.Mem{Base: g.c, Disp: j * g.Width()})
		}
		g.ADDQ(g.ldc, g.c)
	}
	for left := rows; left > 0; {
		n := 8
		for n > left {
			n /= 2
		}
		g.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: uint8(n)}, g.a)
		left -= n
	}
}

func (g *gemm) label(rows int, name string) string {
	if g.fetch {
		name += "First"
	}
	return fmt.Sprintf("%s%d", name, rows)
}

// steps writes n steps of the sums.
func (g *gemm) steps(sums [][]reg.VecVirtual, bases []reg.GPVirtual, n int) {
	for u := range n {
		b := make([]reg.VecVirtual, g.cols)
		for j := range b {
			b[j] = g.Vec()
			at := operand.Mem{Base: g.bp, Disp: (u*g.cols + j) * g.Width()}
			g.VMOVUPS(at, b[j])
			if g.fetch && at.Disp%64 == 0 { // once a cache line
				at.Index, at.Scale = g.panel, 1
				g.PREFETCHT0(at)
			}
		}
		for r := range sums {
			at := operand.Mem{Base: bases[r/3], Disp: 4 * u}
			if r%3 != 0 {
				at.Index, at.Scale = g.lda, uint8(r%3)
			}
			x := g.Vec()
			if g.int16 {
				g.VPBROADCASTD(at, x)
			} else {
				g.VBROADCASTSS(at, x)
			}
			for j := range b {
				g.addProduct(sums[r][j], b[j], x, j+1 == len(b))
			}
		}
	}
	for _, b := range bases {
		g.ADDQ(operand.Imm(uint64(4*n)), b)
	}
	g.ADDQ(operand.U32(uint32(n*g.cols*g.Width())), g.bp)
}

// addProduct adds b times x to a sum; lastUse tells that x is not needed any more.
func (g *gemm) addProduct(sum, b, x reg.VecVirtual, lastUse bool) {
	switch {
	case !g.int16:
		g.VFMADD231PS(b, x, sum)
	case g.vnni:
		g.VPDPWSSD(b, x, sum)
	default:
		pairs := x
		if !lastUse {
			pairs = g.Vec()
		}
		g.VPMADDWD(b, x, pairs)
		g.VPADDD(pairs, sum, sum)
	}
}
