package bench

import (
	"context"
	"os"
	"strings"
	"testing"

	"synochess/env"
	"synochess/selfplay/uciengine/fairy"
)

// TestFairy checks that the engine plays by our rules, and that the contests notice when it does not. It
// needs SYNOCHESS_FAIRY, a folder into which npm installed fairy-stockfish-nnue.wasm, and node.
func TestFairy(t *testing.T) {
	folder := os.Getenv("SYNOCHESS_FAIRY")
	if folder == "" {
		t.Skip("skipped: SYNOCHESS_FAIRY does not name a folder with npm's fairy-stockfish-nnue.wasm")
	}
	f, err := startFairy(context.Background(), folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for _, name := range fairy.Rules {
		r, err := env.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			g := randomGame(r, int(seed)*3, seed)
			if err := f.position(r, g.Position()); err != nil {
				t.Fatalf("%s: %v", r.FEN(g.Position()), err)
			}
		}
		p := r.StartPosition()
		leaves := r.Perft(&p, 3)
		if err := f.position(r, &p); err != nil {
			t.Fatal(err)
		}
		if seconds, err := f.perft(3, leaves); err != nil || seconds <= 0 {
			t.Errorf("%s: perft in %v s, %v", name, seconds, err)
		}
		if _, err := f.perft(3, leaves+1); err == nil || !strings.Contains(err.Error(), "same rules") {
			t.Errorf("%s: a wrong count: error %v", name, err)
		}
		if seconds, err := f.search(); err != nil || seconds <= 0 {
			t.Errorf("%s: %v s a node, %v", name, seconds, err)
		}
	}
	strict, err := env.Builtin("moddable-strict")
	if err != nil {
		t.Fatal(err)
	}
	p := strict.StartPosition()
	if err := f.position(strict, &p); err == nil || !strings.Contains(err.Error(), "does not know the variant") {
		t.Errorf("a variant that it does not know: error %v", err)
	}
}
