package selfplay

import (
	"fmt"
	"math/bits"

	"synochess/env"
	"synochess/env/encode"
	"synochess/internal/portable"
	"synochess/mcts"
)

// pieceValues are rough values in Pawns: enough to take what hangs, no more. Soldiers in hand count as
// Soldiers.
var pieceValues = [env.NumPieces]float64{
	env.Pawn: 1, env.Knight: 3, env.Bishop: 3, env.Rook: 5, env.Queen: 9,
	env.Chariot: 5, env.Horse: 3, env.Cannon: 3, env.Elephant: 1.5, env.Advisor: 1, env.Soldier: 1,
}

// materialScale is the difference in Pawns at which the expected score is tanh(1).
const materialScale = 5

// NewMaterial returns an evaluator that knows nothing but the pieces' values: every move has the same
// prior, and win and loss follow the difference in material. It is the yardstick that a network has to
// beat with the same search, and what stands in where no weights are given.
func NewMaterial() mcts.Evaluator { return material{} }

// Greedy returns the yardstick: material values and a uniform prior with the same search.
func Greedy(search mcts.Config) *Searcher {
	return NewSearcher("greedy", material{}.ID(), search, func() (mcts.Evaluator, error) { return material{}, nil })
}

type material struct{}

func (material) ID() string         { return "material-1" }
func (material) KernelPath() string { return "portable" }
func (material) UniformPrior()      {}

func (material) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs()
	for row := range b.Len() {
		if len(b.Moves(row)) == 0 {
			return fmt.Errorf("material: row %d of %d has no legal move", row, b.Len())
		}
		r := b.Row(row)
		western := 0.0
		for piece := env.Pawn; piece < env.NumPieces; piece++ {
			v := float64(pieceValues[piece] * float64(bits.OnesCount64(r.Planes[piece-1])))
			if piece.Army() == env.Western {
				western += v
			} else {
				western -= v
			}
		}
		western -= float64(pieceValues[env.Soldier] * float64(r.Scalars[encode.ScalarHand]))
		mover := western
		if r.Planes[encode.PlaneEastern] != 0 {
			mover = -western
		}
		// tanh(x) = 1 - 2/(exp(2x)+1)
		win := 1 - 1/(portable.Exp(2*mover/materialScale)+1)
		wdl := b.RowWDL(row)
		wdl[0], wdl[1], wdl[2] = float32(win), 0, float32(1-win)
	}
	return nil
}
