package mcts_test

import (
	"fmt"
	"log"

	"synochess/env"
	"synochess/env/encode"
	"synochess/mcts"
)

// even finds all moves alike and every position even.
type even struct{}

func (even) ID() string         { return "even" }
func (even) KernelPath() string { return "portable" }

func (even) Evaluate(b *encode.Batch) error {
	b.PrepareOutputs() // all logits are 0
	for row := range b.Len() {
		copy(b.RowWDL(row), []float32{0.25, 0.5, 0.25})
	}
	return nil
}

// A search finds a mate that its evaluator knows nothing of.
func Example() {
	rules, err := env.Builtin("pychess")
	if err != nil {
		log.Fatal(err)
	}
	position, err := rules.ParseFEN("k7/2K5/8/8/8/8/8/7R[] w - - 0 1")
	if err != nil {
		log.Fatal(err)
	}
	game := env.NewGame(rules, position)

	search := mcts.New(mcts.ReferenceConfig(), nil)
	result, err := search.Run(game, mcts.Options{Visits: 100, AllCandidates: true}, even{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("best move:", rules.MoveString(result.Best))
	fmt.Println("proven:", result.Proven == mcts.ProvenWin, "in", result.MateIn, "ply")
	// Output:
	// best move: h1a1
	// proven: true in 1 ply
}
