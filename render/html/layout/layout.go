// Package layout arranges a styled document: boxes from its nodes, and from them a tree of fragments at absolute
// places, with text shaped and broken into lines. It draws nothing.
//
//	layout.go     Layout, its input and bounds
//	box.go        the tree of boxes: anonymous boxes, inline and block content
//	sizing.go     widths and heights by properties; intrinsic.go: min-content and max-content
//	block.go      block formatting: collapsing margins, floats
//	inline.go     inline content as one text with items; contentwriter.go: writing it from boxes; shape.go: faces and
//	              glyphs; breaks.go: where lines may end
//	lines.go      lines: breaking and alignment; linechoice.go: balanced ones; lineintrinsic.go: intrinsic widths
//	lineboxes.go  pieces of inline boxes; linealign.go: vertical alignment; linecut.go: ellipsis; linetext.go: glyphs
//	fit.go        --fit and titles: texts in the largest size that fits, lines by meaning
//	flex.go       flex containers; flexsize.go: sizes of items; flexplace.go: their places
//	grid.go       grids; gridplace.go: the cells of items; tracks.go, trackshare.go: sizes of tracks
//	table.go      tables; tablecolumns.go: widths of columns; tablerows.go: heights of rows, and the places of cells
//	place.go      from pieces with relative places to fragments; positioned boxes
//
// A piece is the immutable result of laying out a box under constraints. Boxes keep their last pieces, so that nested
// flex containers and grids, which lay out their items several times, don't become exponential.
package layout

import (
	"context"
	"errors"
	"fmt"

	"masthead/render/html/css"
	"masthead/render/text"
)

// Bounds of a document. Work counts boxes laid out, shaped runes and tracks.
const (
	MaxDepth = 64
	MaxBoxes = 5000
	maxWork  = 20_000_000
	maxText  = 20_000 // runes; a card shows some hundreds
)

// ErrBounds is the reason of a document that is too large or too deep.
var ErrBounds = errors.New("the document is too complex to lay out")

// Input is a document to lay out.
type Input struct {
	Root          *css.Node // the html element
	Width, Height float64   // of the canvas, px
	// Images returns the natural size of a picture by its address, in px.
	Images func(src string) (w, h float64, ok bool)
	Engine *text.Engine
}

// Warning is something that isn't laid out as a browser does.
type Warning struct {
	Node    *css.Node
	Message string
}

// Layout returns the fragment of the root element, and what it could not lay out. It returns an error that wraps
// [ErrBounds] for a document beyond the bounds, and that of ctx when ctx ends first.
func Layout(ctx context.Context, in Input) (root *Fragment, warnings []Warning, err error) {
	l := &layouter{
		ctx: ctx, engine: in.Engine, images: in.Images, width: in.Width, height: in.Height,
		warned: map[string]bool{},
	}
	defer func() {
		r := recover()
		if stop, ok := r.(stopped); ok {
			root, err = nil, stop.err
			return
		}
		if r != nil {
			panic(r)
		}
	}()
	if l.images == nil {
		l.images = func(string) (float64, float64, bool) { return 0, 0, false }
	}
	rootBox := l.buildRoot(in.Root)
	if rootBox == nil {
		return nil, l.warnings, nil
	}
	return l.placeRoot(rootBox), l.warnings, nil
}

// layouter is the state of one layout.
type layouter struct {
	ctx           context.Context
	engine        *text.Engine
	images        func(string) (float64, float64, bool)
	width, height float64
	boxes         int
	runes         int
	work          int
	clamp         *int // lines left in a box with line-clamp whose lines are in blocks
	checked       int  // work at which ctx was last looked at
	fontCache     map[fontKey]*fontSet
	metricsCache  map[metricsKey]faceMetrics
	warnings      []Warning
	warned        map[string]bool
	glyphs        []text.RunGlyph
	hyphens       map[*css.Text]float64 // widths
}

// stopped carries an error through the recursion.
type stopped struct{ err error }

// spend counts work and stops the layout when there was too much, or ctx has ended.
func (l *layouter) spend(n int) {
	l.work += n
	if l.work > maxWork {
		panic(stopped{fmt.Errorf("%w: it takes too long", ErrBounds)})
	}
	if l.work-l.checked >= 1000 {
		l.checked = l.work
		if err := l.ctx.Err(); err != nil {
			panic(stopped{err})
		}
	}
}

// warn records a message once per kind.
func (l *layouter) warn(n *css.Node, message string) {
	if l.warned[message] || len(l.warnings) >= 100 {
		return
	}
	l.warned[message] = true
	l.warnings = append(l.warnings, Warning{n, message})
}
