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
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/audit"
	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/web/report"
	"masthead/pkg/worker"
	"masthead/render"
)

// keptCards is the number of cached report cards of each kind, and of pages of reports; one has some 60 KB.
const keptCards = 64

// cards draws the cards on the pages of reports: our own card for the page, and the one that the report itself is
// shared with. Both depend only on the report, so they are always the same.
type cards struct {
	drawing        *worker.Pool
	ours, verdicts simplelru.LRUCache[string, render.Card]
}

func newCards(drawing *worker.Pool) *cards {
	ours, _ := lru.New[string, render.Card](keptCards) // fails only for a size below 1
	verdicts, _ := lru.New[string, render.Card](keptCards)
	return &cards{drawing, ours, verdicts}
}

// of returns our own card for the page of a report. icon returns the page's favicon as a PNG, or nil.
func (c *cards) of(ctx context.Context, r *audit.Report, icon func() []byte) (render.Card, error) {
	if p, ok := c.ours.Get(r.ID); ok {
		return p, nil
	}
	file := icon()
	return c.kept(ctx, c.ours, "card", r, func(ctx context.Context) (render.Card, error) {
		request := cardOf(r)
		if file != nil {
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
func (c *cards) verdict(ctx context.Context, r *audit.Report) (render.Card, error) {
	return c.kept(ctx, c.verdicts, "verdict", r, func(context.Context) (render.Card, error) {
		file, err := report.Verdict(r)
		return render.Card{File: file, Width: report.CardWidth, Height: report.CardHeight}, err
	})
}

// kept returns the card of a report from cache, otherwise has a worker draw it.
func (c *cards) kept(
	ctx context.Context, cache simplelru.LRUCache[string, render.Card], name string, r *audit.Report,
	draw func(context.Context) (render.Card, error),
) (render.Card, error) {
	if p, ok := cache.Get(r.ID); ok {
		return p, nil
	}
	work := worker.Work{Stage: "report " + name, Key: func() string { return "report " + name + " " + r.ID }}
	p, err := worker.Do(ctx, c.drawing, work, draw)
	if err != nil {
		return p, fmt.Errorf("draw a card of report %s: %w", r.ID, err)
	}
	cache.Add(r.ID, p)
	return p, nil
}

// cardOf returns our own card for the page of a report, with the page's texts.
func cardOf(r *audit.Report) render.Request {
	drawn := r.Drawn
	if drawn == nil { // a report from before this was stored
		drawn = &audit.CardContent{
			Title:       cleantext.Clean(page.WithoutLeftover(r.Metadata.Title), cleantext.MaxTitle),
			Description: cleantext.Clean(page.WithoutLeftover(r.Metadata.Description), cleantext.MaxDescription),
			SiteName:    cleantext.Clean(page.WithoutLeftover(r.Metadata.SiteName), cleantext.MaxSite),
		}
	}
	request := render.Request{Seed: r.FinalURL, Dark: true, Texts: render.Texts{
		Title: drawn.Title, Description: drawn.Description, SiteName: drawn.SiteName, Eyebrow: drawn.Eyebrow,
		Host: r.Shared.Host,
	}}
	if accent, ok := page.ParseColor(drawn.Accent); ok {
		request.Accent = accent
	}
	for i := range r.Tags {
		tag := &r.Tags[i]
		switch tag.Key {
		case "lang":
			request.Lang = tag.Value
		case "theme-color":
			if accent, ok := page.ParseColor(tag.Value); ok && accent.A == 0xff && request.Accent == (color.NRGBA{}) {
				request.Accent = accent
			}
		case "article:published_time":
			if day, ok := page.ParseDate(strings.TrimSpace(tag.Value)); ok {
				request.Published = day
			}
		}
	}
	return request
}
