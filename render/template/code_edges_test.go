package template

import (
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestCodeAndTerminal_edgesCutNoLine: neither the right nor the lower edge of the card has ink beside it.
func TestCodeAndTerminal_edgesCutNoLine(t *testing.T) {
	long := "$ " + strings.Repeat("run --with=options ", 9)
	lines := []string{long, "\t\t" + long, "ราคา " + long, "焼津 " + long, "a", "b", "gjpqy", "gjpqy"}
	for _, title := range []string{"Two words", "A title that is so long that it needs a second line for the words at its end"} {
		for _, slug := range []string{"code", "terminal"} {
			c := openCard(t, slug, kit.Spec{Texts: kit.Texts{
				Title: title, SiteName: "A", Session: lines, Code: kit.Code{First: 8, Lines: lines},
			}})
			c.Layout()
			sheet := c.Canvas().At(1190, 610)
			for y := 380; y < c.H; y++ {
				for x := 90; x < c.W; x++ {
					if (x > 1164 || y > c.H-20) && c.Canvas().At(x, y) != sheet {
						t.Fatalf("%s, %q: ink at %d, %d", slug, title, x, y)
					}
				}
			}
		}
	}
}

// TestTerminal_cursorFollowsTheCommand: it is beside the ink of its last letter, in every script.
func TestTerminal_cursorFollowsTheCommand(t *testing.T) {
	for _, command := range []string{"$ make", "$ npx a \"ม.2 ต.บางพึ่ง พระประแดง\"", "$ a 焼津 --date 1", "$ a بريد"} {
		c := openCard(t, "terminal", kit.Spec{Texts: kit.Texts{Title: "A", SiteName: "A", Session: []string{command}}})
		c.Layout()
		const y0, y1 = 262, 288
		body := c.Canvas().At(1190, 610)
		inked := func(x int) bool {
			for y := y0; y < y1; y++ {
				if c.Canvas().At(x, y) != body {
					return true
				}
			}
			return false
		}
		end, gap := 1190, 0
		for ; !inked(end); end-- {
		}
		for end -= 22; !inked(end); end-- { // before the cursor
			gap++
		}
		if gap < 1 || gap > 14 {
			t.Errorf("%s: %d px are between the command and the cursor", command, gap)
		}
	}
}
