package layout

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"golang.org/x/text/cases"
	xlanguage "golang.org/x/text/language"

	"masthead/fonts"
	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/text"
)

// fontKey identifies the faces of a style; styles with the same inherited properties share them.
type fontKey *css.Text

// fontSet is the faces for a style, in order of preference.
type fontSet struct {
	style    *css.Text
	faces    []*fonts.Face
	fallback []*fonts.Face // for what they lack; nil until needed
	known    map[rune]*fonts.Face
	features []harfbuzz.Feature
}

// generics are the families of generic names.
var generics = map[string]string{
	"sans-serif": "inter", "system-ui": "inter", "ui-sans-serif": "inter", "-apple-system": "inter", "serif": "instrument-serif",
	"ui-serif": "instrument-serif", "monospace": "jetbrains-mono", "ui-monospace": "jetbrains-mono",
	"ui-rounded": "inter", "emoji": "", "math": "noto-sans-math", "cursive": "inter", "fantasy": "inter",
}

// fonts returns the faces of a style.
func (l *layouter) fonts(s *css.Style) *fontSet {
	key := fontKey(s.Text)
	if set, ok := l.fontCache[key]; ok {
		return set
	}
	if l.fontCache == nil {
		l.fontCache = map[fontKey]*fontSet{}
	}
	set := &fontSet{style: s.Text, known: map[rune]*fonts.Face{}}
	for _, name := range s.FontFamily {
		if f := l.familyFace(name, s.FontWeight, s.Italic, s.VariedWeight); f != nil && !slices.Contains(set.faces, f) {
			set.faces = append(set.faces, f)
		}
	}
	if len(set.faces) == 0 {
		set.faces = append(set.faces, l.familyFace("sans-serif", s.FontWeight, s.Italic, 0))
	}
	for _, f := range s.Features {
		if got, ok := text.Feature(f.Tag, f.Value); ok {
			set.features = append(set.features, got)
		}
	}
	if s.Vertical() {
		if vert, ok := text.Feature("vert", 1); ok {
			set.features = append(set.features, vert)
		}
	}
	if s.LetterSpacing != 0 {
		for _, tag := range [...]string{"liga", "clig"} {
			if !slices.ContainsFunc(s.Features, func(f css.Feature) bool { return f.Tag == tag }) {
				off, _ := text.Feature(tag, 0)
				set.features = append(set.features, off)
			}
		}
	}
	l.fontCache[key] = set
	return set
}

// Zero returns the advance of the digit 0 in a style's face, in em: the unit ch. Source: CSS Values 4, 6.1.1.
func Zero(e *text.Engine, t *css.Text) float64 {
	l := &layouter{engine: e}
	face := l.fonts(&css.Style{Text: t}).faces[0]
	if !face.Has('0') {
		return .5
	}
	zero := text.Run{Face: face, Runes: []rune{'0'}, End: 1, Script: text.ScriptOf('0')}
	return float64(e.ShapeRun(zero, nil)[0].Advance)
}

// familyFace returns the face of a family by its name in CSS, or nil. varied is as for [text.Engine.OwnFace].
func (l *layouter) familyFace(name string, weight int, italic bool, varied int) *fonts.Face {
	if f := l.engine.OwnFace(name, weight, italic, varied); f != nil {
		return f
	}
	slug, ok := generics[name]
	if !ok {
		slug = strings.ReplaceAll(name, " ", "-")
	}
	var best *fonts.Face
	for _, f := range fonts.All() {
		if f.Family == slug && (best == nil || preferred(f, best, weight, italic)) {
			best = f
		}
	}
	return best
}

// preferred reports whether a suits a weight and slant better than b. Source: CSS Fonts 4, 5.2.
func preferred(a, b *fonts.Face, weight int, italic bool) bool {
	if a.Italic != b.Italic {
		return a.Italic == italic
	}
	return weightRank(a.Weight, weight) < weightRank(b.Weight, weight)
}

// weightRank orders weights by preference for a desired one, smallest first.
func weightRank(have, want int) int {
	const later = 10000
	switch {
	case have == want:
		return 0
	case want >= 400 && want <= 500:
		if have > want && have <= 500 {
			return have - want
		}
		if have < want {
			return later + want - have
		}
		return 2*later + have - want
	case want < 400:
		if have < want {
			return want - have
		}
		return later + have - want
	case have > want:
		return have - want
	}
	return later + want - have
}

// has reports whether all visible runes of a cluster are in a face.
func has(f *fonts.Face, cluster []rune) bool {
	for _, r := range cluster {
		if !text.Ignorable(r) && r != softHyphen && !f.Has(r) {
			return false
		}
	}
	return true
}

// face returns the face for a grapheme cluster, or the primary one if no face has it.
func (l *layouter) face(set *fontSet, cluster, all []rune) *fonts.Face {
	r := cluster[0]
	single := len(cluster) == 1
	if single {
		if f, ok := set.known[r]; ok {
			return f
		}
		if text.Ignorable(r) || r == object || r == softHyphen {
			return set.faces[0]
		}
	}
	f := l.findFace(set, cluster, all)
	if single && len(set.known) < 4096 {
		set.known[r] = f
	}
	return f
}

func (l *layouter) findFace(set *fontSet, cluster, all []rune) *fonts.Face {
	for _, f := range set.faces {
		if has(f, cluster) {
			return f
		}
	}
	if set.fallback == nil {
		set.fallback = text.FallbackFaces(set.style.FontWeight, set.style.Lang, all)
	}
	for _, f := range set.fallback {
		if f != nil && has(f, cluster) {
			return f
		}
	}
	if len(cluster) > 1 {
		return l.face(set, cluster[:1], all)
	}
	return set.faces[0]
}

// boldFrom is the weight from which a face that is lighter is made bold. Source: Blink, FontSelectionTypes.
const boldFrom = 600

// shapedRun is a run of text in one face.
type shapedRun struct {
	start, end    int
	face          *fonts.Face
	size          float64
	bold, oblique bool
	level         int8
	script        language.Script
	glyphs        []text.RunGlyph // visual order
}

// glyphRange returns the range of the glyphs whose clusters are in [start, end).
func (s *shapedRun) glyphRange(start, end int) (from, to int) {
	n := len(s.glyphs)
	if s.level&1 == 1 { // clusters descend
		from = sort.Search(n, func(i int) bool { return int(s.glyphs[i].Cluster) < end })
		return from, sort.Search(n, func(i int) bool { return int(s.glyphs[i].Cluster) < start })
	}
	from = sort.Search(n, func(i int) bool { return int(s.glyphs[i].Cluster) >= start })
	return from, sort.Search(n, func(i int) bool { return int(s.glyphs[i].Cluster) >= end })
}

// shapeRun shapes runes[s.start:s.end] in the context of all runes.
func (l *layouter) shapeRun(c *inlineContent, set *fontSet, s *shapedRun) {
	l.Spend(4 * (s.end - s.start))
	s.glyphs = l.shapeRange(c, set, s, s.start, s.end)
}

func (l *layouter) shapeRange(c *inlineContent, set *fontSet, s *shapedRun, start, end int) []text.RunGlyph {
	run := text.Run{
		Face: s.face, Runes: c.runes, Start: start, End: end, Script: s.script, RightLeft: s.level&1 == 1,
		Lang: set.style.Lang, Features: set.features,
	}
	glyphs := l.engine.ShapeRun(run, l.glyphs[:0])
	l.glyphs = glyphs
	out := slices.Clone(glyphs)
	for i := range out {
		r := c.runes[out[i].Cluster]
		if out[i].Advance > 0 && s.upright(set.style, r, &out[i]) { // in the middle of a cell as long as the face is high
			cell := float32(1)
			if em := l.engine.Metrics(s.face); !css.Han(r) {
				cell = float32(em.Ascent + em.Descent)
			}
			out[i].DX, out[i].Advance = (cell-out[i].Advance)/2, cell
		}
		if text.Ignorable(r) || r == 0xad {
			if out[i].Advance != 0 && (r == 0xad || r < 0xfe00) {
				out[i].Advance = 0
			}
		}
	}
	return out
}

// upright reports whether a glyph isn't turned with its line. Where the face has no vertical form of a bracket or a
// dash, its usual one is turned.
func (s *shapedRun) upright(style *css.Text, r rune, g *text.RunGlyph) bool {
	return style.Upright(r) && !(css.Transformed(r) && s.usual(r, g))
}

// usual reports whether a glyph is that of horizontal text.
func (s *shapedRun) usual(r rune, g *text.RunGlyph) bool {
	id, ok := s.face.Font().NominalGlyph(r)
	return ok && uint32(id) == g.ID
}

// metricsKey is a face at a size.
type metricsKey struct {
	face *fonts.Face
	size float64
}

// faceMetrics are the metrics of a face in px, as Chromium rounds them.
type faceMetrics struct {
	ascent, descent, lineGap float64
	spacing                  float64 // line-height: normal
	xHeight, space           float64
	underlineThickness       float64
	underlineOffset          float64
}

// metrics returns the metrics of a face at a size.
func (l *layouter) metrics(f *fonts.Face, size float64) faceMetrics {
	key := metricsKey{f, size}
	if m, ok := l.metricsCache[key]; ok {
		return m
	}
	if l.metricsCache == nil {
		l.metricsCache = map[metricsKey]faceMetrics{}
	}
	em := l.engine.Metrics(f)
	m := faceMetrics{
		ascent: math.Round(em.Ascent * size), descent: math.Round(em.Descent * size), lineGap: em.LineGap * size,
		xHeight: em.XHeight * size, space: em.Space * size,
		underlineThickness: em.UnderlineThickness * size, underlineOffset: em.UnderlineOffset * size,
	}
	if m.descent < em.Descent*size-1e-4 && m.ascent >= 1 { // as Blink does where glyphs are at subpixel positions
		m.ascent, m.descent = m.ascent-1, m.descent+1
	}
	m.spacing = m.ascent + m.descent + math.Round(m.lineGap)
	l.metricsCache[key] = m
	return m
}

// primaryMetrics returns the metrics of a style's first face.
func (l *layouter) primaryMetrics(s *css.Style) faceMetrics {
	return l.metrics(l.fonts(s).faces[0], s.FontSize)
}

// leading returns the ascent and descent of a line of metrics m with the line-height of s. Source: Blink,
// CalculateLeadingSpace: the half above is rounded down.
func leading(s *css.Style, m faceMetrics) (ascent, descent float64) {
	height := m.spacing
	if !s.LineHeight.Normal {
		height = boxtree.Unit(s.LineHeight.Px)
	}
	above := math.Floor((height - (m.ascent + m.descent)) / 2)
	return m.ascent + above, m.descent + height - (m.ascent + m.descent) - above
}

// transform applies text-transform to a text; started says that its first letter continues a word.
func transform(s string, st *css.Style, started bool) string {
	switch st.TextTransform {
	case css.Uppercase:
		return upper(s, st.Lang)
	case css.Lowercase:
		return lower(s, st.Lang)
	case css.Capitalize:
		var out strings.Builder
		for _, r := range s {
			letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’'
			if letter && !started && unicode.IsLetter(r) {
				r = unicode.ToTitle(r)
			}
			started = letter
			out.WriteRune(r)
		}
		return out.String()
	}
	return s
}

// upper returns s in upper case by the rules of a language: dotted İ in Turkish, no accents in Greek.
func upper(s, lang string) string { return cases.Upper(xlanguage.Make(lang)).String(s) }

// lower returns s in lower case by the rules of a language.
func lower(s, lang string) string { return cases.Lower(xlanguage.Make(lang)).String(s) }
