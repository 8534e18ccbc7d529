package motif

import (
	"math"
	"testing"

	"masthead/render/text"
)

// TestPlanLetter_isThatOfTheName: marks make other letters, and bars make none.
func TestPlanLetter_isThatOfTheName(t *testing.T) {
	for name, want := range map[string]rune{
		"Źródło": 'Ź', "Northlane": 'N', "Ökotest": 'Ö', "一人食": 0, "三聯": 0, "人間": '人', "الجزيرة": 'ج', "الاتحاد": 0, "42": 0,
	} {
		if got := planLetter(name, ""); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
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
