package netagent

import (
	"math/rand/v2"
	"testing"
)

// Every position is as likely to be kept as any other.
func TestReservoirIsFair(t *testing.T) {
	var kept [50]int
	const rounds, want = 4000, 5
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		d := reservoir{want: want, rng: rng}
		for i := range kept {
			d.add(drawn{repetitions: i})
		}
		if len(d.list) != want {
			t.Fatalf("%d kept, want %d", len(d.list), want)
		}
		for _, p := range d.list {
			kept[p.repetitions]++
		}
	}
	for i, n := range kept { // expected 400, standard deviation 19
		if n < 310 || n > 490 {
			t.Errorf("position %d was kept %d times of %d, want some %d", i, n, rounds, rounds*want/len(kept))
		}
	}
}
