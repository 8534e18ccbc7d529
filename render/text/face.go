package text

import (
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/harfbuzz"

	"masthead/fonts"
)

// face is one face with its cached data for shaping. It belongs to one engine.
type face struct {
	id  uint8 // fonts.Face.Index
	src *fonts.Face
	ft  *font.Face
	hb  *harfbuzz.Font
	em  float32 // 1 / units per em
	cap float64 // height of H, in em

	xHeight float64 // of x, in em

	wordSpace  float32  // added to every space, in em
	contextual []uint64 // set of glyphs that start contextual alternates
}

// jakartaWordSpace is the extra space that Plus Jakarta Sans needs to keep words apart in tracked titles: its own space
// is .17 em, compared with .28 in Inter.
const jakartaWordSpace = .06

// widestSpace is the maximum width, in em, of a fallback's space: some South Asian faces have .5 em, which makes holes
// in a title.
const widestSpace = .30

// face returns the engine's own form of an embedded face, created on first use.
func (e *Engine) face(src *fonts.Face) *face {
	if f := e.faces[src.Index()]; f != nil {
		return f
	}
	f := newFace(src)
	e.faces[src.Index()] = f
	return f
}

// newFace returns a face for an engine.
func newFace(src *fonts.Face) *face {
	ft := src.NewFont()
	f := &face{
		id: uint8(src.Index()), src: src, ft: ft, hb: harfbuzz.NewFont(ft), em: 1 / float32(ft.Upem()),
		cap: .72, xHeight: xHeightLike,
	}
	if gid, ok := ft.NominalGlyph('H'); ok {
		if ext, ok := ft.GlyphExtents(gid); ok && ext.YBearing > 0 {
			f.cap = float64(ext.YBearing * f.em)
		}
	}
	if gid, ok := ft.NominalGlyph('x'); ok {
		if ext, ok := ft.GlyphExtents(gid); ok && ext.YBearing > 0 {
			f.xHeight = float64(ext.YBearing * f.em)
		}
	}
	if src.Family == string(PlusJakartaSans) {
		f.wordSpace = jakartaWordSpace
	}
	if gid, ok := ft.NominalGlyph(' '); ok && !Family(src.Family).Valid() && !src.Own() {
		f.wordSpace = min(0, widestSpace-ft.HorizontalAdvance(gid)*f.em)
	}
	f.contextual = coverageOf(ft, opentype.MustNewTag("calt"))
	return f
}

// coverageOf returns the set of glyphs that the lookups of a substitution feature start from.
func coverageOf(ft *font.Face, tag opentype.Tag) []uint64 {
	set := make([]uint64, 1024) // every 16-bit glyph ID
	used := false
	seen := make([]bool, len(ft.GSUB.Lookups)) // uploaded fonts may name a lookup often, or one that there is not
	add := func(g tables.GlyphID) { set[g>>6] |= 1 << (g & 63); used = true }
	for _, f := range ft.GSUB.Features {
		if f.Tag != tag {
			continue
		}
		for _, l := range f.LookupListIndices {
			if int(l) >= len(seen) || seen[l] {
				continue
			}
			seen[l] = true
			for _, subtable := range ft.GSUB.Lookups[l].Subtables {
				switch c := subtable.Cov().(type) {
				case tables.Coverage1:
					for _, g := range c.Glyphs {
						add(g)
					}
				case tables.Coverage2:
					for _, r := range c.Ranges {
						for g := uint32(r.StartGlyphID); g <= uint32(r.EndGlyphID); g++ {
							add(tables.GlyphID(g))
						}
					}
				}
			}
		}
	}
	if !used {
		return nil
	}
	return set
}

// alternates reports whether contextual alternates could change a glyph of runes. They don't change an x that isn't
// next to a digit (otherwise it becomes a multiplication sign), or a colon between a small letter and a space
// (otherwise it is raised).
func (f *face) alternates(runes []rune) bool {
	if f.contextual == nil {
		return false
	}
	for i, r := range runes {
		if r == 'x' && !nearDigit(runes, i) {
			continue
		}
		if r == ':' && i > 0 && runes[i-1] >= 'a' && runes[i-1] <= 'z' && (i+1 == len(runes) || runes[i+1] == ' ') {
			continue
		}
		if gid, ok := f.ft.NominalGlyph(r); ok && f.contextual[(gid&0xffff)>>6]&(1<<(gid&63)) != 0 {
			return true
		}
	}
	return false
}

// nearDigit reports whether one of the two runes on either side of runes[i] is a digit.
func nearDigit(runes []rune, i int) bool {
	for _, r := range runes[max(0, i-2):min(len(runes), i+3)] {
		if unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// ink returns the bounds of a glyph's ink in em: x to the right and y up from its origin. A blank glyph has none.
func (f *face) ink(gid uint32) (x0, y0, x1, y1 float32) {
	if f.id == emojiFace {
		return emojiBearing, emojiBaseline, 1 + emojiBearing, 1 + emojiBaseline
	}
	ext, ok := f.ft.GlyphExtents(font.GID(gid))
	if !ok || ext.Width == 0 || ext.Height == 0 {
		return 0, 0, 0, 0
	}
	x0, y0 = ext.XBearing*f.em, (ext.YBearing+ext.Height)*f.em
	return x0, y0, (ext.XBearing + ext.Width) * f.em, ext.YBearing * f.em
}
