package net

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"synochess/env/encode"
)

// grownArch is larger than ungrownArch in every size.
var (
	ungrownArch = Arch{Blocks: 1, Width: 16, ValueChannels: 2, ValueHidden: 4, FromTo: 4, EncodingVersion: 1}
	grownArch   = Arch{Blocks: 2, Width: 32, ValueChannels: 3, ValueHidden: 6, FromTo: 6, EncodingVersion: 2}
)

// What a smaller network was trained on stays known; what was measured of it is not that of the larger one.
func TestGrowKeepsTheRecord(t *testing.T) {
	w := New(ungrownArch, 1)
	w.Record = Record{Rules: []string{"name: a\n"}, Training: json.RawMessage(`{"steps":12}`)}
	w.SetVectors([]TestVector{{}})
	q := &Quantisation{Positions: 1}
	for range 2 {
		limits := make([]float32, w.Arch.Width)
		for c := range limits {
			limits[c] = 1
		}
		q.Limits = append(q.Limits, limits)
	}
	if err := w.SetQuantisation(q); err != nil {
		t.Fatal(err)
	}
	g, err := Grow(w, grownArch, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil || g.Arch != grownArch.Complete() {
		t.Errorf("%+v, %v", g.Arch, err)
	}
	if !reflect.DeepEqual(g.Record, w.Record) {
		t.Errorf("the record is %+v", g.Record)
	}
	if g.Vectors() != nil || g.Quantisation() != nil {
		t.Error("test vectors or quantisation are those of the smaller network")
	}
	if again, err := Grow(w, grownArch, 2); err != nil || again.EvalID() != g.EvalID() {
		t.Errorf("the same seed gives other weights, %v", err)
	}
	if other, err := Grow(w, grownArch, 3); err != nil || other.EvalID() == g.EvalID() {
		t.Errorf("another seed gives the same weights, %v", err)
	}
	same, err := Grow(w, ungrownArch, 2)
	if err != nil || same.EvalID() != w.EvalID() || same.Quantisation() == nil {
		t.Errorf("with its own architecture it is another network, %v", err)
	}
	same.Tensors[0].Data[0]++
	if same.EvalID() == w.EvalID() {
		t.Error("the copy shares its tensors with the original")
	}
}

// New channels begin as in an untrained network, but for what the old ones would take from them.
func TestGrowBeginsLikeNew(t *testing.T) {
	w, fresh := New(ungrownArch, 1), New(grownArch, 2)
	g, err := Grow(w, grownArch, 2)
	if err != nil {
		t.Fatal(err)
	}
	at := func(w *Weights, name string, index int) float32 { return w.Tensor(name).Data[index] }
	planes := g.Arch.InputPlanes()
	for _, c := range []struct {
		name       string
		index      int
		want, kind float32 // kind: what the fresh network has there
	}{
		{"stem.conv.weight", 16, at(fresh, "stem.conv.weight", 16), 0},                                                             // plane 0 into a new channel
		{"stem.conv.weight", w.Arch.Planes * 32, 0, at(fresh, "stem.conv.weight", w.Arch.Planes*32)},                               // a new plane into an old one
		{"stem.conv.weight", (planes + g.Arch.Planes) * 32, at(w, "stem.conv.weight", (w.Arch.InputPlanes()+w.Arch.Planes)*16), 0}, // the ply counter, second tap
		{"block0.conv1.weight", 16 * 32, 0, at(fresh, "block0.conv1.weight", 16*32)},                                               // a new channel into an old one
		{"block0.conv1.weight", 31*32 + 31, at(fresh, "block0.conv1.weight", 31*32+31), 0},                                         // a new one into a new one
		{"block1.conv2.bn.scale", 0, 0, 1},                                                                                         // a new block
		{"block0.conv2.bn.scale", 31, 1, 0},                                                                                        // a new channel
		{"policy.from.weight", 5, at(fresh, "policy.from.weight", 5), 0},                                                           // a new channel of the term
		{"policy.to.weight", 5, 0, 1},                                                                                              // and of its other half
		{"value.fc1.weight", 2 * 6, 0, at(fresh, "value.fc1.weight", 2*6)},                                                         // a new channel at square 0 into an old unit
		{"value.fc1.weight", (63*3 + 1) * 6, at(w, "value.fc1.weight", (63*2+1)*4), at(fresh, "value.fc1.weight", (63*3+1)*6)},     // old to old, last square
		{"value.fc2.weight", 5 * 3, 0, at(fresh, "value.fc2.weight", 5*3)},                                                         // a new unit into a result
	} {
		if got := at(g, c.name, c.index); got != c.want || got == c.kind {
			t.Errorf("%s[%d] is %v, want %v and not %v", c.name, c.index, got, c.want, c.kind)
		}
	}
}

// A network only grows; each size that does not fit is named.
func TestGrowRefusesASmallerNetwork(t *testing.T) {
	w := New(grownArch, 1)
	for _, c := range []struct {
		change func(a *Arch)
		want   string
	}{
		{func(a *Arch) { a.Blocks = 1 }, "blocks is 1, but the network to begin with has 2, and a network only grows; use 2 or more"},
		{func(a *Arch) { a.Width = 16 }, "width is 16, but"},
		{func(a *Arch) { a.ValueChannels = 2 }, "value_channels is 2, but"},
		{func(a *Arch) { a.ValueHidden = 4 }, "value_hidden is 4, but"},
		{func(a *Arch) { a.FromTo = 0 }, "from_to is 0, but"},
		{func(a *Arch) { a.EncodingVersion = 1 }, "encoding is 1, but"},
		{func(a *Arch) { a.Blocks, a.Width, a.FromTo = 1, 64, 3 }, "blocks is 1, but the network to begin with has 2, and a network only grows; use 2 or more\nfrom_to is 3, but"},
	} {
		a := grownArch
		c.change(&a)
		if _, err := Grow(w, a, 1); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", a, err, c.want)
		}
	}
	w.Arch.EncodingVersion = encode.Version + 1
	if _, err := Grow(w, grownArch, 1); err == nil || !strings.Contains(err.Error(), "use a newer synochess") {
		t.Errorf("a newer encoding: %v", err)
	}
}
