package text

import (
	"slices"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// glyph is one shaped glyph, in em of its face.
type glyph struct {
	gid     uint32
	cluster int32 // index of its cluster's first rune
	face    uint8 // fonts.Face.Index
	adv     float32
	dx, dy  float32 // offset from the pen, y up
	scale   float32 // relative to the glyph's own size, see paragraph.scale; included in the above
}

// feature returns the setting of a feature for a whole run.
func feature(tag string, value uint32) harfbuzz.Feature {
	return harfbuzz.Feature{
		Tag: opentype.MustNewTag(tag), Value: value,
		Start: harfbuzz.FeatureGlobalStart, End: harfbuzz.FeatureGlobalEnd,
	}
}

// noLigatures is used for tracked letters: a ligature would be tighter than its neighbors. Source: CSS Text 4,
// letter-spacing.
var (
	noLigatures = []harfbuzz.Feature{feature("liga", 0), feature("clig", 0)}
	// plain is noLigatures if contextual alternates change nothing, or would form ligatures of code that tracking pulls
	// apart.
	plain = append(noLigatures[:2:2], feature("calt", 0))
	// noAlternates leaves ligatures on.
	noAlternates = []harfbuzz.Feature{feature("calt", 0)}
)

// features returns the settings for a run. Contextual alternates take half the time of shaping in faces with many
// (Inter: 115 subtables), and titles rarely have a letter that starts one, so they are only enabled if there is one.
//
// variant is a number for each set of settings.
func (p *paragraph) features(f *face, start, end int) (settings []harfbuzz.Feature, variant uint8) {
	alternates := f.alternates(p.runes[start:end])
	switch {
	case p.style.Tracking != 0 && (!alternates || f.src.Family == string(JetBrainsMono)):
		return plain, 1
	case p.style.Tracking != 0:
		return noLigatures, 2
	case !alternates:
		return noAlternates, 3
	}
	return nil, 0
}

// shape splits p into runs and shapes each, in em: widths at any size and tracking follow by arithmetic.
func (e *Engine) shape(p *paragraph) {
	n := len(p.runes)
	p.level = zeroed(p.level, n)
	p.script = zeroed(p.script, n)
	p.flags = zeroed(p.flags, n+1)
	p.advances = zeroed(p.advances, n+1)
	p.clusters = zeroed(p.clusters, n+1)
	p.runs, p.glyphs = p.runs[:0], p.glyphs[:0]
	if n == 0 {
		return
	}
	if p.base != 0 || needsBidi(p.runes) {
		e.bidi.levels(p.runes, p.base, p.level)
	}
	p.resolveScripts()
	for start := 0; start < n; {
		end := start + 1
		for end < n && p.faces[end] == p.faces[start] &&
			p.level[end] == p.level[start] && p.script[end] == p.script[start] {
			end++
		}
		g0 := len(p.glyphs)
		p.glyphs = e.shapeRange(p, start, end, p.glyphs)
		p.runs = append(p.runs, run{start: start, end: end, g0: g0, g1: len(p.glyphs), level: p.level[start]})
		start = end
	}
	if p.overlaid {
		e.layOverRuns(p)
	}
	e.closeMarks(p)
	for _, r := range p.runs {
		if r.over {
			continue
		}
		for _, g := range p.glyphs[r.g0:r.g1] {
			p.advances[g.cluster+1] += float64(g.adv)
			p.clusters[g.cluster+1] = 1
		}
	}
	for i := range n {
		if p.clusters[i+1] == 0 {
			p.flags[i] |= insideGlyph
		}
		p.advances[i+1] += p.advances[i]
		p.clusters[i+1] += p.clusters[i]
	}
}

// shapeRange shapes runes[start:end], which have the same face, level and script, with the surrounding text as context,
// and appends its glyphs to dst in visual order. It marks the positions at which breaking would change glyphs.
func (e *Engine) shapeRange(p *paragraph, start, end int, dst []glyph) []glyph {
	from, scale := len(dst), p.scale(p.faces[start])
	if p.faces[start].id == emojiFace {
		dst = shapeEmoji(p, start, end, dst)
	} else {
		dst = e.shapeUnscaled(p, start, end, dst)
	}
	for i := range dst[from:] {
		g := &dst[from+i]
		if g.scale = scale; scale != 1 {
			g.adv, g.dx, g.dy = g.adv*scale, g.dx*scale, g.dy*scale
		}
		if p.primary != nil && p.faces[start] != p.primary {
			p.raiseDigit(g)
		}
	}
	return dst
}

// superscriptScale is the size of a digit of the family that takes the place of a superscript it lacks.
const superscriptScale = .62

// superscripts are the digits whose superscripts have these characters.
var superscripts = map[rune]rune{
	'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9',
}

// raiseDigit makes a superscript of another family a small digit of the text's own, as high as its capitals.
func (p *paragraph) raiseDigit(g *glyph) {
	digit, ok := superscripts[p.runes[g.cluster]]
	if !ok || !p.primary.has(digit) {
		return
	}
	gid, _ := p.primary.ft.NominalGlyph(digit)
	g.gid, g.face, g.scale, g.dx = uint32(gid), p.primary.id, superscriptScale, 0
	g.adv = p.primary.ft.HorizontalAdvance(gid) * p.primary.em * superscriptScale
	g.dy = float32(p.primary.cap) * (1 - superscriptScale)
}

// shapeUnscaled is shapeRange at the size of the run's own face.
func (e *Engine) shapeUnscaled(p *paragraph, start, end int, dst []glyph) []glyph {
	features, variant := p.features(p.faces[start], start, end)
	if end-start > maxCachedRun {
		return e.shapeUncached(p, start, end, features, dst)
	}
	key := e.shapes.key(p, start, end, variant)
	if s := e.shapes.get(key); s != nil {
		for _, g := range s.glyphs {
			g.cluster += int32(start)
			dst = append(dst, g)
		}
		for _, at := range s.unsafe {
			p.flags[start+int(at)] |= unsafeBreak
		}
		return dst
	}
	from := len(dst)
	dst = e.shapeUncached(p, start, end, features, dst)
	if e.shapes.admits(key) {
		e.shapes.put(key, e.shapeResultOf(start, dst[from:]))
	}
	return dst
}

// shapeResultOf copies the shaper's result for the runes from start on. shapeCache.put sets its key.
func (e *Engine) shapeResultOf(start int, glyphs []glyph) *shapeResult {
	s := &shapeResult{glyphs: slices.Clone(glyphs)}
	for i := range s.glyphs {
		s.glyphs[i].cluster -= int32(start)
	}
	for _, info := range e.buf.Info {
		if info.Mask&harfbuzz.GlyphUnsafeToBreak != 0 {
			s.unsafe = append(s.unsafe, int32(info.Cluster-start))
		}
	}
	return s
}

// shapeUncached is shapeRange by the shaper.
func (e *Engine) shapeUncached(p *paragraph, start, end int, features []harfbuzz.Feature, dst []glyph) []glyph {
	f, from := p.faces[start], len(dst)
	b := e.buf
	b.Clear()
	b.AddRunes(p.runes, start, end-start)
	b.Props.Script = p.script[start]
	b.Props.Language = shapingLanguage(p.style.Lang)
	b.Props.Direction = harfbuzz.LeftToRight
	if p.level[start]&1 == 1 {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Shape(f.hb, features)
	for i := range b.Info {
		info, pos := &b.Info[i], &b.Pos[i]
		if info.Mask&harfbuzz.GlyphUnsafeToBreak != 0 {
			p.flags[info.Cluster] |= unsafeBreak
		}
		adv := float32(pos.XAdvance) * f.em
		if r := p.runes[info.Cluster]; r == ' ' || r == 0x00a0 {
			adv += f.wordSpace
		}
		dst = append(dst, glyph{
			gid: uint32(info.Glyph), cluster: int32(info.Cluster), face: f.id,
			adv: adv, dx: float32(pos.XOffset) * f.em, dy: float32(pos.YOffset) * f.em,
		})
	}
	if p.overlaid {
		e.layOver(p, start, end, dst[from:])
	}
	return dst
}

// resolveScripts gives every rune a script: a rune without one gets that of the preceding rune, leading ones that of
// the first with one.
func (p *paragraph) resolveScripts() {
	last := language.Script(0)
	pending := 0
	for i, r := range p.runes {
		s := scriptOf(r)
		if scriptClass(s) == common {
			if last == 0 {
				pending++
				continue
			}
			s = last
		} else if last == 0 {
			for j := range pending {
				p.script[j] = s
			}
		}
		last = s
		p.script[i] = s
	}
	if last == 0 {
		for i := range p.script {
			p.script[i] = language.Latin
		}
	}
}

// needsBidi reports whether a text can have levels other than 0: it has a character of a right-to-left block or a
// control.
func needsBidi(runes []rune) bool {
	for _, r := range runes {
		if r >= 0x0590 && r <= 0x08ff || r >= 0x200e && r <= 0x200f || r >= 0x2066 && r <= 0x2069 ||
			r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
			r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff {
			return true
		}
	}
	return false
}

// zeroed returns s with n zero elements.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}
