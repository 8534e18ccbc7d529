package render

import (
	"image"
	"slices"
	"time"

	"masthead/fonts"
	"masthead/render/palette"
	"masthead/render/template"
	"masthead/render/template/kit"
)

// Template describes a design: its slug and name, what it is good for, which texts of a page it lives on.
type Template = kit.Info

// Templates returns all designs, sorted by slug. The slice is the caller's.
func Templates() []Template {
	var out []Template
	for _, t := range template.All() {
		out = append(out, t.Info)
	}
	return out
}

// Lookup returns the design of a slug if it draws a kind, whatever it draws where kind is "".
func Lookup(slug string, kind Kind) (Template, bool) {
	t, ok := template.Find(slug, kind)
	if !ok {
		return Template{}, false
	}
	return t.Info, true
}

// Draws reports whether the design of a slug draws a kind, in a size if that is [Custom].
func Draws(slug string, kind Kind, size image.Point) bool {
	_, ok := template.FindSized(slug, kind, size)
	return ok
}

// IsScreenshot reports whether a picture shows an interface, as designs that show screenshots judge it.
func IsScreenshot(img *image.NRGBA) bool { return kit.IsScreenshot(img) }

// Fonts returns the slugs that [Request.Font] takes, [DefaultFont] first. The slice is the caller's.
func Fonts() []string { return fonts.Families() }

// BeginsWithNumber reports whether a title begins with the number that it is about, as the design figure judges it.
func BeginsWithNumber(title string) bool {
	n, ok := kit.FigureIn(title)
	return ok && n.Start == 0
}

// HasNumber reports whether a title is about a number.
func HasNumber(title string) bool {
	_, ok := kit.FigureIn(title)
	return ok
}

// Sample returns a request that shows a design at its best: a page of an invented site with every text known. ok is
// false for a slug that does not exist.
func Sample(slug string) (r Request, ok bool) {
	t, ok := template.Find(slug, "")
	if !ok {
		return Request{}, false
	}
	r = sample
	r.Template, r.Kind = slug, t.Kinds[0]
	if slices.Contains(t.Needs, "picture") && t.Fallback != nil { // the others show what they do without one
		r.Photo = sampleSea()
	}
	if t.Portrait {
		r.Portrait = samplePortrait()
	}
	if slug == "event" {
		r.Title, r.Description = "Northlane Conf: a day about queues", ""
	}
	if slug == "figure" {
		r.Title = "40% lower costs since we moved our render queue to Postgres"
	}
	switch slug {
	case "product":
		r.Title, r.SiteName, r.Host, r.Description = "Tall stoneware mug, ink glaze", "Kiln & Co.", "kiln.example", ""
		r.Photo, r.Author = sampleThing(), ""
	case "episode":
		r.Title, r.Photo = "The beekeeper who would not sell his hives", nil
		r.SiteName, r.Host, r.Author = "Fieldnote Radio", "fieldnote.example", ""
	}
	if slug == "changelog" {
		r.Title = "Signed links, calmer queues"
	}
	if slug == "docs" {
		r.Title, r.Description = "Rate limits", "How many requests a key may send, and what happens after."
		r.Sections = []string{"How requests are counted", "Limits of plans", "Headers", "What to do at a 429"}
	}
	if slug == "code" {
		r.Title = "A job queue in one query"
	}
	if t.Screenshot {
		r.Photo, r.Path = sampleScreen(), ""
	}
	return r, true
}

var sample = Request{
	Seed: "https://northlane.dev/blog/render-queue",
	Texts: Texts{
		Title:       "Why we moved our render queue to Postgres",
		Description: "Six months, one outage and a 40% cost cut: what we learned replacing Redis with SKIP LOCKED.",
		SiteName:    "Northlane", Host: "northlane.dev",
		Eyebrow: "Engineering", Author: "Mina Okafor",
		Crumb: []string{"Guides", "Operations", "Quotas"},
		Items: []string{
			"Signed image links with rotation", "Right-to-left layout for every template",
			"Icon sets now include maskable variants",
		},
		Quote: "We stopped designing cards. The page itself is the brief, and every link looks like us now.",
		Session: []string{
			"$ brew install northlane/tap/queue", "==> Pouring queue--3.2.0.arm64.bottle.tar.gz", "$ queue migrate --from redis",
			"  12,408 jobs moved in 3.1 s", "$ queue work --slots 4", "  ready: 4 workers, 0 waiting",
		},
		Code: Code{First: 1, Language: "sql", Lines: []string{
			"UPDATE jobs SET state = 'running'", "WHERE id = (", "  SELECT id FROM jobs WHERE state = 'queued'",
			"  ORDER BY run_at FOR UPDATE SKIP LOCKED", "  LIMIT 1", ") RETURNING id, payload; -- one worker, one row", "",
			"-- no row: sleep, then ask again",
		}},
		QuoteAuthor: "Mina Okafor", Version: "3.2", Path: "/blog/render-queue",
		Owner: "northlane", Repo: "render-queue", Project: Project{Language: "Go", Stars: 12_400, License: "Apache-2.0"},
	},
	Event: Event{
		Start: time.Date(2026, time.October, 14, 9, 30, 0, 0, time.UTC),
		End:   time.Date(2026, time.October, 14, 17, 0, 0, 0, time.UTC),
		Place: "Kulturkirken Jakob, Oslo",
	},
	Product: Product{
		Price: "24.90", OldPrice: "32", Currency: "EUR", Stock: "few", Rating: 4.2, Votes: 96,
	},
	Episode:        Episode{Guest: "Tomas Lindqvist", Number: 48, Length: 52 * time.Minute, Audio: true},
	Published:      time.Date(2026, time.March, 12, 0, 0, 0, 0, time.UTC),
	ReadingMinutes: 8,
	Lang:           "en",
	Accent:         palette.RGB(0x4F46E5),
	Dark:           true,
}
