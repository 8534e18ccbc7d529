// Package layout arranges a styled document: boxes from its nodes, and from them a tree of fragments at absolute
// places, with text shaped and broken into lines. It draws nothing.
//
//	layout.go     Layout and its input
//	block.go      block formatting: collapsing margins, floats
//	inline.go     inline content as one text with items; contentwriter.go: writing it from boxes; shape.go: faces and
//	              glyphs; breaks.go: where lines may end
//	lines.go      lines: breaking and alignment; linechoice.go: balanced ones; lineintrinsic.go: intrinsic widths
//	lineboxes.go  pieces of inline boxes; linealign.go: vertical alignment; linecut.go: ellipsis; linetext.go: glyphs
//	fit.go        --fit and titles: texts in the largest size that fits, lines by meaning
//	tablerows.go  tables: heights of rows, and the places of cells; tablecolumns.go: widths of columns
//	place.go      from pieces with relative places to fragments; positioned boxes
//
// Boxes and what all of this shares are in package boxtree, flex containers and grids in flex and grid, and fragments,
// which is what painting reads, in fragment.
package layout

import (
	"context"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/flex"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/layout/grid"
	"masthead/render/text"
)

// Input is a document to lay out.
type Input struct {
	Root          *css.Node // the html element
	Width, Height float64   // of the canvas, px
	// Images returns the natural size of a picture by its address, in px, or the ratio of one without a size.
	Images func(src string) (w, h, ratio float64, ok bool)
	Engine *text.Engine
}

// Layout returns the fragment of the root element, and what it could not lay out. It returns an error that wraps
// [boxtree.ErrBounds] for a document beyond the bounds, and that of ctx when ctx ends first.
func Layout(ctx context.Context, in Input) (root *fragment.Fragment, warnings []fragment.Warning, err error) {
	l := &layouter{engine: in.Engine}
	l.State = boxtree.New(ctx, in.Width, in.Height, in.Images, l)
	defer func() {
		if r := recover(); r != nil {
			root = nil
			boxtree.Recovered(r, &err)
		}
	}()
	rootBox := l.BuildRoot(in.Root)
	if rootBox == nil {
		return nil, l.Warnings, nil
	}
	return l.placeRoot(rootBox), l.Warnings, nil
}

// layouter is the state of one layout.
type layouter struct {
	*boxtree.State
	engine       *text.Engine
	runes        int
	fontCache    map[fontKey]*fontSet
	metricsCache map[metricsKey]faceMetrics
	glyphs       []text.RunGlyph
	hyphens      map[*css.Text]float64 // widths
}

// maxText bounds the text of a document in runes; a card shows some hundreds.
const maxText = 20_000

func (l *layouter) Flex(b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	return flex.Layout(l.State, b, p, f, room)
}

func (l *layouter) FlexIntrinsic(b *boxtree.Box, h float64) boxtree.Sizes {
	return flex.Intrinsic(l.State, b, h)
}

func (l *layouter) Grid(b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	return grid.Layout(l.State, b, p, f, room)
}

func (l *layouter) GridIntrinsic(b *boxtree.Box, h float64) boxtree.Sizes {
	return grid.Intrinsic(l.State, b, h)
}

func (l *layouter) Table(b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	return layoutTable(l.State, b, p, f, room)
}

func (l *layouter) TableIntrinsic(b *boxtree.Box) boxtree.Sizes { return intrinsicTable(l.State, b) }
