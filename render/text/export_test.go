package text

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"

	"masthead/fonts"
)

// TraitFamilies returns the families that have traits, sorted.
func TraitFamilies() []string {
	var out []string
	for f := range familyTraits {
		out = append(out, string(f))
	}
	slices.Sort(out)
	return out
}

// FallbackFamilies returns the families of the fallback list of Inter in a text of Simplified Chinese, in its order.
func FallbackFamilies() []string {
	var out []string
	for _, f := range fallbacks(Inter, 400, simplified) {
		out = append(out, f.Family)
	}
	return out
}

// ShapeIn shapes s as one run of a face and returns its glyphs as testdata/shapes.json writes them.
func (e *Engine) ShapeIn(src *fonts.Face, s string) string {
	f := *e.face(src)
	f.wordSpace = 0
	return e.shapeIn(&f, s)
}

// ShapeAllIn is ShapeIn with contextual alternates on for every text.
func (e *Engine) ShapeAllIn(src *fonts.Face, s string) string {
	f := *e.face(src)
	f.wordSpace = 0
	f.contextual = make([]uint64, 1024)
	for i := range f.contextual {
		f.contextual[i] = ^uint64(0)
	}
	return e.shapeIn(&f, s)
}

func (e *Engine) shapeIn(f *face, s string) string {
	p := &paragraph{runes: []rune(s)}
	n := len(p.runes)
	p.level, p.script, p.flags = zeroed(p.level, n), zeroed(p.script, n), zeroed(p.flags, n+1)
	for range p.runes {
		p.faces = append(p.faces, f)
	}
	p.resolveScripts()
	if baseLevel(p.runes, Auto) == 1 {
		p.level[0] = 1
	}
	for i, r := range p.runes {
		if scriptClass(scriptOf(r)) != common {
			p.script[0] = scriptOf(p.runes[i])
			break
		}
	}
	var out []string
	units := func(v float32) int { return int(math.Round(float64(v / f.em))) }
	for _, g := range e.shapeRange(p, 0, n, nil) {
		text := fmt.Sprintf("%d@%d+%d", g.gid, g.cluster, units(g.adv))
		if x, y := units(g.dx), units(g.dy); x != 0 || y != 0 {
			text += fmt.Sprintf(",%d,%d", x, y)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// Levels returns the embedding levels of s (UAX 9) with rule L1 for one line, and the level of the paragraph.
func Levels(s []rune, dir Dir) (levels []int8, base int8) {
	var b bidiParagraph
	base = baseLevel(s, dir)
	levels = make([]int8, len(s))
	b.levels(s, base, levels)
	for i := len(s) - 1; i >= 0; i-- {
		props, _ := bidi.LookupRune(s[i])
		switch props.Class() {
		case bidi.WS, bidi.LRI, bidi.RLI, bidi.FSI, bidi.PDI, bidi.BN:
			levels[i] = base
			continue
		}
		break
	}
	return levels, base
}

// DropMasks empties the cache of masks.
func (e *Engine) DropMasks() {
	e.masks.masks, e.masks.largeKey = newGlyphCache().masks, maskKey{}
	e.emoji.pictures = nil
}

// laidOut returns a paragraph of any script without faces, each rune one em wide: what there is to see is where lines
// break.
func (e *Engine) laidOut(s string) *paragraph {
	p := &paragraph{runes: []rune(s)}
	n := len(p.runes)
	p.flags, p.advances, p.clusters = zeroed(p.flags, n+1), zeroed(p.advances, n+1), zeroed(p.clusters, n+1)
	for i := range p.runes {
		p.advances[i+1], p.clusters[i+1] = float64(i+1), int32(i+1)
	}
	p.han = hanOf(p.runes, "")
	e.seg.Init(p.runes)
	e.findBreaks(p)
	return p
}

// Breaks returns s with a | wherever a line may break and a ¦ where that would part a phrase.
func (e *Engine) Breaks(s string) string {
	p := e.laidOut(s)
	var out strings.Builder
	start := 0
	for _, b := range p.breaks[:max(0, len(p.breaks)-1)] {
		out.WriteString(string(p.runes[start:b.next]))
		if b.weak {
			out.WriteString("¦")
		} else {
			out.WriteString("|")
		}
		start = b.next
	}
	return out.String() + string(p.runes[start:])
}

// Lines returns the lines of s in a box so many em wide, balanced or greedy, with phrases preferred or not.
func (e *Engine) Lines(s string, ems float64, phrases, balance bool) []string {
	p := e.laidOut(s)
	m := metrics{size: 1}
	lines, _ := p.wrap(m, ems, true, nil)
	if phrases {
		lines = e.keepPhrases(p, m, ems, lines)
	}
	if balance {
		lines = e.balance(p, m, ems, lines)
	}
	var out []string
	for _, l := range lines {
		out = append(out, string(p.runes[l.start:l.end]))
	}
	return out
}

// Visual returns the runes of s in visual order on one line, mirrored brackets not applied.
func Visual(s string, dir Dir) string {
	runes := []rune(s)
	levels := make([]int8, len(runes))
	var b bidiParagraph
	b.levels(runes, baseLevel(runes, dir), levels)
	runs := make([]visualRun, len(runes))
	for i := range runes {
		runs[i] = visualRun{start: i, end: i + 1, level: levels[i]}
	}
	reorder(runs)
	out := make([]rune, len(runes))
	for i, r := range runs {
		out[i] = runes[r.start]
	}
	return string(out)
}

// DisplayDescription returns a description as it is shown.
func DisplayDescription(s, title, lang string) string { return displayDescription(s, title, lang) }

// FitDescription sets a description.
func (e *Engine) FitDescription(s, title string, st Style, w float64, maxLines int) *Block {
	return e.fitDescription(&Stack{Text: s, Title: title, TextStyle: st, TextWidth: w, TextLines: maxLines})
}

// Holds reports whether a mask lies in r, but for the pixels at the edges that ink covers in part.
func (r Rect) Holds(mask image.Rectangle) bool {
	return float64(mask.Min.X) >= r.X0-2 && float64(mask.Min.Y) >= r.Y0-2 &&
		float64(mask.Max.X) <= r.X1+3 && float64(mask.Max.Y) <= r.Y1+3
}

// Measure returns the advance width in px of s on one line.
func (e *Engine) Measure(s string, st Style) float64 {
	e.compose(&e.para, s, st)
	return e.para.width(0, len(e.para.runes), e.para.metrics(st.SizePx, false))
}

// KeepsMask reports whether the mask of the first glyph of b is kept among others, at any place.
func (e *Engine) KeepsMask(b *Block) bool {
	g := b.glyphs[0]
	for sub := range uint8(subpixels) {
		if _, ok := e.masks.masks.Get(maskKey{gid: g.gid, size: float32(b.SizePx), face: g.face, subX: sub}); ok {
			return true
		}
	}
	return false
}

// Families returns the families that set b, in the order of their faces, each once.
func (b *Block) Families() []string {
	var out []string
	for i, f := range fonts.All() {
		for _, g := range b.glyphs {
			if int(g.face) == i && (len(out) == 0 || out[len(out)-1] != f.Family) {
				out = append(out, f.Family)
			}
		}
	}
	return out
}

// NotDef counts the glyphs that stand for a missing one.
func (b *Block) NotDef() (n int) {
	for _, g := range b.glyphs {
		if g.gid == 0 {
			n++
		}
	}
	return n
}

// ShapingLanguage returns what the shaper is told of a tag.
func ShapingLanguage(lang string) string { return string(shapingLanguage(lang)) }

// Glyphs returns the glyphs of b, sorted, without those that have no ink.
func (b *Block) Glyphs() (ids []uint32) {
	for _, g := range b.glyphs {
		ids = append(ids, g.gid)
	}
	slices.Sort(ids)
	return ids
}

// Drawable returns the characters of s that are set.
func (e *Engine) Drawable(s string) []rune {
	e.para.normalize(s, Style{})
	return e.para.runes
}

// LeastGap returns the least distance, from top to bottom, between ink of line i-1 and ink of line i that stands below
// it.
func (b *Block) LeastGap(i int) float64 {
	e := NewEngine()
	inks := func(l Line) (out []Rect) {
		for _, g := range b.glyphs[l.g0:l.g1] {
			e.face(fonts.All()[g.face])
			r := e.glyphInk(g, b.SizePx)
			out = append(out, Rect{r.X0, r.Y0 + l.Baseline, r.X1, r.Y1 + l.Baseline})
		}
		return out
	}
	least := math.Inf(1)
	for _, over := range inks(b.Lines[i-1]) {
		for _, under := range inks(b.Lines[i]) {
			if over.X0 < under.X1 && under.X0 < over.X1 && !over.Empty() && !under.Empty() {
				least = min(least, under.Y0-over.Y1)
			}
		}
	}
	return least
}

// PlacedGlyph is what a glyph covers, with the baseline of its line at 0, and the family of its face.
type PlacedGlyph struct {
	Ink    Rect
	Family string
}

// Placed returns the glyphs of b in the order in which they are drawn.
func (e *Engine) Placed(b *Block) (out []PlacedGlyph) {
	for _, g := range b.glyphs {
		out = append(out, PlacedGlyph{e.glyphInk(g, b.SizePx), fonts.All()[g.face].Family})
	}
	return out
}
