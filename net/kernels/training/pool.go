package training

import (
	"sync/atomic"

	"synochess/net/kernels"
)

// BlockPositions is the number of positions whose contributions to a sum over the batch are added up
// together. Every such sum (weight gradients, batch-norm statistics) is taken per block, in the order
// of the positions, and then over the blocks in their order (weight gradients: over the blocks of a
// group, and then over the groups); so it does not depend on how many threads there are or which of
// them did which block.
const BlockPositions = 16

// groupBlocks is the number of blocks in a group. A group is mostly the work of one thread, and its sum keeps
// the others from reading all that it wrote.
const groupBlocks = 4

// Blocks returns the number of blocks in a batch; the last one may be short.
func Blocks(batch int) int { return (batch + BlockPositions - 1) / BlockPositions }

// blockRange returns the positions [lo, hi) of a block.
func blockRange(block, batch int) (lo, hi int) {
	return block * BlockPositions, min((block+1)*BlockPositions, batch)
}

// Pool lends threads and scratch memory to the training kernels. The layers of one network share a
// Pool and run one after another; a Pool must not be used by two kernels at once.
type Pool struct {
	asm        *assembly // nil in plain Go
	threads    int
	workers    []worker            // [worker]; 0 is the caller of run
	job        atomic.Pointer[job] // the last one
	scratch    [][]float32         // [worker], contents undefined between uses
	workspaces []kernels.Workspace // [worker]
	convMemory []convMemory        // [worker]
	partials   [][]float32         // [block], a block's share of a sum over the batch; the first of a group becomes the group's
	open       []atomic.Int32      // [group]: blocks whose share is not complete
}

// NewPool returns a pool that uses the given number of threads, at least one, and a path's arithmetic: plain Go where
// training has no assembly for it.
func NewPool(p *kernels.Path, threads int) *Pool {
	threads = max(threads, 1)
	return &Pool{
		asm: assemblyOf(p), threads: threads, workers: make([]worker, threads),
		scratch: make([][]float32, threads), workspaces: make([]kernels.Workspace, threads),
		convMemory: make([]convMemory, threads),
	}
}

// Each calls f(i) once for every i in [0, n), on the pool's threads.
func (p *Pool) Each(n int, f func(i int)) { p.run(n, func(_, i int) { f(i) }) }

// run calls f(worker, i) once for every i in [0, n). Calls with the same worker never overlap.
func (p *Pool) run(n int, f func(worker, i int)) {
	count := min(p.threads, n)
	if count <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	j := newJob(count, n, f)
	p.job.Store(j)
	for w := 1; w < count; w++ {
		p.workers[w].start(p, w)
	}
	j.work(0)
	j.wait()
}

// scratchFor returns n floats that belong to the worker until its next call; their contents are
// undefined.
func (p *Pool) scratchFor(worker, n int) []float32 {
	if len(p.scratch[worker]) < n {
		p.scratch[worker] = make([]float32, n)
	}
	return p.scratch[worker][:n]
}

// preparePartials makes sure that each block has room for n floats, and opens their shares.
func (p *Pool) preparePartials(blocks, n int) {
	groups := (blocks + groupBlocks - 1) / groupBlocks
	if len(p.open) < groups {
		p.open = make([]atomic.Int32, groups)
	}
	for g := range groups {
		p.open[g].Store(int32(min(groupBlocks, blocks-g*groupBlocks)))
	}
	for len(p.partials) < blocks {
		p.partials = append(p.partials, nil)
	}
	for b := range blocks {
		if len(p.partials[b]) < n {
			p.partials[b] = make([]float32, n)
		}
	}
}

// closePartial says that a block's share of n floats is complete. The last of a group sums the group's.
func (p *Pool) closePartial(block, blocks, n int) {
	group := block / groupBlocks
	if p.open[group].Add(-1) > 0 {
		return
	}
	first := group * groupBlocks
	for b := first + 1; b < min(first+groupBlocks, blocks); b++ {
		p.add(p.partials[first][:n], p.partials[b][:n])
	}
}

// sumPartials sets dst to the sum of the blocks' shares, all of which are closed.
func (p *Pool) sumPartials(blocks int, dst []float32) {
	p.eachChunk(len(dst), func(lo, hi int) {
		d := dst[lo:hi]
		copy(d, p.partials[0][lo:hi])
		for b := groupBlocks; b < blocks; b += groupBlocks {
			p.add(d, p.partials[b][lo:hi])
		}
	})
}

// Add sets dst to a+b, which are as long. dst may be either of them.
func (p *Pool) Add(dst, a, b []float32) {
	p.eachChunk(len(dst), func(lo, hi int) {
		if &dst[lo] == &b[lo] {
			p.add(dst[lo:hi], a[lo:hi])
			return
		}
		copy(dst[lo:hi], a[lo:hi])
		p.add(dst[lo:hi], b[lo:hi])
	})
}

// eachChunk calls f for parts of [0, n) that fit the first cache.
func (p *Pool) eachChunk(n int, f func(lo, hi int)) {
	const chunk = 4096
	p.run((n+chunk-1)/chunk, func(_, i int) { f(i*chunk, min((i+1)*chunk, n)) })
}

// add adds src to dst, which is as long.
func (p *Pool) add(dst, src []float32) {
	done := 0
	if s := p.asm; s != nil && len(dst) >= s.lanes {
		s.add(&dst[0], &src[0], len(dst)/s.lanes)
		done = len(dst) / s.lanes * s.lanes
	}
	kernels.Add(dst[done:], src[done:])
}

// transpose sets dst [cols][rows] to the transpose of src [rows][cols].
func (p *Pool) transpose(src []float32, rows, cols int, dst []float32) {
	const band = 32 // rows: two cache lines of dst
	p.run((rows+band-1)/band, func(_, i int) { transpose(src, rows, cols, dst, i*band, min((i+1)*band, rows)) })
}

// transpose sets dst [cols][rows] to the transpose of rows lo to hi of src [rows][cols].
func transpose(src []float32, rows, cols int, dst []float32, lo, hi int) {
	for r := lo; r < hi; r++ {
		for c, v := range src[r*cols : (r+1)*cols] {
			dst[c*rows+r] = v
		}
	}
}
