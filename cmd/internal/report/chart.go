package report

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// colours are those of Okabe and Ito, which people with colour-blindness can tell apart.
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
}

// most is the number of points that a curve is thinned to: more cannot be told apart at the size drawn.
const most = 600

// WritePNG draws the chart.
func (c *Chart) WritePNG(w io.Writer) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Add(plotter.NewGrid())
	for i, s := range c.Series {
		if len(s.X) == 0 {
			continue
		}
		points, err := s.thinned()
		if err != nil {
			return err
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		line.Color, line.Width = colours[i%len(colours)], vg.Points(1.5)
		p.Add(line)
		if len(points) <= 40 { // few enough to be seen one by one
			dots.Color, dots.Radius = line.Color, vg.Points(2)
			p.Add(dots)
		}
		if err := s.addIntervals(p, line.Color); err != nil {
			return err
		}
		p.Legend.Add(s.Name, line)
	}
	p.Legend.Top = true
	to, err := p.WriterTo(8*vg.Inch, 4*vg.Inch, "png")
	if err != nil {
		return err
	}
	_, err = to.WriteTo(w)
	return err
}

// addIntervals draws a bar from Low to High at each point, if the curve has them.
func (s *Series) addIntervals(p *plot.Plot, colour color.Color) error {
	if len(s.Low) == 0 && len(s.High) == 0 {
		return nil
	}
	if len(s.Low) != len(s.X) || len(s.High) != len(s.X) {
		return fmt.Errorf("%s: %d lower and %d upper ends of intervals for %d points; want one of each for a point, or none", s.Name, len(s.Low), len(s.High), len(s.X))
	}
	points := struct {
		plotter.XYs
		plotter.YErrors
	}{make(plotter.XYs, len(s.X)), make(plotter.YErrors, len(s.X))}
	for i := range s.X {
		points.XYs[i] = plotter.XY{X: s.X[i], Y: s.Y[i]}
		points.YErrors[i].Low, points.YErrors[i].High = s.Y[i]-s.Low[i], s.High[i]-s.Y[i]
	}
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	bars.Color = colour
	p.Add(bars)
	return nil
}

// thinned returns the curve's points, with neighbours averaged where there are too many.
func (s *Series) thinned() (plotter.XYs, error) {
	if len(s.X) != len(s.Y) {
		return nil, fmt.Errorf("%s: %d values of x and %d of y; want as many", s.Name, len(s.X), len(s.Y))
	}
	group := (len(s.X) + most - 1) / most
	var points plotter.XYs
	for i := 0; i < len(s.X); i += group {
		n := min(group, len(s.X)-i)
		var at plotter.XY
		for j := i; j < i+n; j++ {
			at.X += s.X[j] / float64(n)
			at.Y += s.Y[j] / float64(n)
		}
		points = append(points, at)
	}
	return points, nil
}
