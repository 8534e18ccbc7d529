package report_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"masthead/pkg/audit"
	"masthead/pkg/web/report"
	"masthead/render/golden"
)

// scored returns a report with scores alone, of a page that has a tag.
func scored(address string, overall, og, x, search audit.Grade) *audit.Report {
	r := &audit.Report{
		ID: "a", FinalURL: address, Status: 200, FetchedAt: now, Overall: overall,
		Categories: audit.Grades{OG: og, Twitter: x, SEO: search},
		Tags:       []audit.Tag{{Key: "og:title", Value: "A title"}},
	}
	return r
}

func grade(score int, letter string) audit.Grade {
	return audit.Grade{Points: float64(score), Score: score, Letter: letter}
}

// TestVerdict_looksAsAccepted draws the card with every width of figure and letter, and addresses of every kind.
func TestVerdict_looksAsAccepted(t *testing.T) {
	finding := []audit.Issue{{ID: "og-title"}}
	for name, r := range map[string]*audit.Report{
		"bare": scored("https://example.org/", grade(40, "F"), grade(6, "F"), grade(2, "F"), grade(79, "C+")),
		"faults": scored("https://www.northlane.example/blog/render-queue-postgres", grade(71, "C"), grade(71, "C"),
			grade(64, "D"), grade(76, "C")),
		"nearly": func() *audit.Report {
			r := scored("https://docs.northlane.example/", grade(97, "A+"), grade(98, "A+"), grade(94, "A"), grade(99, "A+"))
			r.Issues = finding
			return r
		}(),
		"perfect": scored("https://tern.example/releases/4.2", grade(100, "A+"), grade(100, "A+"), grade(100, "A+"),
			grade(100, "A+")),
		"none": func() *audit.Report {
			r := scored("https://a.example/gone", grade(0, "F"), grade(0, "F"), grade(0, "F"), grade(1, "F"))
			r.Status = 404
			return r
		}(),
		"long": scored("https://"+strings.Repeat("a-very-long-label-of-a-host.", 4)+"example.co.uk/and/a/path",
			grade(88, "B+"), grade(88, "B+"), grade(87, "B+"), grade(89, "B+")),
		"path": scored("https://northlane.example/2026/11/"+strings.Repeat("words-without-end-", 8)+"/the-page",
			grade(60, "D"), grade(60, "D"), grade(60, "D"), grade(60, "D")),
		"scripts": scored("https://xn--mgbh0fb.example/%D9%85%D9%82%D8%A7%D9%84%D8%A9/%E8%A8%98%E4%BA%8B", grade(93, "A"),
			grade(90, "A"), grade(96, "A"), grade(91, "A")),
	} {
		card, err := report.Verdict(r)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(card.Bytes))
		if err != nil || len(card.Bytes) > 100_000 {
			t.Fatalf("%s: %v, %d bytes as %s, want a small PNG", name, err, len(card.Bytes), card.ContentType)
		}
		golden.Image(t, "verdict-"+name, img)
	}
}
