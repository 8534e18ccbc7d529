package web

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"masthead/pkg/audit"
	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/web/report"
	"masthead/render"
)

// keptCards is how many cards of reports are kept, of each kind; one has some 60 KB.
const keptCards = 64

// cards draws what the pages of reports show beside them: our own card for the page, and the one that the report
// itself is shared with. Both come from the report alone, so they are the same whenever they are drawn.
type cards struct {
	ours, verdicts *lru.Cache[string, render.Picture]
}

func newCards() *cards {
	ours, _ := lru.New[string, render.Picture](keptCards) // fails for a size below 1 alone
	verdicts, _ := lru.New[string, render.Picture](keptCards)
	return &cards{ours, verdicts}
}

// of returns our own card for the page of a report. icon returns the page's favicon as a PNG; nil for
// none.
func (c *cards) of(ctx context.Context, r *audit.Report, icon func() []byte) (render.Picture, error) {
	return kept(c.ours, r.ID, func() (render.Picture, error) {
		request := cardOf(r)
		if file := icon(); file != nil {
			if decoded, err := png.Decode(bytes.NewReader(file)); err == nil { // a file that we wrote
				request.Icon = asNRGBA(decoded)
			}
		}
		return render.Draw(ctx, request)
	})
}

func asNRGBA(img image.Image) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// verdict returns the card that a report is shared with.
func (c *cards) verdict(_ context.Context, r *audit.Report) (render.Picture, error) {
	return kept(c.verdicts, r.ID, func() (render.Picture, error) {
		file, err := report.Verdict(r)
		return render.Picture{Picture: file, Width: report.CardWidth, Height: report.CardHeight}, err
	})
}

func kept(
	cache *lru.Cache[string, render.Picture], id string, drawn func() (render.Picture, error),
) (render.Picture, error) {
	if p, ok := cache.Get(id); ok {
		return p, nil
	}
	p, err := drawn()
	if err != nil {
		return p, fmt.Errorf("draw a card of report %s: %w", id, err)
	}
	cache.Add(id, p)
	return p, nil
}

// cardOf returns our own card for the page of a report, with what the page says.
func cardOf(r *audit.Report) render.Request {
	request := render.Request{Seed: r.FinalURL, Dark: true, Texts: render.Texts{
		Title:       cleantext.Clean(r.Metadata.Title, cleantext.MaxTitle),
		Description: cleantext.Clean(r.Metadata.Description, cleantext.MaxDescription),
		SiteName:    cleantext.Clean(r.Metadata.SiteName, cleantext.MaxSite), Host: r.Shared.Host,
	}}
	for i := range r.Tags {
		tag := &r.Tags[i]
		switch tag.Key {
		case "lang":
			request.Lang = tag.Value
		case "theme-color":
			if accent, ok := page.ParseColor(tag.Value); ok && accent.A == 0xff && request.Accent == (color.NRGBA{}) {
				request.Accent = accent
			}
		case "article:section":
			request.Eyebrow = cleantext.Clean(tag.Value, cleantext.MaxSite)
		case "article:published_time":
			if day, ok := page.ParseDate(strings.TrimSpace(tag.Value)); ok {
				request.Published = day
			}
		}
	}
	return request
}
