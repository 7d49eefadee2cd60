package progress

import (
	"bytes"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	var out bytes.Buffer
	clock := time.Unix(0, 0)
	r := NewLines(&out, 10*time.Second, func() time.Time { return clock })
	r.Say("generation %d", 3)
	task := r.Start("self-play", 200, "games")
	clock = clock.Add(4 * time.Second)
	task.Set(10) // too early for a line
	clock = clock.Add(6 * time.Second)
	task.Note("12\rplies")
	task.After(time.Hour)
	task.Set(50)
	clock = clock.Add(30 * time.Second)
	task.Set(200)
	task.End()
	task.End()
	task.Set(1)
	want := `generation 3
self-play: 50/200 games (25%), 5.0 games/s, 30s left, run 1h00m left, 12 plies
self-play: 200/200 games (100%), 5.0 games/s, run 1h00m left, 12 plies
self-play: 200/200 games (100%), 5.0 games/s, took 40s, 12 plies
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestLinesUnknownTotal(t *testing.T) {
	var out bytes.Buffer
	clock := time.Unix(0, 0)
	r := NewLines(&out, time.Second, func() time.Time { return clock })
	task := r.Start("search", 0, "nodes")
	clock = clock.Add(2 * time.Second)
	task.Set(100000)
	if got, want := out.String(), "search: 100000 nodes, 50k nodes/s\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatDuration(8 * time.Second), "8s"},
		{FormatDuration(125 * time.Second), "2m05s"},
		{FormatDuration(80 * time.Minute), "1h20m"},
		{FormatDuration(76 * time.Hour), "3d4h"},
		{formatRate(0, "x"), "0.0 x/s"},
		{formatRate(0.25, "games"), "15.0 games/min"},
		{formatRate(250, "games"), "250 games/s"},
		{formatRate(45678, "nodes"), "46k nodes/s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
