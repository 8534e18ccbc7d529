package kit

import "cmp"

// EyebrowRow describes the row above a title, between the upper corners: a label in capitals followed by a date. The
// label is the section of the page, or else the first of host, date and reading time that is set.
type EyebrowRow struct {
	On   Surface
	Logo Logo

	Host, Date, ReadingTime string

	Baseline, SizePx float64
	MaxLabel         float64 // width
}

// eyebrow is an eyebrow row that has been placed.
type eyebrow struct {
	Bottom   float64 // of the row, with a logo in it
	Empty    bool    // there is neither a text nor a logo
	HostSaid bool    // the label is the host
}

// eyebrowGap is the distance between label and date, in pixels.
const eyebrowGap = 32

// PutEyebrowRow places the row.
func PutEyebrowRow(c *Card, r EyebrowRow) eyebrow {
	hostSaid := c.Eyebrow == "" && r.Host != ""
	label := RowItem{
		Text:  cmp.Or(c.Eyebrow, r.Host, r.Date, r.ReadingTime),
		Style: c.LabelStyle(r.SizePx), Role: Essential, Color: r.On.Accent, MaxW: r.MaxLabel,
	}
	date := RowItem{Text: r.Date, Style: c.TextStyle(r.SizePx, 400), Role: Essential, Color: r.On.Muted}
	if hostSaid {
		label.Style.Lang = "" // a host has no language: in Turkish its i would become İ
	}
	if c.Eyebrow == "" && r.Host == "" { // the date is the label
		date = RowItem{}
	}
	row := Row{Span: r.Logo.Upper.Span, Anchor: Bottom, Y: r.Baseline, Gap: eyebrowGap}
	bottom, ok := c.PutRow(row, label, date)
	if r.Logo.Upper.HasLogo {
		bottom = max(bottom, float64(r.Logo.Y+r.Logo.H))
	}
	return eyebrow{Bottom: bottom, Empty: !ok && !r.Logo.Upper.HasLogo, HostSaid: hostSaid}
}
