package template

import (
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestHalftone_rowsEndAtTheBall checks that long names have the room beside the ball, and that only whole names are
// left of more authors than that.
func TestHalftone_rowsEndAtTheBall(t *testing.T) {
	for _, tc := range []struct{ site, author, want string }{
		{"Zweckverband Wasser Oberlausitz", "", "Zweckverband Wasser Oberlausitz"},
		{"Musée textile de Lodève-le-Vieux", "", "Musée textile de Lodève-le-Vieux"},
		{"OpenPeriop", "Nkechi Balogun-Hart, Sven Aalto, Ruairí Keane et al.", "Nkechi Balogun-Hart, Sven Aalto, Ruairí Keane et al."},
		{"OpenPeriop", "Nkechi Balogun-Hart, Sven Aalto, Ruairí Keane, Tobi Adeyemi-Clarke", "Nkechi Balogun-Hart, Sven Aalto, Ruairí Keane…"},
	} {
		c := openKind(t, "halftone", kit.BlogHero, kit.Spec{Texts: kit.Texts{
			Title: "Sachbearbeitung Vergabe und Vertragsmanagement", SiteName: tc.site, Author: tc.author,
		}})
		if said := strings.Join(placedTexts(c), "\n"); !strings.Contains(said+"\n", tc.want+"\n") {
			t.Errorf("got %q, want %q", said, tc.want)
		}
	}
}

// TestHalftone_titleKeepsItsDistance checks that a title of four short lines isn't as near to the site as to itself.
func TestHalftone_titleKeepsItsDistance(t *testing.T) {
	const title = "Cardiff Bay Sinfonia plays Bacewicz and Britten"
	c := openKind(t, "halftone", kit.BlogHero, kit.Spec{Texts: kit.Texts{Title: title, SiteName: "Cardiff Bay"}})
	c.Layout()
	for _, p := range c.PlacedTexts() {
		if p.Role == kit.Title && p.Y < 148+28+50 {
			t.Errorf("the title begins at %.0f in %.0f px", p.Y, p.SizePx)
		}
	}
}
