package kit

// EyebrowRow describes the row above a title, between the upper corners: the section of the page as a label in
// capitals, followed by a date.
type EyebrowRow struct {
	On   Surface
	Logo Logo

	Date string
	// Essential means that the date matters more than the section, which is left out if both don't fit.
	Essential bool

	Baseline, SizePx float64
	MaxLabel         float64 // width
}

// eyebrow is an eyebrow row that has been placed.
type eyebrow struct {
	Bottom float64 // of the row, with a logo in it
	Empty  bool    // there is neither a text nor a logo
}

// eyebrowGap is the distance between label and date, in pixels.
const eyebrowGap = 32

// PutEyebrowRow places the row.
func PutEyebrowRow(c *Card, r EyebrowRow) eyebrow {
	label := RowItem{
		Text: c.Eyebrow, Style: c.LabelStyle(r.SizePx), Role: Essential, Color: r.On.Accent, MaxW: r.MaxLabel,
	}
	date := RowItem{Text: r.Date, Style: c.TextStyle(r.SizePx, 400), Role: Essential, Color: r.On.Muted}
	row := Row{Span: r.Logo.Upper.Span, Anchor: Bottom, Y: r.Baseline, Gap: eyebrowGap}
	if section, day := c.Line(label.Text, label.Style, label.MaxW), c.Line(r.Date, date.Style, 0); r.Essential &&
		!section.Empty() && !day.Empty() && section.BoxWidth+eyebrowGap+day.BoxWidth > row.X1-row.X0 {
		label = RowItem{}
	}
	bottom, ok := c.PutRow(row, label, date)
	if r.Logo.Upper.HasLogo {
		bottom = max(bottom, float64(r.Logo.Y+r.Logo.H))
	}
	return eyebrow{Bottom: bottom, Empty: !ok && !r.Logo.Upper.HasLogo}
}
