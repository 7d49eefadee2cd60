package env_test

import (
	"fmt"
	"log"

	"synochess/env"
)

// A game is played move by move; the legal moves are listed before each.
func Example() {
	rules, err := env.Builtin("pychess")
	if err != nil {
		log.Fatal(err)
	}
	game := env.NewGame(rules, rules.StartPosition())
	for _, text := range []string{"e2e4", "b8c6"} {
		fmt.Println(len(game.LegalMoves()), "legal moves, played:", text)
		if err := game.PlayUCI(text); err != nil { // an illegal move is an error
			log.Fatal(err)
		}
	}
	for _, move := range game.LegalMoves()[:3] {
		fmt.Println(rules.MoveString(move))
	}
	fmt.Println(rules.FEN(game.Position()))
	fmt.Println("over:", game.Outcome().Over())
	// Output:
	// 20 legal moves, played: e2e4
	// 50 legal moves, played: b8c6
	// b1a3
	// b1c3
	// d1e2
	// r1eakenr/8/1cn3c1/1ss2ss1/4P3/8/PPPP1PPP/RNBQKBNR[ss] w KQ - 1 2
	// over: false
}
