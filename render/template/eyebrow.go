package template

import "cmp"

// eyebrowRow is the row over a title, between the upper corners: a label in capitals, and a date after it. The label
// is the section of the page; on one that does not say, the first that is known of what follows.
type eyebrowRow struct {
	on   Surface
	logo Logo

	host, date, readingTime string

	baseline, sizePx float64
	maxLabel         float64 // width
}

// eyebrow is an eyebrow row that has been placed.
type eyebrow struct {
	bottom   float64 // of the row, with a logo in it
	empty    bool    // there is neither a text nor a logo
	hostSaid bool    // the label is the host
}

// eyebrowGap is the distance of a date that follows its label.
const eyebrowGap = 32

// putEyebrowRow places the row.
func putEyebrowRow(c *Card, r eyebrowRow) eyebrow {
	hostSaid := c.Eyebrow == "" && r.host != ""
	label := RowItem{
		Text:  cmp.Or(c.Eyebrow, r.host, r.date, r.readingTime),
		Style: c.LabelStyle(r.sizePx), Role: Essential, Color: r.on.Accent, MaxW: r.maxLabel,
	}
	date := RowItem{Text: r.date, Style: c.TextStyle(r.sizePx, 400), Role: Essential, Color: r.on.Muted}
	if hostSaid {
		label.Style.Lang = "" // a host knows no language: in Turkish its i would become İ
	}
	if c.Eyebrow == "" && r.host == "" { // the date is the label
		date = RowItem{}
	}
	row := Row{Span: r.logo.Upper.Span, Anchor: Bottom, Y: r.baseline, Gap: eyebrowGap}
	bottom, ok := c.PutRow(row, label, date)
	if r.logo.Upper.HasLogo {
		bottom = max(bottom, float64(r.logo.Y+r.logo.H))
	}
	return eyebrow{bottom: bottom, empty: !ok && !r.logo.Upper.HasLogo, hostSaid: hostSaid}
}
