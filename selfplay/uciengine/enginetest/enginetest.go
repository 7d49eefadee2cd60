// Package enginetest is an engine for tests that speaks the Universal Chess Interface and has the faults that a test
// asks for. A test program is its own engine: it is started again with the faults in the environment.
//
// Faults, as words:
//
//	dead         ends at once
//	once:PATH    ends at once if PATH exists, else makes it: the second process fails
//	mute         does not answer uci
//	unready      does not answer isready
//	stays        does not end at quit or at the end of its input
//	lists        lists the variants it knows under UCI_Variant, instead of announcing the one that is set
//	chess        knows no variant
//	leapers      plays by other rules: Horses leap
//	perftless    answers go perft with a move
//	perftsilent  does not answer go perft
//	miscounts    answers go perft with a wrong number
//
// From its third move on:
//
//	crash        ends
//	stall        does not answer go until it is told to stop
//	deaf         does not answer go or stop
//	illegal      plays an illegal move
//	nonsense     says bestmove without a move
//	lines        floods its output with lines
//	line         floods its output with one line without end
//	late         answers after 700 ms
package enginetest

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"synochess/env"
)

// Variable is where the environment says that a process is to be the engine.
const Variable = "SYNOCHESS_SCRIPTED_ENGINE"

// Main is what TestMain has to call: it plays the engine if the environment says so, and else runs the tests. rules
// returns the rule set of a variant's name; a variant for which it returns an error the engine does not know.
func Main(m *testing.M, rules func(variant string) (*env.Rules, error)) {
	if script := os.Getenv(Variable); script != "" {
		(&scripted{faults: strings.Fields(script), rules: rules}).run()
		return
	}
	os.Exit(m.Run())
}

// Command returns the program to start as an engine with faults, for as long as the test runs.
func Command(t *testing.T, faults string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, "engine "+faults) // the child's environment is ours
	return self
}

// scripted plays the first legal move, correctly but for its faults.
type scripted struct {
	faults  []string
	rules   func(variant string) (*env.Rules, error)
	variant string
	game    *env.Game
	moves   int // answered
}

func (s *scripted) has(fault string) bool { return slices.Contains(s.faults, fault) }

func (s *scripted) run() {
	if s.has("dead") {
		fmt.Fprintln(os.Stderr, "no such library")
		os.Exit(3)
	}
	for _, f := range s.faults {
		if path, ok := strings.CutPrefix(f, "once:"); ok {
			if _, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o644); err != nil {
				fmt.Fprintln(os.Stderr, "started before")
				os.Exit(3)
			}
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		command, rest, _ := strings.Cut(in.Text(), " ")
		switch command {
		case "uci":
			fmt.Println("id name Scripted 1")
			fmt.Println("option name Hash type spin default 1 min 1 max 16")
			if s.has("lists") {
				fmt.Println("option name UCI_Variant type combo default chess var chess var moddable var other")
			}
			if !s.has("mute") {
				fmt.Println("uciok")
			}
		case "isready":
			if !s.has("unready") {
				fmt.Println("readyok")
			}
		case "setoption":
			if name, ok := strings.CutPrefix(rest, "name UCI_Variant value "); ok {
				s.variant = name
				if _, err := s.rules(name); err == nil && !s.has("lists") && !s.has("chess") {
					fmt.Println("info string variant " + name + " files 8 ranks 8")
				}
			}
		case "position":
			s.position(rest)
		case "go":
			s.search(rest)
		case "stop":
			if s.has("stall") {
				fmt.Println("bestmove a1a1") // too late for the move to matter
			}
		case "quit":
			if !s.has("stays") {
				return
			}
		}
	}
	if s.has("stays") {
		time.Sleep(time.Hour)
	}
}

func (s *scripted) position(rest string) {
	fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), " moves ")
	r, err := s.rules(s.variant)
	if err == nil && s.has("leapers") {
		r, err = r.With(map[string]any{"horse": "leaper"})
	}
	if err != nil {
		panic(err)
	}
	p, err := r.ParseFEN(fen)
	if err != nil {
		s.game = nil
		return
	}
	s.game = env.NewGame(r, p)
	for _, text := range strings.Fields(moves) {
		if err := s.game.PlayUCI(text); err != nil {
			panic(err)
		}
	}
}

func (s *scripted) search(rest string) {
	if depth, ok := strings.CutPrefix(rest, "perft "); ok {
		switch {
		case s.has("perftless"):
			fmt.Println("bestmove e2e4")
		case s.has("perftsilent"):
		case s.has("miscounts"):
			fmt.Println("Nodes searched: 12")
		default:
			r := s.game.Rules()
			n := 0
			fmt.Sscan(depth, &n)
			fmt.Printf("\nNodes searched: %d\n", r.Perft(s.game.Position(), n))
		}
		return
	}
	s.moves++
	if s.game == nil {
		fmt.Println("bestmove (none)")
		return
	}
	move := s.game.Rules().MoveString(s.game.LegalMoves()[0])
	if s.moves < 3 {
		fmt.Println("info depth 1 score cp 0 pv " + move)
		fmt.Println("bestmove " + move + " ponder a1a1")
		return
	}
	switch { // from the third move on
	case s.has("crash"):
		fmt.Fprintln(os.Stderr, "assertion failed")
		os.Exit(1)
	case s.has("stall"), s.has("deaf"):
		return
	case s.has("illegal"):
		move = "a1a8"
	case s.has("nonsense"):
		fmt.Println("bestmove")
		return
	case s.has("lines"):
		flood(strings.Repeat("info string more and more\n", 1<<12))
	case s.has("line"):
		flood(strings.Repeat("x", 1<<16))
	case s.has("late"):
		time.Sleep(700 * time.Millisecond)
	}
	fmt.Println("bestmove " + move)
}

// flood says the same until nobody listens.
func flood(text string) {
	for {
		if _, err := fmt.Print(text); err != nil {
			os.Exit(0)
		}
	}
}
