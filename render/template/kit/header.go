package kit

import (
	"cmp"

	"masthead/render/text"
)

// Gaps of headers, in pixels: from the title to the row of the site.
const headerGap = 44

// PutHeader places the title and below it the row of the site, together in the middle of the height. A logo is in that
// row, whatever its corner: the picture of the profile covers one of them, and the figure the others.
func PutHeader(c *Card, on Surface, h Heading) Text {
	f := c.Format()
	if h.Ladder == nil {
		h.Ladder = f.Ladder
	}
	if h.Style.Family == "" {
		h.Style = c.TitleStyle()
		h.Style.LineHeight = 1.04
	}
	row := float64(f.Side) + headerGap
	room := f.Bottom - f.Top - row
	b := c.Fit(cmp.Or(h.Title, c.Title), h.Style, text.Box{W: f.Inner(), H: room}, h.Ladder)
	high := 0.0
	if !b.Empty() {
		high = b.Height
	}
	y := max(f.Top, (float64(f.H)-high-row)/2)
	title := c.PutHeading(on, Column{X: f.X0, Y: y, W: f.Inner(), H: room, Foot: f.Bottom - row}, h)
	if !title.Empty() {
		y = max(title.Y+title.Height, title.Bounds().Y1-8)
	}
	c.Corner = Corner{Bottom: true, Right: c.RTL}
	middle := min(y+headerGap+float64(f.Side)/2, f.Bottom-float64(f.Side)/2)
	logo := c.PlaceLogo(Corners{
		Margin: int(f.X0), Start: on, End: on,
		Upper: LogoLine{Middle: int(middle), MaxH: f.Side}, Lower: LogoLine{Middle: int(middle), MaxH: f.Side},
	})
	logo.Lower.X1 = min(logo.Lower.X1, f.X1)
	PutBrandRow(c, BrandRow{On: on, Logo: logo, Row: logo.Lower, Middle: middle, Side: f.Side})
	return title
}
