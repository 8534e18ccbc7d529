package svg

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"masthead/fonts"
)

// This file replaces a text of emoji by drawings of them: the best-known way to write an icon,
//
//	<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">🎯</text></svg>
//
// is one, and the engine has no font for it.

const (
	// maxEmoji is the maximum number of emoji in a text; emojiRunes the maximum length of one in characters.
	maxEmoji, emojiRunes = 8, 10
	// emojiSide and emojiDescent are the size of an emoji and how far it goes below the baseline, in em. Source: by eye,
	// between the fonts of Apple, Google and Microsoft, so that the text above fills its square.
	emojiSide, emojiDescent = 1.1, .19
	// initialFont is the font size of a document that doesn't state one. Source: CSS Fonts 4, 3.5 (medium).
	initialFont = 16
)

// variations are the characters that choose between an emoji and a symbol, which the names of drawings don't have.
var variations = strings.NewReplacer("\ufe0f", "", "\ufe0e", "")

// emojiOf returns the drawings of a text that has only emoji; ok is false for any other text.
func emojiOf(words string) (ids []int, ok bool) {
	rest := []rune(strings.Join(strings.Fields(variations.Replace(words)), ""))
	for len(rest) > 0 {
		n := min(len(rest), emojiRunes)
		id, found := 0, false
		for ; n > 0 && !found; n-- {
			id, found = fonts.Emoji(string(rest[:n]))
		}
		if !found || rest[0] < 0x203c || len(ids) == maxEmoji { // digits are emoji only as keys
			return nil, false
		}
		ids = append(ids, id)
		rest = rest[n+1:]
	}
	return ids, len(ids) > 0
}

// words returns the text of an element and its spans.
func (n *node) words() string {
	if n.name == "" {
		return n.text
	}
	var b strings.Builder
	for _, child := range n.children {
		b.WriteString(child.words())
	}
	return b.String()
}

// drawEmoji turns the texts of emoji below n into groups of shapes. lineage are the elements that contain n, from the
// root.
func (r *reader) drawEmoji(n *node, lineage []*node) {
	lineage = append(lineage, n)
	for _, child := range n.children {
		switch child.name {
		case "text":
			if ids, ok := emojiOf(child.words()); ok {
				r.emoji(child, ids, lineage)
				continue
			}
			r.judgeWords(child)
		case "":
		default:
			r.drawEmoji(child, lineage)
		}
	}
}

// judgeWords notes words that the engine's fonts may not have.
func (r *reader) judgeWords(n *node) {
	words := n.words()
	if strings.TrimSpace(words) == "" {
		return
	}
	r.text = true
	// Inter has Latin, Greek, Cyrillic and common punctuation.
	if strings.ContainsFunc(words, func(c rune) bool { return c >= 0x530 && (c < 0x1e00 || c > 0x22ff) }) {
		r.omit("text in characters that there is no font for")
	}
}

// emoji turns a text into a group of shapes where the text would be.
func (r *reader) emoji(n *node, ids []int, lineage []*node) {
	inherited := func(name string) string {
		for i := len(lineage); i >= 0; i-- {
			of := n
			if i < len(lineage) {
				of = lineage[i]
			}
			if v := property(of, name); v != "" {
				return v
			}
		}
		return ""
	}
	size := initialFont * 1.0
	for _, of := range append(append([]*node{}, lineage...), n) {
		size = measure(property(of, "font-size"), size, size, size)
	}
	w, h := r.viewport()
	first := n
	if len(n.children) > 0 && n.children[0].name == "tspan" { // which has the position instead
		first = n.children[0]
	}
	at := func(name string, full float64) float64 {
		for _, of := range []*node{first, n} {
			if v := strings.Fields(strings.ReplaceAll(of.value(name), ",", " ")); len(v) > 0 {
				return measure(v[0], size, full, 0)
			}
		}
		return 0
	}
	x, y := at("x", w)+at("dx", w), at("y", h)+at("dy", h)
	side := size * emojiSide
	switch total := side * float64(len(ids)); inherited("text-anchor") {
	case "middle":
		x -= total / 2
	case "end":
		x -= total
	}
	switch inherited("dominant-baseline") {
	case "middle", "central":
		y -= side / 2
	case "hanging", "text-before-edge", "text-top":
	default:
		y -= side - size*emojiDescent
	}
	group := r.emojiShapes(ids, x, y, side)
	kept := n.attrs[:0:0]
	for _, a := range n.attrs {
		switch a.Name.Local {
		case "id", "transform", "opacity", "clip-path", "mask", "visibility", "display", "filter":
			kept = append(kept, a)
		}
	}
	n.name, n.attrs, n.children = "g", kept, group
}

// emojiShapes returns the shapes of emoji in a row whose first one has its corner at x, y.
func (r *reader) emojiShapes(ids []int, x, y, side float64) (row []*node) {
	for i, id := range ids {
		p := emojiPen{}
		fonts.DrawEmoji(id, &p)
		place := fmt.Sprintf("translate(%s %s) scale(%s)", decimal(x+side*float64(i)), decimal(y),
			strconv.FormatFloat(side/fonts.EmojiUnits, 'g', 6, 64))
		row = append(row, &node{name: "g", attrs: []xml.Attr{attr("transform", place)}, children: p.shapes})
		r.drawn += len(p.shapes)
		r.elements += len(p.shapes)
	}
	return row
}

// property returns a property of an element, from its style or its attribute.
func property(n *node, name string) string {
	for _, d := range strings.Split(n.value("style"), ";") {
		if key, v, ok := strings.Cut(d, ":"); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(v)
		}
	}
	return strings.TrimSpace(n.value(name))
}

// measure returns a length in the units of the document, given the font size and what percentages refer to.
func measure(s string, font, full, initial float64) float64 {
	s = strings.TrimSpace(s)
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n > smallNumber || n < -smallNumber {
		return initial
	}
	switch unit := s[len(number):]; unit {
	case "%":
		return n / 100 * full
	case "em":
		return n * font
	default:
		if factor, ok := units[unit]; ok {
			return n * factor
		}
	}
	return initial
}

// viewport is the size that percentages of the root refer to.
func (r *reader) viewport() (w, h float64) {
	if box := numbers(r.root.value("viewBox"), 5); len(box) == 4 && box[2] > 0 && box[3] > 0 {
		return box[2], box[3]
	}
	w, h = length(r.root.value("width")), length(r.root.value("height"))
	if w == 0 {
		w = unstatedWidth
	}
	if h == 0 {
		h = unstatedHeight
	}
	return w, h
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// emojiPen writes a drawing as elements.
type emojiPen struct {
	shapes []*node
	path   strings.Builder
	fill   color.NRGBA
}

func (p *emojiPen) Begin(fill color.NRGBA) { p.fill = fill }

func (p *emojiPen) command(letter byte, points ...float32) {
	p.path.WriteByte(letter)
	for i, v := range points {
		if i > 0 {
			p.path.WriteByte(' ')
		}
		p.path.WriteString(strconv.FormatFloat(float64(v), 'f', -1, 32))
	}
}

func (p *emojiPen) MoveTo(x, y float32)                 { p.command('M', x, y) }
func (p *emojiPen) LineTo(x, y float32)                 { p.command('L', x, y) }
func (p *emojiPen) CubeTo(ax, ay, bx, by, x, y float32) { p.command('C', ax, ay, bx, by, x, y) }
func (p *emojiPen) Close()                              { p.command('Z') }

// End writes the shape with its color as a style, which rules of the document for other elements don't override.
func (p *emojiPen) End() {
	style := fmt.Sprintf("fill:#%02x%02x%02x;stroke:none", p.fill.R, p.fill.G, p.fill.B)
	if p.fill.A != 255 {
		style += ";fill-opacity:" + decimal(float64(p.fill.A)/255)
	}
	p.shapes = append(p.shapes, &node{name: "path", attrs: []xml.Attr{attr("d", p.path.String()), attr("style", style)}})
	p.path.Reset()
}
