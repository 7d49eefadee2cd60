package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
)

func TestRatings(t *testing.T) {
	r := Ratings{Title: "Ratings", X: "Elo", Rows: []Row{
		{Name: "strong <one>", Value: 300, Low: 250, High: 370},
		{Name: "anchor"},
		{Name: "weak", Value: -900, Low: -1200, High: -700, Doubtful: true},
	}}
	var svg, picture bytes.Buffer
	if err := r.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	strong, weak := strings.Index(svg.String(), "strong &lt;one&gt;"), strings.Index(svg.String(), ">weak<")
	if strong < 0 || weak < 0 {
		t.Errorf("the names are not in the picture:\n%s", svg.String())
	}
	if err := r.Write(&picture, "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Error(err)
	}
	r.Rows[0].High = math.NaN()
	if err := r.Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), "strong <one>") {
		t.Errorf("error %v does not name the row", err)
	}
}
