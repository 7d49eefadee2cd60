package train

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestRate(t *testing.T) {
	c := validConfig()
	c.LearningRate, c.WarmupSteps, c.FinalRate = 1, 10, 0.2
	for _, k := range []struct {
		schedule string
		step     int
		progress float64
		want     float64
	}{
		{Linear, 0, 0, 0.1}, {Linear, 4, 0, 0.5}, {Linear, 9, 0, 1}, {Linear, 10, 0, 1},
		{Linear, 100, 0.5, 0.6}, {Linear, 1000, 1, 0.2}, {Linear, 1000, 7, 0.2}, {Linear, 1000, -1, 1},
		{Cosine, 100, 0, 1}, {Cosine, 100, 0.5, 0.6}, {Cosine, 100, 0.25, 0.2 + 0.8*(1+math.Sqrt2/2)/2}, {Cosine, 100, 1, 0.2},
	} {
		c.Schedule = k.schedule
		if got := c.Rate(k.step, k.progress); math.Abs(got-k.want) > 1e-12 {
			t.Errorf("%s, step %d, progress %v: rate %v, want %v", k.schedule, k.step, k.progress, got, k.want)
		}
	}
}

func TestValidate(t *testing.T) {
	c := validConfig()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	// Each field out of range is refused by its name.
	for i := range reflect.TypeFor[Config]().NumField() {
		f := reflect.TypeFor[Config]().Field(i)
		name := f.Tag.Get("yaml")
		bad := validConfig()
		v := reflect.ValueOf(&bad).Elem().Field(i)
		switch v.Kind() {
		case reflect.Int:
			v.SetInt(-1)
		case reflect.Float64:
			v.SetFloat(math.NaN())
		case reflect.String:
			v.SetString("?")
		}
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), name+" is") {
			t.Errorf("%s = %v: error %v", name, v, err)
		}
	}
}

// Half the games of the ramp give half the passes; at the ramp and beyond, or without one, all count.
func TestDraws(t *testing.T) {
	for _, c := range []struct{ ramp, games, want int }{
		{0, 1, 4000}, {0, 0, 4000}, {500, 250, 2000}, {500, 1, 8}, {500, 499, 3992}, {500, 500, 4000}, {500, 10000, 4000},
	} {
		cfg := validConfig()
		cfg.Passes, cfg.Ramp = 4, c.ramp
		if got := cfg.Draws(1000, c.games); got != c.want {
			t.Errorf("ramp %d, %d games: %d draws, want %d", c.ramp, c.games, got, c.want)
		}
	}
}
