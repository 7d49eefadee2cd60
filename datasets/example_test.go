package datasets_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"synochess/datasets"
	"synochess/env"
)

// A file of games is written and read.
func Example() {
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := datasets.GenerationFile(dir, 1)
	_, err = datasets.WriteFile(path, "example", func(yield func(*datasets.Game, error) bool) {
		for number := uint64(1); number <= 2 && yield(shortGame(number)); number++ {
		}
	})
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println(filepath.Base(path))
	for game, err := range datasets.ReadFile(path) {
		if err != nil {
			log.Fatal(err)
		}
		rules, err := env.ParseRules([]byte(game.Rules), path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print("game ", game.Number, ":")
		for _, ply := range game.Plies {
			fmt.Print(" ", rules.MoveString(ply.Move))
		}
		fmt.Println()
	}
	// Output:
	// gen-000001.parquet
	// game 1: e2e4 b8c6
	// game 2: e2e4 b8c6
}

// The sample in the repository is read: how its games ended.
func ExampleReadFile() {
	results := map[env.Result]int{}
	for game, err := range datasets.ReadFile("sample/gen-000000.parquet") {
		if err != nil {
			log.Fatal(err)
		}
		results[game.Result]++
	}
	fmt.Println(results[env.WesternWins], "won by the West,", results[env.EasternWins], "by the East,", results[env.Draw], "drawn")
	// Output: 29 won by the West, 10 by the East, 1 drawn
}

// shortGame is a game of two plies that was cut.
func shortGame(number uint64) (*datasets.Game, error) {
	rules, err := env.Builtin("pychess")
	if err != nil {
		return nil, err
	}
	start := rules.StartPosition()
	game := &datasets.Game{
		RunID: "example", Generation: 1, Number: number, Family: number, Rules: rules.Canonical(), RulesHash: rules.Hash(), GroupHash: rules.GroupHash(),
		StartFEN: rules.FEN(&start), Ending: datasets.Cut,
	}
	played := env.NewGame(rules, start)
	for _, text := range []string{"e2e4", "b8c6"} {
		move, err := rules.ParseMove(played.Position(), text)
		if err != nil {
			return nil, err
		}
		if err := played.Play(move); err != nil {
			return nil, err
		}
		game.Plies = append(game.Plies, datasets.Ply{Move: move, Chance: 1})
	}
	return game, nil
}
