package motif

import (
	"math"
	"testing"

	"masthead/render/text"
)

// TestPlanLetter_isThatOfTheName: marks make other letters except where they are of stress, and bars make none.
func TestPlanLetter_isThatOfTheName(t *testing.T) {
	for _, c := range []struct {
		name, lang string
		want       rune
	}{
		{"Źródło", "pl", 'Ź'}, {"Northlane", "en", 'N'}, {"Ökotest", "de", 'Ö'}, {"Ñandú", "es", 'Ñ'}, {"人間", "ja", '人'},
		{"Économie +", "fr", 'E'}, {"À bicyclette", "fr", 'A'}, {"Ávila", "es", 'A'}, {"Čas", "cs", 'Č'}, {"Árvíz", "hu", 'Á'},
		{"一人食", "zh-Hans", '人'}, {"三聯", "zh-Hant", '聯'}, {"الجزيرة", "ar", 'ج'}, {"الاتحاد", "ar", 'ت'}, {"أرقام", "ar", 'ر'},
		{"一", "ja", 0}, {"42", "", 0},
	} {
		if got := planLetter(c.name, c.lang); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlan_marksStayOnTheCard checks letters that are higher than others.
func TestPlan_marksStayOnTheCard(t *testing.T) {
	const least = 64
	for _, r := range "ŹÖÅŠ" {
		glyph, ok := text.Outline(text.InstrumentSerif, 700, r, "")
		if !ok {
			t.Fatalf("%q has no outline", r)
		}
		var p letterPlan
		top := math.Inf(1)
		contours, _ := p.place(glyph, r, PlanPlace{Size: 860, Base: 756})
		for _, contour := range contours {
			for _, s := range contour {
				top = min(top, s.Points[segmentEnd[s.Op]].Y)
			}
		}
		if top < least || top > 2*least {
			t.Errorf("%q begins at %.0f", r, top)
		}
	}
}
