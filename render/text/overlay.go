package text

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// Overlays are strokes through a letter: “a̸”, “t̶”. Most faces draw them without positioning, or don't have them. So
// they are centered on the ink of their letter here, and taken from another face if that of the letter lacks them, so
// that a struck letter stays in the face of its word.

// overlays reports whether r is drawn over the preceding letter. Source: UCD, combining class 1, without rings.
func overlays(r rune) bool {
	switch {
	case r < 0x0334:
		return false
	case r <= 0x0338, r == 0x20d2, r == 0x20d3, r == 0x20e5, r == 0x20e6, r == 0x20ea, r == 0x20eb:
		return true
	}
	return false
}

// bar reports whether r is a bar or a tilde: in a row of letters they form one line, so they all go through the middle
// of small letters. Some faces draw them like the bars of capitals and of đ.
func bar(r rune) bool { return r >= 0x0334 && r <= 0x0336 }

// putOverlaid appends a cluster with overlays that its letter's face lacks: the letter in its face, followed by the
// overlays in the first face that has them. word is the face of the word, or nil. It reports whether it succeeded.
func (e *Engine) putOverlaid(p *paragraph, s *faceList, out *clusterWriter, word *face, cluster []rune) bool {
	if !slices.ContainsFunc(cluster[1:], overlays) || scriptClass(language.LookupScript(cluster[0])) == rtlScripts {
		return false
	}
	p.overlaid = true
	letter := make([]rune, 0, maxCluster)
	for _, r := range cluster {
		if !overlays(r) || len(letter) == 0 {
			letter = append(letter, r)
		}
	}
	f := word
	if f == nil || !f.hasAll(letter) {
		f = e.clusterFace(s, letter, out.previous, p.class)
	}
	if f == nil || f.id == emojiFace || f.hasAll(cluster) {
		return false // as any other
	}
	for _, r := range cluster[1:] {
		if overlays(r) && !f.has(r) && e.faceOf(s, r) == nil {
			return false
		}
	}
	out.changed = true
	out.put(f, letter)
	for _, r := range cluster[1:] {
		if !overlays(r) {
			continue
		}
		of := f
		if !f.has(r) {
			of = e.faceOf(s, r)
		}
		out.runes, out.faces = append(out.runes, r), append(out.faces, of)
	}
	return true
}

// extent is the area covered by a glyph, in em, y up.
type extent struct{ x0, y0, x1, y1 float32 }

func (e *Engine) extentOf(g *glyph, scale float32) extent {
	x0, y0, x1, y1 := e.faces[g.face].ink(g.gid)
	return extent{g.dx + scale*x0, g.dy + scale*y0, g.dx + scale*x1, g.dy + scale*y1}
}

// overlay is a positioned overlay: the area it covers, and the x-height.
type overlay struct {
	extent
	r       rune
	xHeight float32
}

func (e *Engine) overlayAt(r rune, g *glyph, scale, apart float32) overlay {
	x := e.extentOf(g, scale)
	x.x0, x.x1 = x.x0+apart, x.x1+apart
	return overlay{x, r, float32(e.faces[g.face].xHeight) * scale}
}

// shift returns the offset of an overlay to be over a letter; none if the face already positions it well.
func (o overlay) shift(letter extent) (dx, dy float32) {
	if letter.x0 >= letter.x1 || o.x0 >= o.x1 {
		return 0, 0 // blank
	}
	dx = toward((o.x0+o.x1)/2, letter.x0, letter.x1)
	if bar(o.r) {
		return dx, toward((o.y0+o.y1)/2, 0, o.xHeight)
	}
	return dx, toward((o.y0+o.y1)/2, letter.y0, letter.y1)
}

// toward returns the distance from a point to the center of a span if the point isn't in the middle half.
func toward(at, from, to float32) float32 {
	if middle := (from + to) / 2; at < middle-(to-from)/4 || at > middle+(to-from)/4 {
		return middle - at
	}
	return 0
}

// layOver positions the overlays of runes[start:end], which were shaped with their letters, over them.
func (e *Engine) layOver(p *paragraph, start, end int, glyphs []glyph) {
	for k := range glyphs {
		over := &glyphs[k]
		r := p.overlayOf(over, start, end)
		if r == 0 {
			continue // a letter, possibly including the stroke
		}
		l := -1 // the letter: the widest of the cluster
		for i := range glyphs {
			if i != k && glyphs[i].cluster == over.cluster && (l < 0 || glyphs[i].adv > glyphs[l].adv) {
				l = i
			}
		}
		if l < 0 {
			continue
		}
		over.adv = 0
		apart := float32(0) // from the pen of the letter to that of the overlay
		for i := min(l, k); i < max(l, k); i++ {
			apart += glyphs[i].adv
		}
		if l > k {
			apart = -apart
		}
		dx, dy := e.overlayAt(r, over, 1, apart).shift(e.extentOf(&glyphs[l], 1))
		over.dx, over.dy = over.dx+dx, over.dy+dy
	}
}

// overlayOf returns the overlay that a glyph draws among the marks of its cluster, or 0.
func (p *paragraph) overlayOf(g *glyph, start, end int) rune {
	for i := int(g.cluster) + 1; i < end && unicode.Is(unicode.M, p.runes[i]); i++ {
		if !overlays(p.runes[i]) {
			continue
		}
		if gid, ok := p.faces[start].ft.NominalGlyph(p.runes[i]); ok && uint32(gid) == g.gid {
			return p.runes[i]
		}
	}
	return 0
}

// layOverRuns positions overlays that are separate runs, because their letter's face lacks them, over the letter.
func (e *Engine) layOverRuns(p *paragraph) {
	for i := range p.runs {
		r := &p.runs[i]
		if i == 0 || !overlays(p.runes[r.start]) {
			continue
		}
		letter := p.letterBefore(i)
		if letter == nil {
			continue
		}
		r.over = true
		for k := r.g0; k < r.g1; k++ {
			g := &p.glyphs[k]
			g.adv = 0
			apart := float32(0)
			if r.level&1 == 0 {
				apart = letter.adv
			}
			over := e.overlayAt(p.runes[g.cluster], g, g.scale, apart)
			dx, dy := over.shift(e.extentOf(letter, letter.scale))
			g.dx, g.dy = g.dx+dx, g.dy+dy
		}
	}
}

// letterBefore returns the glyph under a run of overlays: the widest of the preceding cluster.
func (p *paragraph) letterBefore(run int) *glyph {
	for run--; run >= 0; run-- {
		r := p.runs[run]
		if r.over {
			continue
		}
		var letter *glyph
		for k := r.g0; k < r.g1; k++ {
			g := &p.glyphs[k]
			if letter == nil || g.cluster > letter.cluster || g.cluster == letter.cluster && g.adv > letter.adv {
				letter = g
			}
		}
		return letter
	}
	return nil
}
