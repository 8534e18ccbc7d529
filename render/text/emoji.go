package text

import (
	"image"
	"image/color"
	"math"
	"unicode"

	"github.com/go-text/typesetting/font/opentype"

	"masthead/fonts"
	"masthead/render/cache"
)

// Emoji are glyphs of a face of their own, whose glyph IDs are the numbers of the drawings from 1 on, and they are
// drawn as pictures: see [Engine.DrawEmoji].

// emojiFace is the ID of the emoji face. There are always fewer other faces.
const emojiFace = 255

// The metrics of an emoji in a line, in em. Source: by eye; the bearing separates two of them.
const (
	emojiBaseline = -.12
	emojiBearing  = .04
)

// newEmojiFace returns the face of emoji.
func newEmojiFace() *face { return &face{id: emojiFace, xHeight: interXHeight, cap: .72} }

// interXHeight is the x-height of Inter, in em, at which emoji are drawn at 1 em.
const interXHeight = .546

// keycap turns the preceding digit into a key.
const keycap = 0x20e3

// emojiAlone are the characters below U+1F000 that are emoji without a variation selector. Source: UTS 51,
// Emoji_Presentation.
var emojiAlone = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x231a, Hi: 0x231b, Stride: 1}, {Lo: 0x23e9, Hi: 0x23ec, Stride: 1}, {Lo: 0x23f0, Hi: 0x23f3, Stride: 3},
	{Lo: 0x25fd, Hi: 0x25fe, Stride: 1}, {Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x2648, Hi: 0x2653, Stride: 1},
	{Lo: 0x267f, Hi: 0x2693, Stride: 20}, {Lo: 0x26a1, Hi: 0x26aa, Stride: 9}, {Lo: 0x26ab, Hi: 0x26bd, Stride: 18},
	{Lo: 0x26be, Hi: 0x26c4, Stride: 6}, {Lo: 0x26c5, Hi: 0x26ce, Stride: 9}, {Lo: 0x26d4, Hi: 0x26ea, Stride: 22},
	{Lo: 0x26f2, Hi: 0x26f3, Stride: 1}, {Lo: 0x26f5, Hi: 0x26fa, Stride: 5}, {Lo: 0x26fd, Hi: 0x2705, Stride: 8},
	{Lo: 0x270a, Hi: 0x270b, Stride: 1}, {Lo: 0x2728, Hi: 0x274c, Stride: 36}, {Lo: 0x274e, Hi: 0x2753, Stride: 5},
	{Lo: 0x2754, Hi: 0x2755, Stride: 1}, {Lo: 0x2757, Hi: 0x2795, Stride: 62}, {Lo: 0x2796, Hi: 0x2797, Stride: 1},
	{Lo: 0x27b0, Hi: 0x27bf, Stride: 15}, {Lo: 0x2b1b, Hi: 0x2b1c, Stride: 1}, {Lo: 0x2b50, Hi: 0x2b55, Stride: 5},
}}

const (
	textStyle  = 0xfe0e // variation selector: as text
	emojiStyle = 0xfe0f // variation selector: as an emoji
	joiner     = 0x200d
	firstEmoji = 0x1f000
)

// wantsEmoji reports whether a grapheme cluster should be an emoji instead of a text symbol.
func wantsEmoji(cluster []rune) bool {
	if len(cluster) == 1 {
		r := cluster[0]
		return r >= firstEmoji || r >= 0x231a && unicode.Is(emojiAlone, r)
	}
	for _, r := range cluster[1:] {
		switch r {
		case textStyle:
			return false
		case emojiStyle, keycap:
			return true
		}
	}
	return cluster[0] >= firstEmoji || unicode.Is(emojiAlone, cluster[0]) || cluster[1] == joiner ||
		cluster[1] >= firstEmoji
}

// isEmoji reports whether a grapheme cluster can be drawn completely as emoji: as one, or if there is no drawing of the
// whole sequence, as its parts next to each other.
func isEmoji(cluster []rune) bool {
	drawn := false
	for i := 0; i < len(cluster); {
		_, n := nextEmoji(cluster[i:])
		switch {
		case n > 0:
			drawn = true
		case !emojiPart(cluster[i]) || !drawn:
			return false
		}
		i += max(n, 1)
	}
	return drawn
}

// emojiPart reports whether r only modifies the preceding emoji: a joiner, a selector, a skin tone, a tag.
func emojiPart(r rune) bool {
	return ignorable(r) || r >= 0x1f3fb && r <= 0x1f3ff || emojiTag(r)
}

// emojiTag reports whether r is a tag, as used in the flags of regions.
func emojiTag(r rune) bool { return r >= 0xe0020 && r <= 0xe007f }

// nextEmoji returns the number of the longest drawing that runes begin with, and how many runes it takes including
// subsequent selectors; n is 0 if there is none.
func nextEmoji(runes []rune) (id, n int) {
	var key [4 * maxCluster]byte
	length := 0
	for i, r := range runes[:min(len(runes), maxCluster)] {
		if r == emojiStyle || r == textStyle {
			if n == i {
				n++
			}
			continue
		}
		length += copy(key[length:], string(r))
		if found, ok := fonts.Emoji(string(key[:length])); ok {
			id, n = found, i+1
		}
	}
	return id, n
}

// shapeEmoji appends the glyphs of runes[start:end], which are emoji, in visual order.
func shapeEmoji(p *paragraph, start, end int, dst []glyph) []glyph {
	from := len(dst)
	for i := start; i < end; {
		id, n := nextEmoji(p.runes[i:end])
		if n > 0 {
			dst = append(dst, glyph{
				gid: uint32(id + 1), cluster: int32(i), face: emojiFace, adv: 1 + 2*emojiBearing,
			})
		}
		i += max(n, 1)
	}
	if p.level[start]&1 == 1 {
		for a, z := from, len(dst)-1; a < z; a, z = a+1, z-1 {
			dst[a], dst[z] = dst[z], dst[a]
		}
	}
	return dst
}

// emojiKey identifies a picture of an emoji.
type emojiKey struct {
	gid  uint32
	side int
}

// maxEmojiBytes is the maximum size of an engine's cached emoji: some 25 of a large title.
const maxEmojiBytes = 3 << 19

// emojiOverhead is about the size of a cached picture in addition to its pixels.
const emojiOverhead = 224

// emojiCache caches drawn emoji. It is created with the first one.
type emojiCache struct {
	pictures *cache.Cache[emojiKey, *image.NRGBA]
	pen      emojiPen
}

// get returns the picture of an emoji. It is valid until the next call, and must not be changed.
func (c *emojiCache) get(gid uint32, side int) *image.NRGBA {
	if c.pictures == nil {
		c.pictures = cache.New(maxEmojiBytes, func(_ emojiKey, m *image.NRGBA) int { return len(m.Pix) + emojiOverhead })
	}
	key := emojiKey{gid, side}
	if m, ok := c.pictures.Get(key); ok {
		return m
	}
	m := c.pen.draw(int(gid)-1, side)
	c.pictures.Put(key, m)
	return m
}

// DrawEmoji passes the picture of each emoji of b to blit, with the position of its top-left pixel; x and y are those
// of [Engine.Draw], which draws the rest of the block. A picture is valid until blit returns, and blit must not change
// it.
func (e *Engine) DrawEmoji(b *Block, x, y float64, blit func(x, y int, m *image.NRGBA)) {
	if b == nil || !b.emoji {
		return
	}
	for i := range b.Lines {
		line := &b.Lines[i]
		baseline := math.Floor(y + line.Baseline + .5)
		for _, g := range b.glyphs[line.g0:line.g1] {
			if g.face != emojiFace {
				continue
			}
			size := b.SizePx * float64(g.scale)
			side := max(1, int(math.Round(size)))
			blit(int(math.Round(x+float64(g.x)+emojiBearing*size)),
				int(math.Round(baseline-float64(g.y)-(1+emojiBaseline)*size)), e.emoji.get(g.gid, side))
		}
	}
}

// emojiPen draws an emoji: the coverage of each shape in its bounding box, blended over the previous ones. It is a
// [fonts.EmojiPen].
type emojiPen struct {
	raster rasterizer
	scale  float32
	out    *image.NRGBA // premultiplied while being drawn
	cover  []uint8
	shape  []opentype.Segment
	reach  [4]float32 // minimum and maximum x and y of the shape, in px
	fill   color.NRGBA
}

// draw returns the picture of a drawing, side pixels wide and high.
func (p *emojiPen) draw(id, side int) *image.NRGBA {
	p.scale = float32(side) / fonts.EmojiUnits
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	p.out = img
	fonts.DrawEmoji(id, p)
	p.out = nil
	for i := 0; i < len(img.Pix); i += 4 {
		if a := uint32(img.Pix[i+3]); a > 0 && a < 255 {
			for c := range 3 {
				img.Pix[i+c] = uint8(min(255, (uint32(img.Pix[i+c])*255+a/2)/a))
			}
		}
	}
	return img
}

// Begin begins a shape.
func (p *emojiPen) Begin(fill color.NRGBA) {
	p.fill, p.shape = fill, p.shape[:0]
	far := float32(math.Inf(1))
	p.reach = [4]float32{far, -far, far, -far}
}

func (p *emojiPen) add(op opentype.SegmentOp, points ...float32) {
	s := opentype.Segment{Op: op}
	for i := 0; i < len(points); i += 2 {
		x, y := points[i]*p.scale, points[i+1]*p.scale //nolint:gosec // G602: they come in pairs
		p.reach = [4]float32{min(p.reach[0], x), max(p.reach[1], x), min(p.reach[2], y), max(p.reach[3], y)}
		s.Args[i/2].X, s.Args[i/2].Y = x, -y // the rasterizer takes outlines with y up
	}
	p.shape = append(p.shape, s)
}

// MoveTo begins a contour.
func (p *emojiPen) MoveTo(x, y float32) { p.add(opentype.SegmentOpMoveTo, x, y) }

// LineTo adds a line.
func (p *emojiPen) LineTo(x, y float32) { p.add(opentype.SegmentOpLineTo, x, y) }

// CubeTo adds a cubic curve.
func (p *emojiPen) CubeTo(ax, ay, bx, by, x, y float32) {
	p.add(opentype.SegmentOpCubeTo, ax, ay, bx, by, x, y)
}

// Close ends a contour. Filled contours are closed anyway.
func (p *emojiPen) Close() {}

// End fills the shape.
func (p *emojiPen) End() {
	box := image.Rect(
		int(math.Floor(float64(p.reach[0]))), int(math.Floor(float64(p.reach[2]))),
		int(math.Ceil(float64(p.reach[1]))), int(math.Ceil(float64(p.reach[3]))),
	).Intersect(p.out.Rect)
	if box.Empty() {
		return
	}
	w, h := box.Dx(), box.Dy()
	if cap(p.cover) < w*h {
		p.cover = make([]uint8, w*h)
	}
	cover := image.Alpha{Pix: p.cover[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	p.raster.draw(&cover, p.shape, 1, float32(-box.Min.X), float32(-box.Min.Y))
	ink := [4]uint32{uint32(p.fill.R), uint32(p.fill.G), uint32(p.fill.B), 255}
	for y := range h {
		row := p.out.Pix[p.out.PixOffset(box.Min.X, box.Min.Y+y):]
		for x, c := range cover.Pix[y*w : (y+1)*w] {
			a := (uint32(c)*uint32(p.fill.A) + 127) / 255
			if a == 0 {
				continue
			}
			d := row[4*x : 4*x+4 : 4*x+4]
			for i, v := range ink {
				d[i] = uint8((v*a + uint32(d[i])*(255-a) + 127) / 255)
			}
		}
	}
}
