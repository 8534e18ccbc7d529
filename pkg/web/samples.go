package web

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"time"

	"masthead/pkg/etag"
	"masthead/render"
)

// sample is a card on the front page.
type sample struct {
	URL, Alt, Caption string
	Width, Height     int
	// Took is the time to draw and encode it: "14 ms".
	Took string
}

// samplePath is the path prefix of the front page's cards, followed by number and type.
const samplePath = "/cards/"

// sampleRequests are those cards: the one next to the field, and three with different templates.
var sampleRequests = []struct {
	caption string
	request render.Request
}{
	{"", render.Request{
		Template: "editorial", Font: "inter", Accent: color.NRGBA{0x0f, 0x7a, 0x56, 0xff},
		Texts: render.Texts{
			Title: "Why we moved our render queue to Postgres", SiteName: "Northlane", Eyebrow: "Engineering",
			Description:      "Six months, one outage and a 40% cost cut: what we learned replacing Redis with SKIP LOCKED.",
			DescriptionGiven: true,
		},
	}},
	{"Editorial, dark", render.Request{
		Template: "editorial", Font: "instrument-serif", Dark: true, Accent: color.NRGBA{0xc2, 0x41, 0x2d, 0xff},
		Texts: render.Texts{
			Title: "The quiet cost of a slow checkout", SiteName: "Ledgerline", Eyebrow: "Research",
			Description:      "We timed forty shops. The median buyer waits eleven seconds and does not come back.",
			DescriptionGiven: true,
		},
	}},
	{"Minimal, light", render.Request{
		Template: "minimal", Font: "inter", Accent: color.NRGBA{0x25, 0x63, 0xeb, 0xff},
		Texts: render.Texts{Title: "Release 4.2: one file, no daemon", SiteName: "Tern"},
	}},
	{"Poster, light", render.Request{
		Template: "poster", Font: "inter", Accent: color.NRGBA{0xe0, 0xac, 0x2b, 0xff},
		Texts: render.Texts{Title: "Bread that waits for you", SiteName: "Ofen & Co"},
	}},
}

// drawSamples draws the cards of the front page and adds their files.
func (own *ownAssets) drawSamples(ctx context.Context) error {
	own.samples = make([]sample, len(sampleRequests))
	// The first one is drawn last: its time is shown, and should be that of a warmed-up program.
	for i, s := range slices.Backward(sampleRequests) {
		began := time.Now()
		card, err := render.Draw(ctx, s.request)
		if err != nil {
			return fmt.Errorf("draw card %d of the front page: %w", i, err)
		}
		took := time.Since(began)
		path, tag := fmt.Sprintf("%s%d", samplePath, i), etag.Of(card.Bytes)
		own.files[path] = ownFile{card.ContentType, tag, card.Bytes}
		own.samples[i] = sample{
			URL: path + "?v=" + strings.Trim(tag, `"`)[:12], Alt: card.Title + ", " + card.SiteName, Caption: s.caption,
			Width: card.Width, Height: card.Height, Took: fmt.Sprintf("%d\u00a0ms", max(1, took.Milliseconds())),
		}
	}
	return nil
}
