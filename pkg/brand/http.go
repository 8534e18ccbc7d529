package brand

import (
	"context"
	"math"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/wire"
	"masthead/render/palette"
)

// API has the operations on pages.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// AnalyzePage serves POST /pages/analyze: it returns the brand analysis of a page.
func (a *API) AnalyzePage(
	ctx context.Context, r gen.AnalyzePageRequestObject,
) (gen.AnalyzePageResponseObject, error) {
	analysis, err := a.service.Analyze(ctx, identity.CallerOf(ctx), r.Body.Url)
	if err != nil {
		return nil, err
	}
	return gen.AnalyzePage200JSONResponse(Wire(analysis)), nil
}

// Wire converts an analysis for responses and for the command line's output.
func Wire(a *Analysis) gen.PageAnalysis {
	s := &a.Signals
	out := gen.PageAnalysis{
		Url: a.Site.URL.String(), FinalUrl: a.Site.Page.Value.URL.String(), Icons: wire.Items(a.Site.Icons, wireIcon),
		Palette: wire.Items(s.Palette, wireSwatch),
		Accent: gen.BrandAccent{
			Hex: palette.Hex(a.Accent.Accent), Secondary: palette.Hex(a.Accent.Secondary),
			Source: string(a.Accent.Source), Name: wire.OrNull(a.Accent.Name),
			Candidates: wire.Items(a.Candidates, wireCandidate),
		},
		Headline: wire.OrNull(s.Headline), Tagline: wire.OrNull(s.Tagline), Mood: gen.PageAnalysisMood(s.Mood),
		Language: wire.OrNull(s.Language), Confidence: s.Confidence,
		Sources: gen.SignalSources{
			ThemeColor: wire.OrNull(string(s.Theme.Source)), Headline: wire.OrNull(s.Sources.Headline),
			Tagline: wire.OrNull(s.Sources.Tagline), Mood: s.Sources.Mood, Language: wire.OrNull(s.Sources.Language),
		},
	}
	if s.Theme.Source != "" {
		out.ThemeColor = new(palette.Hex(s.Theme.Value))
	}
	if best, ok := a.Site.BestIcon(); ok {
		width, height := sizeOf(best.Facts)
		out.Favicon = &gen.BestIcon{
			Url: best.URL.String(), Width: width, Height: height, Format: best.Facts.Format.String(), Source: best.Link.Rel,
		}
	}
	return out
}

func wireIcon(part scrape.Part[scrape.IconFile]) gen.PageIcon {
	file := &part.Value
	icon := gen.PageIcon{
		Url: file.Link.URL, Source: file.Link.Rel, Sizes: wire.OrNull(file.Link.Sizes),
		Purpose: wire.OrNull(file.Link.Purpose), State: gen.PageIconStateFailed,
	}
	switch {
	case part.Got() && file.Useful():
		icon.State = gen.PageIconStateUsable
	case part.Got():
		icon.State = gen.PageIconStateUnusable
	case part.State == scrape.NotAsked:
		icon.State = gen.PageIconStateUnread
	}
	icon.Width, icon.Height = sizeOf(file.Facts)
	if file.Facts.Format != picture.Unknown {
		icon.Format = new(file.Facts.Format.String())
	}
	if file.Facts.Alpha != picture.Unsure {
		icon.Transparent = new(file.Facts.Alpha == picture.Yes)
	}
	return icon
}

// sizeOf returns the size of a picture; an SVG may have none.
func sizeOf(f picture.Facts) (width, height *int) {
	if f.Width == 0 || f.Height == 0 {
		return nil, nil
	}
	return &f.Width, &f.Height
}

func wireSwatch(s scrape.Swatch) gen.Swatch {
	return gen.Swatch{
		Hex: palette.Hex(s.Color), Role: gen.SwatchRole(s.Role), Share: thousandths(s.Share), Source: string(s.Source),
		Name: wire.OrNull(s.Name),
	}
}

func wireCandidate(c palette.RankedColor) gen.AccentCandidate {
	return gen.AccentCandidate{
		Hex: palette.Hex(c.Color), Source: string(c.Source), Name: wire.OrNull(c.Name), Score: thousandths(c.Score),
	}
}

func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }
