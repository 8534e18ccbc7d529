package template

import (
	"crypto/sha256"
	"encoding/binary"
	"image"
	"image/color"
	"unicode"

	"golang.org/x/text/unicode/bidi"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// Texts are the texts of a card, ready to be set; what is unknown is empty.
type Texts struct {
	Title, Description string
	SiteName, Host     string
	Eyebrow, Author    string
	Date, ReadingTime  string // in the page's language
	Quote              string
	Crumb, Items       []string
}

// Spec is all that a card is drawn from.
type Spec struct {
	Texts
	Kind   Kind
	Tall   bool   // a hero of 16:10 rather than 16:9
	Seed   uint64 // of what is drawn by chance; see SeedOf
	Theme  palette.Theme
	Family text.Family
	Lang   string
	RTL    bool // the page runs right to left

	Icon, Logo, Photo *image.NRGBA // nil: none
	Corner            Corner       // of the logo, as it will be seen
}

// SeedOf returns the seed of a page: the same address always gets the same picture.
func SeedOf(url string) uint64 {
	sum := sha256.Sum256([]byte(url))
	return binary.BigEndian.Uint64(sum[:8])
}

// Role is what a text is on its card.
type Role uint8

// Title and Essential texts are said nowhere else on the card and keep to the part of it that no platform covers; Repeated ones (site name,
// host) may stand below it. Monogram is the letter that stands for an icon.
const (
	Title Role = iota
	Essential
	Repeated
	Monogram
)

// Placed is a text on a card, with its block's left edge at X and the top of its capitals at Y.
type Placed struct {
	Role  Role
	Block Block
	X, Y  float64
	Ink   color.NRGBA
}

// Bounds returns what the text covers.
func (p Placed) Bounds() text.Rect {
	r := p.Block.Ink
	return text.Rect{X0: r.X0 + p.X, Y0: r.Y0 + p.Y, X1: r.X1 + p.X, Y1: r.Y1 + p.Y}
}

// Block is a text that has been laid out, with the style that it was laid out in. The zero value is no text.
type Block struct {
	*text.Block
	Style text.Style
}

// W returns the width of the box that the text was laid out for, 0 for none.
func (w Block) W() float64 {
	if w.Empty() {
		return 0
	}
	return w.BoxWidth
}

// Card is one picture being drawn. It belongs to one goroutine.
type Card struct {
	Spec
	W, H int // of the canvas

	// GroundColor and GroundText are what icons and logos stand on, and the strongest colour on it: BG and Text of the theme, unless a
	// template says otherwise before it draws them. OneInk asks for logos of one colour to be drawn in GroundText.
	GroundColor, GroundText color.NRGBA
	OneInk                  bool
	// LogoTop is the height of a logo in an upper corner where a template has less room than usual, and LogoWidth the width of any; 0:
	// 56 and 212, on a hero 72 and 340.
	LogoTop, LogoWidth int

	engine *text.Engine
	canvas *paint.Canvas
	texts  []Placed
	icons  []image.Rectangle
	t      *Template

	hostSaid  bool // the host stands over the title; see brand
	logoKnown bool // see logo
	logoReady fittedLogo
	logoSlot  slot
	down      float64 // added to the y of text: taller canvases keep the same layout
}

// Size returns the size of a card in pixels.
func (s *Spec) Size() (w, h int) {
	switch {
	case s.Kind == OG:
		return 1200, 630
	case s.Tall:
		return 1600, 1000
	}
	return 1600, 900
}

// textBottom is where the zone of text ends.
func (s *Spec) textBottom() float64 {
	if s.Kind == OG {
		return 576
	}
	return 800
}

// tallDown is by how much text stands lower on a hero of 16:10.
const tallDown = 50

// Open begins a card. Engine stays the caller's; nobody else may use it until Close.
func Open(t *Template, s Spec, engine *text.Engine) *Card {
	c := &Card{Spec: s, engine: engine, t: t, texts: make([]Placed, 0, 8)}
	c.W, c.H = s.Size()
	if s.Tall {
		c.down = tallDown
	}
	c.dropUnsupported()
	c.RTL = s.RTL || firstStrong(c.Title)
	c.GroundColor, c.GroundText = s.Theme.BG, s.Theme.Text
	return c
}

// Layout draws what lies under the text, and finds the place of the text.
func (c *Card) Layout() { c.t.draw(c.Kind)(c) }

// DrawTexts draws the text.
func (c *Card) DrawTexts() {
	for _, p := range c.texts {
		ink := p.Ink
		c.engine.Draw(p.Block.Block, p.X, p.Y, func(x, y int, m *image.Alpha) { c.canvas.Mask(x, y, m, ink) })
	}
}

// Canvas returns the canvas of the card, which is nil before Layout. It stays the card's.
func (c *Card) Canvas() *paint.Canvas { return c.canvas }

// Texts returns what Layout placed, in the order of drawing. Tests look at it between Layout and DrawTexts.
func (c *Card) Texts() []Placed { return c.texts }

// Icons returns where Layout drew icons and logos, on the canvas.
func (c *Card) Icons() []image.Rectangle { return c.icons }

// Close gives the canvas back. Neither the card nor its canvas may be used after it.
func (c *Card) Close() {
	if c.canvas != nil {
		c.canvas.Release()
		c.canvas = nil
	}
}

// Ground covers the card. It comes before anything else that draws. Over a gradient, inks names the colours of what will be drawn.
func (c *Card) Ground(g paint.Ground, inks ...color.NRGBA) {
	c.canvas = paint.New(c.W, c.H, g, inks...)
}

// mirror returns the left edge of a box of width w that a template put at x.
func (c *Card) mirror(x, w float64) float64 {
	if c.RTL {
		return float64(c.W) - x - w
	}
	return x
}

// Rect returns a box on the canvas; y moves down on a tall hero as text does.
func (c *Card) Rect(x, y, w, h int) image.Rectangle {
	left, top := int(c.mirror(float64(x), float64(w))), y+int(c.down)
	return image.Rect(left, top, left+w, top+h)
}

// Put places a text with the left edge of its box at x and the top of its capitals at y. It will be drawn over everything else. An empty
// text leaves no trace.
func (c *Card) Put(role Role, w Block, x, y float64, ink color.NRGBA) {
	if !w.Empty() {
		c.texts = append(c.texts, Placed{Role: role, Block: w, X: c.mirror(x, w.BoxWidth), Y: y + c.down, Ink: ink})
	}
}

// PutUnder places a text gap px under another one that was placed at a height; see text.StackOffset.
func (c *Card) PutUnder(role Role, w, upper Block, x, y, gap float64, ink color.NRGBA) {
	if !w.Empty() {
		c.Put(role, w, x, y+text.StackOffset(upper.Block, w.Block, gap), ink)
	}
}

// PutOn places a text with its first baseline at a height.
func (c *Card) PutOn(role Role, w Block, x, baseline float64, ink color.NRGBA) {
	if !w.Empty() {
		c.Put(role, w, x, baseline-w.Lines[0].Baseline, ink)
	}
}

// firstStrong reports whether the first letter of s that has a direction runs right to left.
func firstStrong(s string) bool {
	for _, r := range s {
		if unicode.IsSpace(r) || r < 0x80 && !unicode.IsLetter(r) {
			continue
		}
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

// hasRightward reports whether any letter of s runs right to left.
func hasRightward(s string) bool {
	for _, r := range s {
		if r < 0x590 {
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return true
		}
	}
	return false
}
