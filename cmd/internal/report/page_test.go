package report

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"
)

func curve(n int) Series {
	s := Series{Name: "loss"}
	for i := range n {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, 1/float64(i+1))
	}
	return s
}

func TestPage(t *testing.T) {
	p := Page{
		Title: "A <run>",
		Facts: []Fact{{"games", "12"}},
		Texts: []Text{{"Proof", "a & b"}},
		Charts: []Chart{
			{Title: "Loss", X: "step", Y: "nats", Series: []Series{curve(5), curve(5000)}},
			{Title: "With intervals", X: "generation", Y: "score", Series: []Series{{
				Name: "strength", X: []float64{1, 2}, Y: []float64{.5, .75}, Low: []float64{.25, .5}, High: []float64{.75, 1},
			}}},
			{Title: "One point", X: "step", Y: "nats", Series: []Series{curve(1)}},
			{Title: "Nothing", Series: []Series{{Name: "empty"}}},
		},
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	html := out.String()
	for _, want := range []string{"A &lt;run&gt;", "<td>12</td>", "a &amp; b"} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	images := regexp.MustCompile(`src="data:image/png;base64,([^"]+)"`).FindAllStringSubmatch(html, -1)
	if len(images) != 3 {
		t.Fatalf("%d images, want 3: the chart without points is left out", len(images))
	}
	for _, m := range images {
		raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
			t.Error(err)
		}
	}
	if strings.Contains(html, "http") {
		t.Error("the page loads something from elsewhere")
	}
}

func TestThinned(t *testing.T) {
	s := curve(5000)
	points, err := s.thinned()
	if err != nil {
		t.Fatal(err)
	}
	if len(points) > most {
		t.Errorf("%d points", len(points))
	}
	// 9 neighbours are averaged: the first point is the mean of 0..8.
	if math.Abs(points[0].X-4) > 1e-9 {
		t.Errorf("first point at %v, want 4", points[0].X)
	}
}

func TestBadSeries(t *testing.T) {
	for _, s := range []Series{
		{Name: "uneven", X: []float64{1, 2}, Y: []float64{1}},
		{Name: "infinite", X: []float64{1}, Y: []float64{math.Inf(1)}},
		{Name: "half an interval", X: []float64{1, 2}, Y: []float64{1, 2}, Low: []float64{0, 0}},
		{Name: "infinite interval", X: []float64{1}, Y: []float64{1}, Low: []float64{0}, High: []float64{math.Inf(1)}},
	} {
		p := Page{Charts: []Chart{{Title: "C", Series: []Series{s}}}}
		if err := p.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), s.Name) {
			t.Errorf("%s: error %v does not name the curve", s.Name, err)
		}
	}
}
