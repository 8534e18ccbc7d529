package text

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/unicode/bidi"

	"masthead/fonts"
)

// ShapeIn shapes s as one run of a face and returns its glyphs as testdata/shapes.json writes them.
func (e *Engine) ShapeIn(src *fonts.Face, s string) string {
	f := e.face(src)
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
func (e *Engine) DropMasks() { e.masks.young, e.masks.old, e.masks.bytes = nil, nil, 0 }
