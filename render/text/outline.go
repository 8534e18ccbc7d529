package text

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"masthead/fonts"
)

// PathOp is the operation of an outline segment.
type PathOp uint8

// A glyph's contours are MoveTo followed by lines and quadratic curves; each is closed.
const (
	MoveTo PathOp = iota
	LineTo
	QuadTo
	CubeTo
)

var pathOps = [...]PathOp{
	opentype.SegmentOpMoveTo: MoveTo, opentype.SegmentOpLineTo: LineTo,
	opentype.SegmentOpQuadTo: QuadTo, opentype.SegmentOpCubeTo: CubeTo,
}

// Segment is one piece of an outline: its points in em, y down; the last one is the end point.
type Segment struct {
	Op     PathOp
	Points [3]Point
}

// Point is in em, with the origin at the pen on the baseline and y down.
type Point struct {
	X, Y float64
}

// Glyph is a letter as a path.
type Glyph struct {
	Segments []Segment
	// Advance is in em. Ink is what the path covers, in em, y down.
	Advance float64
	Ink     Rect
}

// Outline returns the letter r of a family as a path in em (multiply by the size), for backdrop letters and outlined
// letters. Han characters have the forms of lang, a BCP 47 tag. ok is false if the family and its fallbacks have no
// such letter. It is safe for concurrent use.
func Outline(family Family, weight int, r rune, lang string) (g Glyph, ok bool) {
	if !family.Valid() {
		family = Inter
	}
	candidates := []*fonts.Face{fonts.Find(string(family), weight, false)}
	candidates = append(candidates, fallbacks(family, weight, hanOf([]rune{r}, lang))...)
	for _, src := range candidates {
		if !src.Has(r) {
			continue
		}
		ft := font.NewFace(src.Font())
		gid, found := ft.NominalGlyph(r)
		if !found {
			continue
		}
		outline, found := src.Outline(ft, gid)
		if !found {
			return Glyph{}, false
		}
		em := 1 / float64(ft.Upem())
		g.Advance = float64(ft.HorizontalAdvance(gid)) * em
		if ext, found := ft.GlyphExtents(gid); found {
			g.Ink = Rect{
				X0: float64(ext.XBearing) * em, X1: float64(ext.XBearing+ext.Width) * em,
				Y0: -float64(ext.YBearing) * em, Y1: -float64(ext.YBearing+ext.Height) * em,
			}
		}
		for _, s := range outline {
			segment := Segment{Op: pathOps[s.Op]}
			for i, a := range s.Args {
				segment.Points[i] = Point{X: float64(a.X) * em, Y: -float64(a.Y) * em}
			}
			g.Segments = append(g.Segments, segment)
		}
		return g, true
	}
	return Glyph{}, false
}

// Has reports whether the regular face of a family has every letter of s: mixing several faces within a language looks
// broken, however well each of them is drawn.
func (f Family) Has(s string) bool {
	face := fonts.Find(string(f), 400, false)
	return face != nil && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) && !face.Has(r) })
}
