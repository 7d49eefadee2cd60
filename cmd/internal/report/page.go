// Package report shows results to people. A Page is what a run has learned, as one HTML file with text, a table
// and curves as embedded PNG images, which loads nothing from anywhere. Ratings is a picture of one scale.
package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

// Page is a report.
type Page struct {
	Title  string
	Facts  []Fact  // shown as a table at the top
	Texts  []Text  // below the table
	Charts []Chart // at the end; those without points are left out
}

// Fact is a line of the table.
type Fact struct{ Name, Value string }

// Text is a block of preformatted text with a heading.
type Text struct{ Title, Body string }

// Chart is a set of curves over one axis.
type Chart struct {
	Title  string
	X, Y   string // names of the axes, with units
	Series []Series
}

// Series is one curve. X and Y are of equal length and finite; so are Low and High, the ends of an interval about
// each Y, or both are empty.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64
}

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; }
th { text-align: left; font-weight: normal; color: #666; padding-right: 2rem; }
pre { background: #f4f4f4; padding: 1rem; overflow-x: auto; }
figure { margin: 2rem 0; }
img { max-width: 100%; }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
<table>
{{range .Facts}}<tr><th>{{.Name}}</th><td>{{.Value}}</td></tr>
{{end}}</table>
{{range .Texts}}<h2>{{.Title}}</h2>
<pre>{{.Body}}</pre>
{{end}}{{range .Images}}<figure><img alt="{{.Title}}" src="{{.URL}}"></figure>
{{end}}</body>
</html>
`))

// image is a chart as a picture.
type image struct {
	Title string
	URL   template.URL
}

// Write writes the page to w.
func (p *Page) Write(w io.Writer) error {
	var images []image
	for _, c := range p.Charts {
		if c.empty() {
			continue
		}
		var png bytes.Buffer
		if err := c.WritePNG(&png); err != nil {
			return fmt.Errorf("chart %q: %w", c.Title, err)
		}
		// The URL needs no escaping, because base64 holds nothing that could end the attribute.
		url := template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png.Bytes()))
		images = append(images, image{c.Title, url})
	}
	return page.Execute(w, struct {
		*Page
		Images []image
	}{p, images})
}

func (c *Chart) empty() bool {
	for _, s := range c.Series {
		if len(s.X) > 0 {
			return false
		}
	}
	return true
}
