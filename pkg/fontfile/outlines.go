package fontfile

import (
	"context"

	ot "github.com/go-text/typesetting/font/opentype/tables"
)

// Limits of outlines.
const (
	maxPoints    = 8_000     // of a glyph, with those of the glyphs that it is made of
	maxAllPoints = 4_000_000 // of all glyphs together
	maxParts     = 256       // of a glyph, with the parts of its parts
	maxNesting   = 8
	// maxReach is how far from its origin a glyph may be drawn, in em: a mask of it is as large.
	maxReach = 16
)

// checkCmap keeps the table of characters that is used: one of Unicode, the largest. Variants by selectors are left
// out.
func checkCmap(_ context.Context, t tables, _ shape) error {
	r := reader(t["cmap"])
	count := orZero(r.u16(2))
	var best reader
	rank, platform, encoding := 0, 0, 0
	for i := range count {
		p, e, at := orZero(r.u16(4+8*i)), orZero(r.u16(6+8*i)), orZero(r.u32(8+8*i))
		sub, err := r.from(at)
		if err != nil {
			return err
		}
		format, length, value := orZero(sub.u16(0)), orZero(sub.u16(2)), 0
		switch {
		case format == 12 && (p == 0 || p == windows && e == 10):
			length, value = orZero(sub.u32(4)), 4
		case format == 4 && (p == 0 || p == windows && e == 1):
			value = 3
		case format == 6 && p == 0:
			value = 2
		case format == 4 && p == windows && e == 0: // signs, which have characters of their own
			value = 1
		}
		if value <= rank {
			continue
		}
		if best, err = sub.span(0, length); err != nil {
			if format != 4 {
				return err
			}
			best = sub // long tables of this format have a length that overflows
		}
		rank, platform, encoding = value, p, e
	}
	if rank == 0 {
		return refuse("The font has no table of Unicode characters, so texts can't be set in it.")
	}
	head := []byte{0, 0, 0, 1, 0, byte(platform), 0, byte(encoding), 0, 0, 0, 12}
	t["cmap"] = append(head, best...)
	return nil
}

// glyf is the state of checking outlines of TrueType.
type glyf struct {
	shape
	data    []byte
	offsets []int
	known   []glyphMeasure
}

// glyphMeasure is how many points and parts a glyph has, with those of its components.
type glyphMeasure struct {
	points, parts int
	state         uint8 // 0: not yet, 1: begun, 2: done
}

// checkGlyf checks that each glyph can be drawn in bounded time and memory.
func checkGlyf(ctx context.Context, t tables, s shape) error {
	g := glyf{shape: s, data: t["glyf"], known: make([]glyphMeasure, s.glyphs)}
	long := orZero(reader(t["head"]).u16(50)) == 1
	loca := reader(t["loca"])
	last := 0
	for i := range s.glyphs + 1 {
		at, err := loca.u16(2 * i)
		at *= 2
		if long {
			at, err = loca.u32(4 * i)
		}
		if err != nil || at < last || at > len(g.data) {
			return brokenTable("loca")
		}
		g.offsets, last = append(g.offsets, at), at
	}
	sum := 0
	for i := range s.glyphs {
		if i%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		m, err := g.measure(i, 0)
		if err != nil {
			return err
		}
		if sum += m.points; sum > maxAllPoints {
			return refuse("The outlines of the font have more than %d points.", maxAllPoints)
		}
	}
	if len(t["gvar"]) > 0 {
		return checkGvar(t["gvar"], g)
	}
	return nil
}

// measure returns the points and parts of a glyph, with those of its parts.
func (g *glyf) measure(gid, depth int) (glyphMeasure, error) {
	if gid >= len(g.known) || depth > maxNesting || g.known[gid].state == 1 {
		return glyphMeasure{}, errBroken
	}
	m := &g.known[gid]
	if m.state == 2 {
		return *m, nil
	}
	m.state = 1
	if raw := g.data[g.offsets[gid]:g.offsets[gid+1]]; len(raw) > 0 {
		glyph, _, err := ot.ParseGlyph(raw)
		if err != nil {
			return glyphMeasure{}, err
		}
		switch of := glyph.Data.(type) {
		case ot.SimpleGlyph:
			err = g.measureSimple(m, of)
		case ot.CompositeGlyph:
			err = g.measureComposite(m, of, depth)
		}
		if err != nil {
			return glyphMeasure{}, err
		}
	}
	if m.points > maxPoints || m.parts > maxParts {
		return glyphMeasure{}, refuse("Glyph %d of the font has more than %d points or %d parts.", gid, maxPoints, maxParts)
	}
	m.state = 2
	return *m, nil
}

func (g *glyf) measureSimple(m *glyphMeasure, of ot.SimpleGlyph) error {
	last := -1
	for _, end := range of.EndPtsOfContours {
		if int(end) <= last {
			return errBroken
		}
		last = int(end)
	}
	if last+1 != len(of.Points) {
		return errBroken
	}
	for _, p := range of.Points {
		if reach := maxReach * g.upem; max(int(p.X), -int(p.X), int(p.Y), -int(p.Y)) > reach {
			return refuse("A glyph of the font is drawn more than %d em from its place.", maxReach)
		}
	}
	m.points = len(of.Points)
	return nil
}

func (g *glyf) measureComposite(m *glyphMeasure, of ot.CompositeGlyph, depth int) error {
	for _, part := range of.Glyphs {
		inner, err := g.measure(int(part.GlyphIndex), depth+1)
		if err != nil {
			return err
		}
		m.points, m.parts = m.points+inner.points, m.parts+inner.parts+1
		if m.points > maxPoints || m.parts > maxParts {
			return nil // measure says so
		}
	}
	return nil
}
