package text

import (
	"sync"
	"sync/atomic"

	"masthead/fonts"
)

// This file is for texts in fonts that people uploaded.

// Families of texts in uploaded fonts: see [Fonts]. An engine without them draws both in Inter.
const (
	Brand     Family = "brand"      // titles
	BrandText Family = "brand-text" // everything else
)

// Fonts are fonts for some cards, beside those of the program, with the engines that use them: faces, glyphs and
// shaped texts of one owner are never those of another. It is safe for concurrent use. nil is no fonts.
type Fonts struct {
	set           *fonts.Set
	heading, text Family // families of the set, or of style.font; "" is Inter
	id            uint64
	engines       sync.Pool
	factor        func() float64 // of titles
}

var fontsCount atomic.Uint64

// NewFonts returns the fonts of a set. heading and body are the families for [Brand] and [BrandText]: those of the set,
// or of style.font; "" is Inter.
func NewFonts(set *fonts.Set, heading, body string) *Fonts {
	f := &Fonts{set: set, heading: Family(heading), text: Family(body), id: fontsCount.Add(1)}
	f.factor = sync.OnceValue(f.sizeAdjust)
	return f
}

// Bytes returns about how much memory the fonts take.
func (f *Fonts) Bytes() int {
	const parsed, engine = 5, 2 << 20
	return parsed*f.set.Bytes() + engine
}

// Get is the function Get for texts that may use the fonts; Put takes the engine back.
func (f *Fonts) Get() *Engine {
	if f == nil {
		return Get()
	}
	if e, ok := f.engines.Get().(*Engine); ok {
		return e
	}
	e := NewEngine()
	e.own = f
	return e
}

// Own is a number of the engine's fonts that no others have; 0 for an engine without.
func (e *Engine) Own() uint64 {
	if e.own == nil {
		return 0
	}
	return e.own.id
}

// familyOf returns the family that a brand's stands for.
func (f *Fonts) familyOf(family Family) Family {
	switch {
	case f == nil:
	case family == Brand && f.heading != "":
		return f.heading
	case family == BrandText && f.text != "":
		return f.text
	}
	return Inter
}

// find returns the face of a family for a weight and slant.
func (e *Engine) find(family Family, weight int, italic bool) *fonts.Face {
	if family == Brand || family == BrandText {
		family = e.own.familyOf(family)
		if face := e.own.Find(string(family), weight, italic); face != nil {
			return face
		}
		if !family.Valid() { // the font was deleted
			family = Inter
		}
	}
	return fonts.Find(string(family), weight, italic)
}

// Find returns the face of an uploaded family, or nil if there is none.
func (f *Fonts) Find(family string, weight int, italic bool) *fonts.Face {
	if f == nil {
		return nil
	}
	return f.set.Find(family, weight, italic)
}

// OwnFace returns the face of an uploaded family, or nil if there is none. A variable font is drawn at the weight
// varied, unless that is 0.
func (e *Engine) OwnFace(family string, weight int, italic bool, varied int) *fonts.Face {
	if e.own == nil {
		return nil
	}
	return e.own.set.Varied(family, weight, italic, varied)
}

// source returns the face of a number that glyphs have.
func (e *Engine) source(index uint8) *fonts.Face {
	if e.own != nil {
		return e.own.set.Face(int(index))
	}
	return fonts.All()[index]
}

// Limits of the size of an uploaded font: small letters of it look as large as those of Inter.
const minAdjust, maxAdjust = .85, 1.3

// sizeAdjust is [Family.SizeAdjust] of the font for titles.
func (f *Fonts) sizeAdjust() float64 {
	family := f.familyOf(Brand)
	face := f.Find(string(family), 700, false)
	if face == nil {
		return family.SizeAdjust()
	}
	return min(max(interXHeight/newFace(face).xHeight, minAdjust), maxAdjust)
}

// sizeAdjust is [Family.SizeAdjust], also for a brand's families.
func (e *Engine) sizeAdjust(family Family) float64 {
	switch {
	case e.own == nil, family != Brand && family != BrandText:
		return family.SizeAdjust()
	case family == Brand:
		return e.own.factor()
	}
	return e.own.familyOf(family).SizeAdjust()
}
