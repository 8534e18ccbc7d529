package watches

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"fmt"

	"masthead/pkg/apperr"
)

// badgeName is the one name of a badge.
const badgeName = "badge.svg"

// Badge returns the badge of a watch with a public id as SVG, or NotFound.
func (s *Service) Badge(ctx context.Context, publicID, name string) ([]byte, error) {
	if name != badgeName || len(publicID) != publicIDLength {
		return nil, apperr.New(apperr.NotFound, "There is no badge at this address.")
	}
	w, ok, err := s.store.byPublicID(ctx, publicID)
	if err != nil {
		return nil, err
	}
	if !ok || w.Gone {
		return nil, apperr.New(apperr.NotFound, "There is no badge at this address.")
	}
	if w.Kind == Sitemap {
		if w.Score, w.Letter, err = average(ctx, s.store.db.Get, w.ID); err != nil {
			return nil, err
		}
	}
	if w.Letter == "" {
		return badge("no report yet", neutral), nil
	}
	return badge(fmt.Sprintf("%d %s", w.Score, w.Letter), colorOf(w.Letter)), nil
}

const (
	badgeLabel = "link preview"
	neutral    = "#55606E"
	fontSize   = 11
)

// colorOf returns the background of a grade, on which white text has a contrast of at least 4.5 to 1.
func colorOf(letter string) string {
	switch letter[0] {
	case 'A':
		return "#15803D"
	case 'B':
		return "#4D7C0F"
	case 'C':
		return "#A16207"
	case 'D':
		return "#C2410C"
	}
	return "#B91C1C"
}

// badge draws a label and a value side by side. It has no scripts, styles or references.
func badge(value, color string) []byte {
	const height, baseline = 20, 14
	label := widthOf(badgeLabel)
	whole := label + widthOf(value)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s">`,
		whole, height, escaped(badgeLabel+": "+value))
	fmt.Fprintf(&b, `<title>%s</title>`, escaped(badgeLabel+": "+value))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="3" fill="%s"/>`, whole, height, color)
	fmt.Fprintf(&b, `<path d="M3 0h%dv%dH3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#2B323B"/>`, label-3, height)
	b.WriteString(`<g fill="#FFF" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="`)
	fmt.Fprintf(&b, `%d">`, fontSize)
	fmt.Fprintf(&b, `<text x="6" y="%d" textLength="%d">%s</text>`, baseline, label-12, escaped(badgeLabel))
	fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d">%s</text></g></svg>`, label+6, baseline, whole-label-12,
		escaped(value))
	return b.Bytes()
}

// advances are the widths of characters of badges in Verdana, in thousandths of the size; others are as wide as a
// digit. Fonts that stand in for it differ by little, and textLength evens that out.
var advances = map[rune]int{
	' ': 352, '+': 818, 'A': 684, 'B': 686, 'C': 698, 'D': 771, 'F': 575, 'e': 596, 'i': 274, 'k': 592, 'l': 274,
	'n': 633, 'o': 607, 'p': 623, 'r': 427, 't': 394, 'v': 592, 'w': 818, 'y': 592,
}

const digitAdvance = 636

// widthOf is the width of a part of a badge, with 6 pixels on both sides.
func widthOf(text string) int {
	sum := 0
	for _, r := range text {
		sum += cmp.Or(advances[r], digitAdvance)
	}
	return (sum*fontSize+500)/1000 + 12
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer never fails
	return b.String()
}
