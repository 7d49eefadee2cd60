package main

import (
	"strings"
	"testing"

	"synochess/configs"
	"synochess/env"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay"
	"synochess/train/loop"
)

func TestKernelPathOfGames(t *testing.T) {
	other, exact, quantised := &agent{}, &agent{kernels: "avx2-f32"}, &agent{kernels: "avx2-i16"}
	cfg := &loop.Config{Precision: fast.Int16}
	on, err := chosenKernels()
	if err != nil {
		t.Fatal(err)
	}
	want, err := cfg.Precision.KernelPath(on)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agents []*agent
		want   string
	}{
		{[]*agent{other, other}, want},
		{[]*agent{quantised, other}, "avx2-i16"},
		{[]*agent{exact, exact}, "avx2-f32"},
		{[]*agent{quantised, exact}, "avx2-i16, avx2-f32"},
	} {
		if got, err := kernelPath(cfg, c.agents...); err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
}

func TestTellApart(t *testing.T) {
	network := func(path, precision, id string) *agent {
		s := &selfplay.Searcher{Kind: networkName(path, 1) + precision, EvalID: id}
		return &agent{Agent: s, kind: "network", path: path, search: s}
	}
	for _, c := range []struct {
		a, b         *agent
		first, other string
	}{
		{network("x/000056.weights", "", "1"), network("y/000056.weights", "", "2"), "x/000056", "y/000056"},
		{network("a/w/n.weights", ":int16", "1"), network("b/w/n.weights", ":int16", "2"), "a/w/n:int16", "b/w/n:int16"},
		{network("/r/q", "", "1"), network("/s/q", "", "2"), "r/q", "s/q"},
		{network("x/n.weights", "", "1"), network("x/n.weights", "", "1"), "n", "n"}, // one network
		{network("n.weights", "", "1"), network("n.weights", "", "2"), "n 1", "n 2"}, // replaced in between
		{network("x/n.weights", "", "1"), network("y/m.weights", "", "2"), "n", "m"},
	} {
		tellApart(c.a, c.b)
		if got, other := c.a.Info().Kind, c.b.Info().Kind; got != c.first || other != c.other {
			t.Errorf("%s and %s are called %q and %q, want %q and %q", c.a.path, c.b.path, got, other, c.first, c.other)
		}
	}
}

func TestUntrainedOn(t *testing.T) {
	rules := func(name string) *env.Rules {
		r, err := env.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	moddable, pychess := rules("moddable"), rules("pychess")
	handicap, err := moddable.With(map[string]any{"name": "handicap", "start": strings.Replace(moddable.Start, "[ssssss]", "[sss]", 1)})
	if err != nil {
		t.Fatal(err)
	}
	w := &net.Weights{Record: net.Record{Rules: []string{moddable.Canonical()}}}
	if text := untrainedOn(w, moddable, handicap); text != "" {
		t.Errorf("on its own rules, and with another start: %q", text)
	}
	if text := untrainedOn(w, moddable, pychess); !strings.Contains(text, "never trained on pychess, only on moddable") {
		t.Errorf("on others: %q", text)
	}
	near, err := pychess.With(map[string]any{"campmate_rank": 6})
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int]bool{1: true, 2: true, 3: false} {
		w.Arch.EncodingVersion = version
		if text := untrainedOn(w, near); strings.Contains(text, "do not tell it of campmate_rank") != want {
			t.Errorf("on a field that encoding version %d may not have: %q", version, text)
		}
	}
	if text := untrainedOn(&net.Weights{}, pychess); !strings.Contains(text, "does not say") {
		t.Errorf("without a record: %q", text)
	}
}

// A run whose games vary a field that its networks cannot see is warned.
func TestUnseenInARun(t *testing.T) {
	c, err := configs.Resolve("tiny", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := unseenIn(&c.Run); text != "" || err != nil {
		t.Errorf("tiny: %q, %v", text, err)
	}
	c.Run.Rules = []selfplay.RuleEntry{{Name: "pychess", Weight: 1, Vary: map[string][]any{"campmate_rank": {8, 6}}}}
	for encoding, want := range map[int]string{2: "no input for campmate_rank", 3: ""} {
		c.Run.Net.EncodingVersion = encoding
		if text, err := unseenIn(&c.Run); !strings.Contains(text, want) || want == "" && text != "" || err != nil {
			t.Errorf("encoding %d: %q, %v", encoding, text, err)
		}
	}
}

func TestAgentWithAnotherSearch(t *testing.T) {
	c, err := configs.Resolve("play", nil)
	if err != nil {
		t.Fatal(err)
	}
	search := c.Run.Search
	greedy := selfplay.Greedy(search)
	first := &agent{Agent: greedy, kind: "greedy", search: greedy}
	search.LeavesPerStep = 7
	other := first.with(search)
	if other.search.Search.LeavesPerStep != 7 || other.Info().Settings == first.Info().Settings {
		t.Errorf("the other's search is %s", other.Info().Settings)
	}
	if first.search.Search.LeavesPerStep == 7 || other.Info().EvalID != first.Info().EvalID || other.kind != first.kind {
		t.Errorf("from %v it became %v", first.Info(), other.Info())
	}
	random := &agent{Agent: selfplay.Random(), kind: "random"}
	if random.with(search) != random {
		t.Error("random does not search, and so has no other search")
	}
}
