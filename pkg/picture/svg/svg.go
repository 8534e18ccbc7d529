// Package svg draws untrusted SVG documents.
//
// [Clean] parses a document and rewrites it with only what may be drawn: nothing else of it reaches the engine. The
// engine is resvg as WebAssembly, which can access nothing but its own memory: no file, no network, no clock.
// [Engine.Draw] draws a cleaned document at a given size in an instance that exists only for this picture.
package svg

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
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
	// maxAttributes is per element.
	maxAttributes = 256
	// maxChain is the maximum depth of references and elements.
	maxChain = 256
)

// Limits of a document for the engine that can't be interrupted: 32 drawn elements, 4,000 path segments. The other
// limits bound what these two don't.
const (
	smallDrawn    = 32
	smallSegments = 4000
	smallElements = 128
	// smallStroked is the maximum number of segments if any is stroked: wide strokes of curves take the longest.
	smallStroked = 1000
	smallStyle   = 4096
	// letterSegments is the number of segments that a letter counts as.
	letterSegments = 64
	// smallNumber is the maximum number in an attribute: the segments of an arc grow with its radius.
	smallNumber = 1e5
	// smallPixels is the maximum number of pixels drawn, counted for each element.
	smallPixels = 16 << 20
)

// The kinds of failure, for errors.Is.
var (
	// ErrDamaged: the document isn't SVG, refers to itself, or can't be read by the engine.
	ErrDamaged = errors.New("the SVG is damaged")
	// ErrTooLarge: the document exceeds a limit.
	ErrTooLarge = errors.New("the SVG is too large")
	// ErrUnsupported: the document needs an unsupported feature.
	ErrUnsupported = errors.New("the SVG needs an unsupported feature")
	// ErrEntity: the document refers to text that it doesn't declare, or that isn't plain.
	ErrEntity = fmt.Errorf("%w: an entity", ErrUnsupported)
	// ErrNothing: all that the document draws is of kinds that aren't supported.
	ErrNothing = fmt.Errorf("%w: nothing else is in it", ErrUnsupported)
	// ErrNotReady: the engine is still being compiled.
	ErrNotReady = errors.New("the engine for SVG is not ready yet")
	// ErrTimeout: drawing exceeded its time limit.
	ErrTimeout = errors.New("drawing the SVG took too long")
)

// Document is a cleaned document.
type Document struct {
	// Width and Height are its declared size in CSS pixels, or the ratio of its sides: each above 0.
	Width, Height float64
	// Omitted names what the document has that isn't drawn: "foreignObject, a filter"; "" if all is.
	Omitted string

	root       *node      // without the parts that aren't drawn
	plain      string     // the content without filters, if it has any
	attributes []xml.Attr // of the root, without its size
	content    string     // the content of the root
	drawn      int        // drawn elements, in documents that are otherwise small
	words      bool       // it has words
	bounded    bool
}

// small reports whether the document, drawn at w×h pixels, is certain to take little time.
func (d *Document) small(w, h int) bool {
	return d.bounded && int64(d.drawn)*int64(w)*int64(h) <= smallPixels
}

// fit returns the size of the document with the given longer side in pixels.
func (d *Document) fit(side int) image.Point {
	factor := float64(side) / max(d.Width, d.Height)
	pixels := func(v float64) int { return min(max(int(math.Round(v*factor)), 1), side) }
	return image.Pt(pixels(d.Width), pixels(d.Height))
}

// xml returns the document with a size of w×h pixels, and the given content.
func (d *Document) xml(content string, w, h int) string {
	var b strings.Builder
	b.Grow(len(content) + 256)
	writeStart(&b, "svg", append([]xml.Attr{
		{Name: xml.Name{Local: "xmlns"}, Value: namespace},
		{Name: xml.Name{Local: "width"}, Value: strconv.Itoa(w)},
		{Name: xml.Name{Local: "height"}, Value: strconv.Itoa(h)},
	}, d.attributes...))
	b.WriteString(content)
	b.WriteString("</svg>")
	return b.String()
}

// The default size of a document. Source: CSS 2.2, 10.3.2.
const (
	unstatedWidth  = 300
	unstatedHeight = 150
)

// size reads the size of the root from its attributes, and ensures that it has a viewBox, so that it can be drawn at
// any size.
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
		return damaged("its viewBox is invalid")
	}
	switch {
	case box != nil && w == 0 && h == 0:
		w, h = box[2], box[3]
	case box != nil && w == 0:
		w = h * box[2] / box[3]
	case box != nil && h == 0:
		h = w * box[3] / box[2]
	}
	w = cmp.Or(w, unstatedWidth)
	h = cmp.Or(h, unstatedHeight)
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

// units are lengths in CSS pixels; relative to the initial font size where font-relative. Source: CSS Values and Units
// 4, 6.
var units = map[string]float64{
	"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16, "rem": 16, "ex": 8,
}

// length returns a length in CSS pixels, or 0 for invalid ones and percentages.
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
