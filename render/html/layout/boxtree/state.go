// Package boxtree has the boxes of a document, and what all ways of laying them out share: sizes by properties and by
// content, alignment, and pieces, which are boxes laid out under constraints.
//
//	state.go      the state of a layout and its bounds; Contexts, which lay out what is in boxes
//	box.go        the tree of boxes: anonymous boxes, inline and block content; table.go: tables, rows and cells
//	piece.go      laying out a box, and its pieces
//	sizing.go     widths and heights by properties; intrinsic.go: min-content and max-content
//	turned.go     content in another writing mode than what is around it
//	align.go      what flex containers and grids align; floats.go: floats beside each other
//
// A piece is immutable. Boxes keep their last pieces, so that nested flex containers and grids, which lay out their
// items several times, don't become exponential.
package boxtree

import (
	"context"
	"errors"
	"fmt"

	"masthead/render/html/css"
	"masthead/render/html/layout/fragment"
)

// bailout carries an error through the recursion.
type bailout struct{ err error }

// Spend counts work and stops the layout when there was too much, or ctx has ended.
func (l *State) Spend(n int) {
	l.work += n
	if l.work > maxWork {
		panic(bailout{fmt.Errorf("%w: it takes too long", ErrBounds)})
	}
	if l.work-l.checked >= 1000 {
		l.checked = l.work
		if err := l.ctx.Err(); err != nil {
			panic(bailout{err})
		}
	}
}

// Warn records a message once per kind.
func (l *State) Warn(n *css.Node, message string) {
	if l.warned[message] || len(l.Warnings) >= 100 {
		return
	}
	l.warned[message] = true
	l.Warnings = append(l.Warnings, fragment.Warning{Node: n, Message: message})
}

// State is the state of one layout, as far as all boxes share it.
type State struct {
	ctx           context.Context
	images        func(string) (w, h, ratio float64, ok bool)
	Width, Height float64 // of the canvas
	contexts      Contexts
	boxes         int
	work          int
	Clamp         *int // lines left in a box with line-clamp whose lines are in blocks
	checked       int  // work at which ctx was last looked at
	Warnings      []fragment.Warning
	warned        map[string]bool
}

// Contexts lay out what is in boxes, each kind of formatting context by its rules. Those of the first group put pieces
// into p, which is as wide as it will be, and return the height of the content; those of the second return intrinsic
// widths, where percentages of heights refer to h.
type Contexts interface {
	Flex(b *Box, p *Piece, f Frame, room Area) float64
	Grid(b *Box, p *Piece, f Frame, room Area) float64
	Table(b *Box, p *Piece, f Frame, room Area) float64
	Inline(b *Box, p *Piece, f Frame, room Area, fl *Floats, x, y float64) float64
	Flow(b *Box, p *Piece, f Frame, room Area, fl *Floats, x, y float64) float64

	FlexIntrinsic(b *Box, h float64) Sizes
	GridIntrinsic(b *Box, h float64) Sizes
	TableIntrinsic(b *Box) Sizes
	InlineIntrinsic(b *Box, h float64) Sizes

	// Symbol returns the style of the symbol of a list item as a box, its size, its border, and how far its top is
	// above the baseline.
	Symbol(n *css.Node) (st *css.Style, size, border, above float64)
}

// New returns the state of a layout on a canvas.
func New(
	ctx context.Context, width, height float64, images func(string) (w, h, ratio float64, ok bool), by Contexts,
) *State {
	if images == nil {
		images = func(string) (w, h, ratio float64, ok bool) { return 0, 0, 0, false }
	}
	return &State{ctx: ctx, images: images, Width: width, Height: height, contexts: by, warned: map[string]bool{}}
}

// Recovered turns the end of a layout that was stopped into its error: what recover returns, in a deferred function.
func Recovered(r any, err *error) {
	if stop, ok := r.(bailout); ok {
		*err = stop.err
	} else if r != nil {
		panic(r)
	}
}

// Fail stops the layout, which returns the error.
func Fail(err error) { panic(bailout{err}) }

// Bounds of a document. Work counts boxes laid out, shaped runes and tracks.
const (
	MaxDepth = 64
	MaxBoxes = 5000
	maxWork  = 20_000_000
)

// ErrBounds is the reason of a document that is too large or too deep.
var ErrBounds = errors.New("the document is too complex to lay out")
