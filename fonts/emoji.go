package fonts

import (
	_ "embed" // emoji.bin
	"encoding/binary"
	"image/color"
	"sort"
)

// emojiData holds the drawings of Twemoji as .ci/tools/fonts/emoji.mjs packs them; emoji.LICENSE.md has their license.
// It is read in place, so that a card without emoji has none of it in memory.
//
// All numbers are little endian. After "MHE1" come the number of drawings, that of colors, and how many bytes the
// records have (4 bytes each); the colors (R, G, B, A); where in the records each drawing is (4 bytes each), sorted by
// their keys; the records; the paths. A record has the length of the key, the key (the sequence in UTF-8, without
// variation selectors), the number of shapes, and for each shape its color and where in the paths its path is. The
// numbers of a record and of a path are varints as in encoding/binary. A path has its number of runs; a run is a byte,
// kind + 4 * count, and the points of its commands: steps from the last point, in 1/64 of a unit of a drawing that is
// 36 units wide and high.
//
//go:embed emoji.bin
var emojiData string

// EmojiUnits is how wide and high a drawing is, in the units of its points.
const EmojiUnits = 36 * 64

// emojiHeader is where the parts of emojiData begin.
var emojiHeader = func() (h struct{ count, colors, offsets, records, paths int }) {
	const fixed = 16
	number := func(at int) int { return int(binary.LittleEndian.Uint32([]byte(emojiData[at : at+4]))) }
	if emojiData[:4] != "MHE1" {
		panic("fonts: emoji.bin is none")
	}
	h.count, h.colors = number(4), fixed
	h.offsets = h.colors + 4*number(8)
	h.records = h.offsets + 4*h.count
	h.paths = h.records + number(12)
	return h
}()

// EmojiCount returns how many drawings there are. They have the numbers from 0 on.
func EmojiCount() int { return emojiHeader.count }

// emojiRecord returns the key of a drawing and what follows it.
func emojiRecord(id int) (key, rest string) {
	at := emojiHeader.offsets + 4*id
	record := emojiData[emojiHeader.records+int(binary.LittleEndian.Uint32([]byte(emojiData[at:at+4]))):]
	n := int(record[0])
	return record[1 : 1+n], record[1+n:]
}

// Emoji returns the number of the drawing of a sequence, which is to be without variation selectors.
func Emoji(sequence string) (id int, ok bool) {
	id = sort.Search(emojiHeader.count, func(i int) bool {
		key, _ := emojiRecord(i)
		return key >= sequence
	})
	if id == emojiHeader.count {
		return 0, false
	}
	key, _ := emojiRecord(id)
	return id, key == sequence
}

// EmojiSequence returns the sequence of a drawing, without variation selectors.
func EmojiSequence(id int) string {
	key, _ := emojiRecord(id)
	return key
}

// EmojiPen is told a drawing: its shapes from back to front. All points are in EmojiUnits, y down.
type EmojiPen interface {
	Begin(fill color.NRGBA)
	MoveTo(x, y float32)
	LineTo(x, y float32)
	CubeTo(ax, ay, bx, by, x, y float32)
	Close()
	End()
}

// DrawEmoji tells a pen the drawing of a number. It is safe for concurrent use.
func DrawEmoji(id int, pen EmojiPen) {
	_, record := emojiRecord(id)
	reader := varints(record)
	for range reader.next() {
		fill := emojiData[emojiHeader.colors+4*reader.next():]
		pen.Begin(color.NRGBA{R: fill[0], G: fill[1], B: fill[2], A: fill[3]})
		drawEmojiPath(emojiData[emojiHeader.paths+reader.next():], pen)
		pen.End()
	}
}

// Kinds of commands in a path.
const (
	emojiMove = iota
	emojiLine
	emojiCube
	emojiClose
)

// drawEmojiPath tells a pen a path.
func drawEmojiPath(path string, pen EmojiPen) {
	reader := varints(path)
	var x, y, startX, startY int
	point := func() (float32, float32) {
		x += reader.step()
		y += reader.step()
		return float32(x), float32(y)
	}
	for range reader.next() {
		run := int(reader[0])
		reader = reader[1:]
		for range run >> 2 {
			switch run & 3 {
			case emojiMove:
				pen.MoveTo(point())
				startX, startY = x, y
			case emojiLine:
				pen.LineTo(point())
			case emojiCube:
				ax, ay := point()
				bx, by := point()
				cx, cy := point()
				pen.CubeTo(ax, ay, bx, by, cx, cy)
			case emojiClose:
				pen.Close()
				x, y = startX, startY
			}
		}
	}
}

// varints is bytes from which numbers are taken.
type varints string

// next takes a number.
func (v *varints) next() int {
	n, shift := 0, 0
	for i := 0; ; i++ {
		b := (*v)[i]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			*v = (*v)[i+1:]
			return n
		}
		shift += 7
	}
}

// step takes a number with a sign.
func (v *varints) step() int {
	n := v.next()
	return n>>1 ^ -(n & 1)
}
