package kit

import "cmp"

// Cards in sizes that are as high as they are wide, or higher: a picture or a figure on top, as high as the texts leave
// it, and below it the section, the title, the description and the row of the site.

// Gaps of upright cards, in pixels.
const (
	uprightUnder = 60 // from the picture to the texts
	UprightGap   = 46 // from the title to what is above or below it
	uprightFoot  = 56 // from the texts to the row of the site
	UprightLogo  = 64 // maximum height of a logo
)

// Upright is what stands below the picture of a card.
type Upright struct {
	On      Surface
	Label   string // above the title, in capitals
	Heading Heading
	Top     float64 // of the highest title; 0 is that of the format
	Foot    float64 // of the texts; 0 is above the row of the site
	Middle  bool    // they are in the middle between these two rather than at the foot
}

// UprightEnd returns where texts above the row of the site end.
func UprightEnd(c *Card) float64 {
	f := c.Format()
	if !c.HasBrand() {
		return f.Bottom
	}
	return f.Foot - float64(f.Side)/2 - uprightFoot
}

// Put places the texts, and returns where the picture ends.
func (u *Upright) Put(c *Card) (end int) {
	f, h := c.Format(), u.Heading
	foot := cmp.Or(u.Foot, UprightEnd(c))
	if h.Ladder == nil {
		h.Ladder = f.Ladder
	}
	if h.Style.Family == "" {
		h.Style = c.TitleStyle()
		h.Style.LineHeight = 1.04
	}
	top := cmp.Or(u.Top, f.Least)
	label := c.Line(u.Label, c.LabelStyle(f.TextPx-4), f.Inner())
	if !label.Empty() {
		top += 20
	}
	col := Column{
		X: f.X0, Y: top, W: f.Inner(), H: foot - top, Anchor: Bottom, Gap: UprightGap, Foot: foot, Under: f.Top,
	}
	if u.Middle {
		col.Anchor = Middle
	}
	before := len(c.PlacedTexts())
	c.PutHeading(u.On, col, h)
	ink := foot
	for _, p := range c.PlacedTexts()[before:] {
		ink = min(ink, p.Bounds().Y0)
	}
	if !label.Empty() {
		p := c.Put(Item{Block: label, Role: Essential, Color: u.On.Accent}, f.X0, Bottom, ink-36)
		ink = p.Bounds().Y0
	}
	return int(ink) - uprightUnder
}

// UprightDescription is that of an upright card.
func UprightDescription(c *Card) Description {
	f := c.Format()
	return Description{SizePx: f.TextPx, W: f.Inner(), Lines: 2, More: 1}
}

// PutUprightFoot draws the logo, and places the row of the site. over is the surface of the corners above the texts,
// where a logo stands on a chip.
func PutUprightFoot(c *Card, on, over Surface) {
	f := c.Format()
	if c.Corner.Bottom {
		over = on
	}
	logo := c.PlaceLogo(Corners{
		Margin: int(f.X0), Start: over, End: over, ChipAtEnd: !c.Corner.Bottom, ChipAtStart: !c.Corner.Bottom,
		Upper: LogoLine{Middle: int(f.Top) + 32, MaxH: UprightLogo},
		Lower: LogoLine{Middle: int(f.Foot) - 6, MaxH: UprightLogo},
	})
	PutBrandRow(c, BrandRow{On: on, Logo: logo, Row: logo.Lower, Middle: f.Foot, Side: f.Side})
}
