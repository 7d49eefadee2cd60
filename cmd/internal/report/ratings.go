package report

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ratings is a chart of estimates with their intervals, one a row, the first on top.
type Ratings struct {
	Title string
	X     string // name of the axis, with its unit
	Rows  []Row
}

// Row is one estimate with the ends of its interval, all finite. Doubtful ones are drawn hollow.
type Row struct {
	Name             string
	Value, Low, High float64
	Doubtful         bool
}

// Write draws the chart. The format is "png" or "svg".
func (r *Ratings) Write(w io.Writer, format string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = r.Title, r.X
	p.Add(plotter.NewGrid())
	zero, err := plotter.NewLine(plotter.XYs{{X: 0, Y: -0.5}, {X: 0, Y: float64(len(r.Rows)) - 0.5}})
	if err != nil {
		return err
	}
	zero.Color = color.Gray{0x99}
	p.Add(zero)
	names := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		y := float64(len(r.Rows) - 1 - i)
		names[len(r.Rows)-1-i] = row.Name
		dot := point{plotter.XYs{{X: row.Value, Y: y}}, plotter.XErrors{{Low: row.Low - row.Value, High: row.High - row.Value}}}
		bar, err := plotter.NewXErrorBars(dot)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		bar.Color, bar.Width = colours[0], vg.Points(1.5)
		mark, err := plotter.NewScatter(dot)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		mark.Color, mark.Radius, mark.Shape = colours[0], vg.Points(3), draw.CircleGlyph{}
		if row.Doubtful {
			mark.Shape = draw.RingGlyph{}
		}
		p.Add(bar, mark)
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.5, float64(len(r.Rows))-0.5
	c, err := draw.NewFormattedCanvas(8*vg.Inch, vg.Length(len(r.Rows)+5)*0.25*vg.Inch, format)
	if err != nil {
		return err
	}
	// The plot leaves no margin by itself, and the longest name would touch the edge.
	whole, margin := draw.New(c), vg.Points(8)
	whole.FillPolygon(color.White, []vg.Point{whole.Min, {X: whole.Max.X, Y: whole.Min.Y}, whole.Max, {X: whole.Min.X, Y: whole.Max.Y}})
	p.Draw(draw.Crop(whole, margin, -margin, margin, -margin))
	_, err = c.WriteTo(w)
	return err
}

// point is one estimate as the plotters want it.
type point struct {
	plotter.XYs
	plotter.XErrors
}
