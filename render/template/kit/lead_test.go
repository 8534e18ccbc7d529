package kit

import (
	"math"
	"testing"

	"masthead/render/text"
)

// TestInitialLetter_isTheLetterThatANameIsRememberedBy checks what stands for a site.
func TestInitialLetter_isTheLetterThatANameIsRememberedBy(t *testing.T) {
	for name, want := range map[string]rune{
		"Northlane": 'N', "northlane.dev": 'N', "“Quoted”": 'Q', "Ền": 'E', "Österreich": 'O', "Нортлейн": 'H',
		"Букви":   'Б',
		"نورثلين": 'ن', "4chan": 'C', "42": 0, "": 0, "🚀🚀": 0, "北巷": '北',
	} {
		if got := initialLetter(name, ""); got != want {
			t.Errorf("initialLetter(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestLeadInitial_isAShape checks which letters make the lead shape: slim ones take the next along, and J and Q keep
// their tails above the line.
func TestLeadInitial_isAShape(t *testing.T) {
	for name, want := range map[string]string{
		"Northlane": "N", "The Guardian": "G", "Journal": "Jo", "Ink": "In", "I": "", "I 7": "", "🚀": "", "2026": "", "": "",
		"Яндекс": "Я", "Ελλάδα": "E", "北巷": "北", "نورثلين": "ن", "Øresund": "Ø", "Élan": "El", "Quiet": "Q",
	} {
		c := open(t, Spec{Texts: Texts{SiteName: name}})
		b, ok := c.LeadInitial(1000, 800)
		if ok != (want != "") || ok && b.Text() != want {
			t.Errorf("%q has %q (%v), want %q", name, b.Text(), ok, want)
			continue
		}
		if !ok {
			continue
		}
		if high, wide := b.Ink.Y1-b.Ink.Y0, b.Ink.X1-b.Ink.X0; high > 800 || wide > 1000 || high < 200 || wide < 200 {
			t.Errorf("%q is %.0f by %.0f", name, wide, high)
		}
		if b.Style.Family == text.InstrumentSerif && b.Ink.Y1 > 740 {
			t.Errorf("%q reaches %.0f below the top of its capitals", name, b.Ink.Y1)
		}
	}
}

// TestArchMask_edgesAreSmooth checks that the edges of the arch are circles to the pixel.
func TestArchMask_edgesAreSmooth(t *testing.T) {
	c := open(t, Spec{})
	const cx, cy, outer, band = 700, 500, 300, 150
	m := c.ArchMask(cx, cy, outer, band)
	for y := m.Rect.Min.Y; y < cy; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			r := math.Hypot(float64(x)+.5-cx, float64(y)+.5-cy)
			within, want := r < outer && r > outer-band, uint8(0)
			if within {
				want = 255
			}
			if got := m.AlphaAt(x, y).A; got != want && min(math.Abs(r-outer), math.Abs(r-outer+band)) > 1 {
				t.Fatalf("(%d, %d), %.1f from the middle, is covered by %d", x, y, r, got)
			}
		}
	}
}
