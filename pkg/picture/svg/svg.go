// Package svg draws strangers' SVG documents.
//
// [Clean] reads a document and writes it anew with what may be drawn: nothing else of it reaches the engine. The engine
// is resvg as WebAssembly, which can reach nothing but its own memory: no file, no network, no clock. [Engine.Draw]
// draws a cleaned document at a size of ours in an instance that ends with the picture.
package svg

import (
	"encoding/xml"
	"errors"
	"image"
	"math"
	"strconv"
	"strings"
)

// Limits of a document. Source: docs/security.md#decoding.
const (
	MaxBytes    = 512 << 10
	maxDepth    = 64
	maxElements = 50_000
	maxSegments = 100_000
	maxUses     = 1000
	// maxAttributes is of one element.
	maxAttributes = 256
	// maxChain is how deep references and elements may lead into one another.
	maxChain = 256
)

// Limits of a document for the engine that can't be interrupted: 32 drawn elements, 4,000 path segments. The other
// limits bound what these two don't.
const (
	smallDrawn    = 32
	smallSegments = 4000
	smallElements = 128
	// smallStroked is how many segments there may be where any is stroked: wide strokes of curves take most.
	smallStroked = 1000
	smallStyle   = 4096
	// letterSegments is what a letter counts as.
	letterSegments = 64
	// smallNumber is the greatest number in an attribute: the pieces of an arc grow with its radius.
	smallNumber = 1e5
	// smallPixels is how many pixels are drawn at most, those of each element counted.
	smallPixels = 16 << 20
)

// The kinds of failure, matched by errors.Is.
var (
	// ErrDamaged: the document is no SVG, or refers to itself, or the engine cannot read it.
	ErrDamaged = errors.New("the SVG is damaged")
	// ErrTooLarge: the document is beyond a bound.
	ErrTooLarge = errors.New("the SVG is too large")
	// ErrUnsupported: the document needs what is not drawn.
	ErrUnsupported = errors.New("the SVG has what is not drawn")
	// ErrNotReady: the engine is still being compiled.
	ErrNotReady = errors.New("the engine for SVG is not ready yet")
	// ErrTimeout: drawing took longer than it may.
	ErrTimeout = errors.New("drawing the SVG took too long")
)

// Document is a document that was cleaned.
type Document struct {
	// Width and Height are what it asks for, in CSS pixels, or the ratio of them: each above 0.
	Width, Height float64

	attributes []xml.Attr // of the root, without its size
	content    string     // what stands in the root
	drawn      int        // elements that draw, in documents that are small but for it
	words      bool       // it has words
	bounded    bool
}

// small reports whether the document, drawn at w×h pixels, is certain to take little time.
func (d *Document) small(w, h int) bool {
	return d.bounded && int64(d.drawn)*int64(w)*int64(h) <= smallPixels
}

// fit returns the size of the document with a longer side of so many pixels.
func (d *Document) fit(side int) image.Point {
	factor := float64(side) / max(d.Width, d.Height)
	pixels := func(v float64) int { return min(max(int(math.Round(v*factor)), 1), side) }
	return image.Pt(pixels(d.Width), pixels(d.Height))
}

// xml returns the document with a size of w×h pixels.
func (d *Document) xml(w, h int) string {
	var b strings.Builder
	b.Grow(len(d.content) + 256)
	writeStart(&b, "svg", append([]xml.Attr{
		{Name: xml.Name{Local: "xmlns"}, Value: namespace},
		{Name: xml.Name{Local: "width"}, Value: strconv.Itoa(w)},
		{Name: xml.Name{Local: "height"}, Value: strconv.Itoa(h)},
	}, d.attributes...))
	b.WriteString(d.content)
	b.WriteString("</svg>")
	return b.String()
}

// The size of a document that gives none. Source: CSS 2.2, 10.3.2.
const (
	unstatedWidth  = 300
	unstatedHeight = 150
)

// size takes the size of the root from its attributes, and makes sure that it has a viewBox, so that it can be drawn
// at any size.
func (d *Document) size(root []xml.Attr) error {
	var w, h float64
	var box []float64
	for _, a := range root {
		switch a.Name.Local {
		case "width":
			w = length(a.Value)
		case "height":
			h = length(a.Value)
		case "viewBox":
			box = numbers(a.Value, 5)
			d.attributes = append(d.attributes, a)
		default:
			d.attributes = append(d.attributes, a)
		}
	}
	if box != nil && (len(box) != 4 || !(box[2] > 0) || !(box[3] > 0)) {
		return damaged("its viewBox is none")
	}
	switch {
	case box != nil && w == 0 && h == 0:
		w, h = box[2], box[3]
	case box != nil && w == 0:
		w = h * box[2] / box[3]
	case box != nil && h == 0:
		h = w * box[3] / box[2]
	}
	if w == 0 {
		w = unstatedWidth
	}
	if h == 0 {
		h = unstatedHeight
	}
	if ratio := w / h; !(ratio > 1e-4 && ratio < 1e4) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return damaged("its size is %v×%v", w, h)
	}
	d.Width, d.Height = w, h
	if box == nil {
		value := "0 0 " + strconv.FormatFloat(w, 'f', -1, 64) + " " + strconv.FormatFloat(h, 'f', -1, 64)
		d.attributes = append(d.attributes, xml.Attr{Name: xml.Name{Local: "viewBox"}, Value: value})
	}
	return nil
}

// units are lengths in CSS pixels; those of the font are of its initial size. Source: CSS Values and Units 4, 6.
var units = map[string]float64{
	"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16, "rem": 16, "ex": 8,
}

// length returns a length in CSS pixels; 0 for what is none, or is a share of what is around the document.
func length(s string) float64 {
	s = strings.TrimSpace(s)
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%")
	factor := units[s[len(number):]]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n > 0) || n > 1e9 {
		return 0
	}
	return n * factor
}
