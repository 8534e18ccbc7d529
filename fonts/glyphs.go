package fonts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// glyphs are the drawings of an embedded face, read from the program's pages one by one. What the parser makes of all
// of them takes some seven times their bytes, 60 MB for the faces of Chinese, Japanese and Korean, and most of the time
// of parsing, where a card sets a few dozen. It is given a file that has nothing but the boxes of the glyphs in their
// place, which shaping asks for.
type glyphs struct {
	file     io.ReaderAt
	at       int64  // where the table glyf begins in the file
	offsets  []byte // the table loca: where in glyf each begins
	long     bool   // its numbers have four bytes, rather than two that count pairs of bytes
	bearings []byte // the table hmtx
	advances int    // how many of its entries have an advance
}

// Bytes of the head of a file, and of the record of a table in it.
const fileHead, tableRecord = 12, 16

// section is a table of a file, with the place of its record.
type section struct{ record, offset, length int64 }

// directory returns the head of a file of one face, and the tables that it lists.
func directory(file io.ReaderAt) (head []byte, sections map[string]section, err error) {
	head = make([]byte, fileHead)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, nil, fmt.Errorf("read the head of the file: %w", err)
	}
	head = make([]byte, fileHead+tableRecord*int(binary.BigEndian.Uint16(head[4:])))
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, nil, fmt.Errorf("read the list of tables: %w", err)
	}
	sections = map[string]section{}
	for at := fileHead; at < len(head); at += tableRecord {
		record := head[at:]
		sections[string(record[:4])] = section{
			int64(at), int64(binary.BigEndian.Uint32(record[8:])), int64(binary.BigEndian.Uint32(record[12:])),
		}
	}
	return head, sections, nil
}

// readGlyphs returns the drawings of a file whose outlines are those of TrueType, and the file with boxes in place of
// them.
func readGlyphs(file io.ReaderAt) (*glyphs, opentype.Resource, error) {
	head, sections, err := directory(file)
	if err != nil {
		return nil, nil, err
	}
	table := func(name string, least int64) []byte {
		s := sections[name]
		b := make([]byte, max(s.length, least))
		if _, fault := file.ReadAt(b, s.offset); s.length < least || fault != nil {
			err = errors.Join(err, fmt.Errorf("the table %s is missing or too short", name))
		}
		return b
	}
	g := &glyphs{
		file: file, at: sections["glyf"].offset, long: table("head", 54)[51] == 1, offsets: table("loca", 4),
		bearings: table("hmtx", 4), advances: int(binary.BigEndian.Uint16(table("hhea", 36)[34:])),
	}
	if err != nil {
		return nil, nil, err
	}
	boxes, offsets, err := g.boxes()
	if err != nil {
		return nil, nil, err
	}
	binary.BigEndian.PutUint32(head[sections["glyf"].record+12:], uint32(len(boxes)))
	over := overlayFile{file, []overlay{{0, head}, {g.at, boxes}, {sections["loca"].offset, offsets}}}
	return g, io.NewSectionReader(over, 0, math.MaxInt64), nil
}

// count returns how many glyphs there are.
func (g *glyphs) count() int {
	if g.long {
		return len(g.offsets)/4 - 1
	}
	return len(g.offsets)/2 - 1
}

// span returns where a glyph is in the file. One without a drawing has no bytes.
func (g *glyphs) span(gid int) (start, end int64) {
	if g.long {
		return g.at + int64(binary.BigEndian.Uint32(g.offsets[4*gid:])),
			g.at + int64(binary.BigEndian.Uint32(g.offsets[4*gid+4:]))
	}
	return g.at + 2*int64(binary.BigEndian.Uint16(g.offsets[2*gid:])),
		g.at + 2*int64(binary.BigEndian.Uint16(g.offsets[2*gid+2:]))
}

// boxBytes is what is left of a glyph: no contours, the box, and no instructions.
const boxBytes = 12

// boxes returns the tables glyf and loca with nothing but the boxes of the glyphs.
func (g *glyphs) boxes() (boxes, offsets []byte, err error) {
	offsets = make([]byte, len(g.offsets))
	boxes = make([]byte, 0, boxBytes*g.count())
	for gid := range g.count() {
		if start, end := g.span(gid); start < end {
			box := [boxBytes]byte{}
			if _, err := g.file.ReadAt(box[:boxBytes-2], start); err != nil {
				return nil, nil, fmt.Errorf("read glyph %d: %w", gid, err)
			}
			box[0], box[1] = 0, 0
			boxes = append(boxes, box[:]...)
		}
		if next := len(boxes); g.long {
			binary.BigEndian.PutUint32(offsets[4*gid+4:], uint32(next))
		} else {
			binary.BigEndian.PutUint16(offsets[2*gid+2:], uint16(next/2))
		}
	}
	return boxes, offsets, nil
}

// overlayFile is a file with other bytes in some places.
type overlayFile struct {
	file  io.ReaderAt
	other []overlay
}

// overlay is what a file has in a place.
type overlay struct {
	at   int64
	data []byte
}

// ReadAt reads from a place.
func (o overlayFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := o.file.ReadAt(b, at)
	for _, p := range o.other {
		from, to := max(at, p.at), min(at+int64(n), p.at+int64(len(p.data)))
		if from < to {
			copy(b[from-at:to-at], p.data[from-p.at:])
		}
	}
	return n, err
}

// Outline returns the drawing of a glyph in font units, y up. ft is the face's font. ok is false for a glyph that there
// is not. It is safe for concurrent use, as far as ft is.
func (f *Face) Outline(ft *font.Face, gid font.GID) (segments []opentype.Segment, ok bool) {
	segments, ok = f.outline(ft, gid)
	if f.own && !within(segments, float32(ft.Upem())) {
		return nil, false
	}
	return segments, ok
}

func (f *Face) outline(ft *font.Face, gid font.GID) (segments []opentype.Segment, ok bool) {
	if f.glyphs == nil { // parsed with all its drawings
		outline, ok := ft.GlyphDataOutline(gid)
		return outline.Segments, ok
	}
	if int(gid) >= f.glyphs.count() {
		return nil, false
	}
	points, left := f.glyphs.points(int(gid), 0)
	for i := range points { // rasterizers move a drawing so that it begins where hmtx says
		points[i].x -= left
	}
	return trace(points), true
}

// point is a point of a contour, in font units.
type point struct {
	x, y    float32
	on, end bool // on the curve; the last of its contour
}

// maxNesting is how deep glyphs may be made of glyphs.
const maxNesting = 20

// points returns the points of a glyph, and by how much it is drawn right of where it is to begin. What cannot be read
// is left out; our own faces can.
func (g *glyphs) points(gid, depth int) (points []point, left float32) {
	if gid >= g.count() || depth > maxNesting {
		return nil, 0
	}
	start, end := g.span(gid)
	if start >= end {
		return nil, -g.bearing(gid)
	}
	raw := make([]byte, end-start)
	if _, err := g.file.ReadAt(raw, start); err != nil {
		return nil, 0
	}
	glyph, _, err := tables.ParseGlyph(raw)
	if err != nil {
		return nil, 0
	}
	left = float32(glyph.XMin) - g.bearing(gid)
	switch data := glyph.Data.(type) {
	case tables.SimpleGlyph:
		points = make([]point, len(data.Points))
		for i, p := range data.Points {
			points[i] = point{x: float32(p.X), y: float32(p.Y), on: p.Flag&1 != 0}
		}
		for _, last := range data.EndPtsOfContours {
			points[last].end = true
		}
	case tables.CompositeGlyph:
		for _, part := range data.Glyphs {
			added, partLeft := g.points(int(part.GlyphIndex), depth+1)
			if part.HasUseMyMetrics() {
				left = partLeft
			}
			points = append(points, placed(&part, points, added)...)
		}
	}
	return points, left
}

// bearing returns how far right of its origin a glyph begins.
func (g *glyphs) bearing(gid int) float32 {
	at := 4*gid + 2
	if gid >= g.advances {
		at = 4*g.advances + 2*(gid-g.advances)
	}
	if at+2 > len(g.bearings) {
		return 0
	}
	return float32(int16(binary.BigEndian.Uint16(g.bearings[at:])))
}

// placed moves the points of a part of a glyph to their place beside those before it.
func placed(part *tables.CompositeGlyphPart, before, points []point) []point {
	var dx, dy float32
	if !part.IsAnchored() {
		x, y := part.ArgsAsTranslation()
		dx, dy = float32(x), float32(y)
	}
	s := part.Scale
	for i := range points {
		p := &points[i]
		if part.IsScaledOffsets() {
			p.x, p.y = p.x+dx, p.y+dy
			p.x, p.y = p.x*s[0]+p.y*s[2], p.x*s[1]+p.y*s[3]
		} else {
			p.x, p.y = p.x*s[0]+p.y*s[2], p.x*s[1]+p.y*s[3]
			p.x, p.y = p.x+dx, p.y+dy
		}
	}
	if i, j := part.ArgsAsIndices(); part.IsAnchored() && i < len(before) && j < len(points) {
		dx, dy := before[i].x-points[j].x, before[i].y-points[j].y
		for k := range points {
			points[k].x, points[k].y = points[k].x+dx, points[k].y+dy
		}
	}
	return points
}

// trace turns contours into lines and quadratic curves.
func trace(points []point) []opentype.Segment {
	if len(points) == 0 {
		return nil
	}
	out := make([]opentype.Segment, 0, len(points)+2)
	begin := 0
	for i := range points {
		if points[i].end {
			out = traceContour(out, points[begin:i+1])
			begin = i + 1
		}
	}
	return out
}

// traceContour adds a contour. Between two points off the curve lies one on it, in the middle.
func traceContour(out []opentype.Segment, points []point) []opentype.Segment {
	first, rest := points[0], points[1:]
	var early, off *point // control points: of the curve that ends at first, and of the one that is open
	if !first.on && len(rest) > 0 {
		early = &points[0]
		if first, rest = rest[0], rest[1:]; !first.on {
			off = &points[1]
			first = middle(*early, *off)
		}
	}
	add := func(op opentype.SegmentOp, args ...point) {
		s := opentype.Segment{Op: op}
		for i, p := range args {
			s.Args[i] = opentype.SegmentPoint{X: p.x, Y: p.y}
		}
		out = append(out, s)
	}
	to := func(p point) {
		if off == nil {
			add(opentype.SegmentOpLineTo, p)
		} else {
			add(opentype.SegmentOpQuadTo, *off, p)
		}
		off = nil
	}
	add(opentype.SegmentOpMoveTo, first)
	for i := range rest {
		switch p := &rest[i]; {
		case p.on:
			to(*p)
		case off == nil:
			off = p
		default:
			to(middle(*off, *p))
			off = p
		}
	}
	if early != nil {
		if off != nil {
			to(middle(*off, *early))
		}
		off = early
	}
	to(first)
	return out
}

// middle returns the point between two.
func middle(p, q point) point { return point{x: (p.x + q.x) / 2, y: (p.y + q.y) / 2} }
