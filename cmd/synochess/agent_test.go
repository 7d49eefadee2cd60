package main

import (
	"testing"

	"synochess/internal/loop"
)

func TestKernelPathOfGames(t *testing.T) {
	other, exact, quantised := &agent{}, &agent{kernels: "avx2-f32"}, &agent{kernels: "avx2-i16"}
	cfg := &loop.Config{Precision: loop.Int16}
	want, err := cfg.Precision.KernelPath()
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
