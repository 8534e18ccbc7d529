package html

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"
	"unicode"

	"masthead/render/html/css"
	"masthead/render/html/draw"
	"masthead/render/html/layout/fragment"
	"masthead/render/text"
)

// Box is a rectangle in px of the card.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Empty reports whether the box has no area.
func (b Box) Empty() bool { return b.X1 <= b.X0 || b.Y1 <= b.Y0 }

// Intersect returns what both boxes cover.
func (b Box) Intersect(o Box) Box {
	return Box{max(b.X0, o.X0), max(b.Y0, o.Y0), min(b.X1, o.X1), min(b.Y1, o.Y1)}
}

func (b Box) union(o Box) Box {
	switch {
	case b.Empty():
		return o
	case o.Empty():
		return b
	}
	return Box{min(b.X0, o.X0), min(b.Y0, o.Y0), max(b.X1, o.X1), max(b.Y1, o.Y1)}
}

// Text is a piece of text of a drawn design: of one element, on one line.
type Text struct {
	Text string
	// Line and Column are where its element begins in the design; Element is the same for all texts of a block.
	Line, Column, Element int
	// Slot is data-slot of the block.
	Slot string
	Size float64 // of its font, in px
	// Ink is the box of its glyphs, and Block that of the block around it. Surface is the nearest box around it that has a
	// background or a border, without the card's own; empty for none. Shown is the part of the card that boxes around it
	// show.
	Ink, Block, Surface, Shown Box
	// Missing are the characters that no face has.
	Missing string
	// Aside says that it is within an element with aria-hidden="true". Moved says that a transform applies, so that its
	// boxes aren't where it is drawn.
	Aside, Moved bool
}

// Inspection is a drawn design with its texts. Bare is the picture without them.
type Inspection struct {
	Picture, Bare image.Image
	Texts         []Text
	Warnings      []Warning
}

// Inspect draws the design, and says where its texts are.
func (f *FilledDesign) Inspect(ctx context.Context, opts Options) (Inspection, error) {
	var found Inspection
	if err := checkSize(opts.Width, opts.Height); err != nil {
		return found, err
	}
	engine := opts.Fonts.Get()
	defer text.Put(engine)
	root, input, warnings, err := f.doc.laidOut(ctx, opts, engine, f.values)
	if err != nil {
		return found, err
	}
	for _, bare := range []bool{false, true} {
		input.NoText = bare
		drawn, err := draw.Draw(ctx, input)
		if err != nil {
			return found, fmt.Errorf("draw the document: %w", err)
		}
		img := drawn.Clone()
		drawn.Release()
		if bare {
			found.Bare = img
		} else {
			found.Picture = img
		}
	}
	in := inspector{
		engine: engine, shown: map[*fragment.Fragment]Box{},
		card: Box{0, 0, float64(opts.Width), float64(opts.Height)},
	}
	in.walk(root, surroundings{shown: in.card})
	found.Texts, found.Warnings = in.texts, *warnings
	return found, nil
}

// inspector collects the texts of a document.
type inspector struct {
	engine *text.Engine
	texts  []Text
	shown  map[*fragment.Fragment]Box // what boxes show of what they contain
	card   Box
}

// surroundings is what is known of a fragment from the boxes around it.
type surroundings struct {
	node           *css.Node // the nearest element
	block          *fragment.Fragment
	shown, surface Box
	aside, moved   bool
}

func (in *inspector) walk(f *fragment.Fragment, a surroundings) {
	if f.Hidden || !f.Anonymous && f.Style.Opacity == 0 {
		return
	}
	if f.OutOfFlow {
		a.shown = in.card
		if f.Containing != nil {
			if shown, ok := in.shown[f.Containing]; ok {
				a.shown = shown
			}
		}
	}
	if f.Node != nil {
		a.node = f.Node
		a.aside = a.aside || f.Node.Aside
	}
	if f.Kind == fragment.Box {
		a.block = f
	}
	st := f.Style
	if !f.Anonymous && f.Kind != fragment.Text {
		a.moved = a.moved || len(st.Transform) > 0
		if f.Parent != nil && f.Parent.Parent != nil && hasSurface(f) {
			a.surface = boxOf(f.Border)
		}
		if f.Kind == fragment.Box && (st.OverflowX != css.OverflowVisible || st.OverflowY != css.OverflowVisible) {
			a.shown = a.shown.Intersect(boxOf(f.Padding()))
		}
	}
	in.shown[f] = a.shown
	if f.Text != nil && st.Visibility == css.Visible && !f.Rest {
		in.add(f, a)
	}
	for _, k := range f.Children {
		in.walk(k, a)
	}
}

// hasSurface reports whether a box has a background or a border.
func hasSurface(f *fragment.Fragment) bool {
	st := f.Style
	return st.BackgroundColor.Of(st.Color).A > 0 || len(st.Background) > 0 || f.BorderWidth != fragment.Edges{}
}

func boxOf(r fragment.Rect) Box { return Box{r.X, r.Y, r.X + r.W, r.Y + r.H} }

// add adds a piece of text, unless it shows nothing.
func (in *inspector) add(f *fragment.Fragment, a surroundings) {
	st := f.Style
	t := Text{
		Text: f.Text.Source, Size: st.FontSize, Shown: a.shown, Surface: a.surface, Aside: a.aside, Moved: a.moved,
	}
	var missing strings.Builder
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		for _, g := range run.Glyphs {
			t.Ink = t.Ink.union(in.ink(run, g))
			if run.Face != nil && g.ID == 0 && unicode.IsGraphic(g.Rune) && !unicode.IsSpace(g.Rune) &&
				!strings.ContainsRune(missing.String(), g.Rune) {
				missing.WriteRune(g.Rune)
			}
		}
	}
	t.Missing = missing.String()
	if f.Kind == fragment.Emoji {
		t.Ink = boxOf(f.Border)
	}
	if t.Ink.Empty() {
		return
	}
	if a.node != nil {
		t.Line, t.Column = a.node.Line, a.node.Column
	}
	if a.block != nil {
		t.Block = boxOf(a.block.Border)
		for b := a.block; b != nil; b = b.Parent {
			if b.Node != nil {
				t.Element, t.Slot = b.Node.Index, b.Node.Slot
				break
			}
		}
	}
	in.texts = append(in.texts, t)
}

// ink returns the box of a glyph.
func (in *inspector) ink(run *fragment.GlyphRun, g fragment.Glyph) (ink Box) {
	if run.Face == nil {
		return Box{g.X, g.Y - run.Size, g.X + run.Size, g.Y}
	}
	segments, ok := in.engine.GlyphPath(run.Face, g.ID)
	if !ok || len(segments) == 0 {
		return ink
	}
	ink = Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range segments {
		points := map[text.PathOp]int{text.MoveTo: 1, text.LineTo: 1, text.QuadTo: 2, text.CubeTo: 3}[s.Op]
		for _, p := range s.Points[:points] {
			x, y := g.X+p.X*run.Size, g.Y+p.Y*run.Size
			ink = Box{min(ink.X0, x), min(ink.Y0, y), max(ink.X1, x), max(ink.Y1, y)}
		}
	}
	return ink
}
