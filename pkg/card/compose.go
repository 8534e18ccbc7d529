package card

import (
	"cmp"
	"context"
	"image"
	"image/color"
	"strings"
	"time"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/palette"
)

// compose returns what is drawn, and the part of it for the record. The request's content takes precedence over the
// page's, and its accent over the page's colors.
func compose(r Request, site *scrape.Result) (render.Request, PageData) {
	own, said := r.Content, site.Page.Value.Texts
	out := render.Request{
		Template: r.Template, AspectRatio: r.Style.AspectRatio, Seed: cmp.Or(r.URL, own.Title),
		Texts: render.Texts{
			Title:       cmp.Or(own.Title, said.CardTitle, page.WithoutLeftover(said.Title)),
			Description: cmp.Or(own.Description, said.Description), SiteName: cmp.Or(own.SiteName, said.SiteName),
			Host:    Host(r.parsed.page),
			Eyebrow: cmp.Or(own.Eyebrow, said.Eyebrow), Author: cmp.Or(own.Author, said.Author),
			DescriptionGiven: own.Description != "", Version: page.VersionIn(own.Title), Path: pathOf(r.parsed.page),
		},
		Dark: r.Style.Dark, Font: r.font(), Fonts: r.Own.Fonts, Pictures: render.Pictures{Icon: site.Icon.Value.Image},
		Domain: domainOf(r), Published: r.parsed.date, Format: r.Own.Format,
	}
	out.Kind, out.Size = r.kindIn(r.Template, r.CardSize())
	out.Photo, out.Portrait = site.Photo.Value.Image, site.Portrait.Value.Image
	signed(&out, own.Author, said.Author)
	if r.Style.Logo != nil {
		out.LogoPosition, out.Logo = r.Style.Logo.Position, site.Pictures[0].Value.Image
	}
	favicon, pageType, locale, about := own.Favicon, "", "", page.NoKind
	if site.Page.Got() {
		p := site.Page.Value
		if out.Published.IsZero() && p.Details.Kind != page.EventKind { // an event has its own date
			out.Published = p.Details.Published
		}
		out.Crumb, out.Items = p.Details.Crumb, p.Details.Items
		out.Quote, out.QuoteAuthor = p.Details.Quote, p.Details.QuoteAuthor
		out.Session, out.Code = p.Details.Session, render.Code(p.Details.Code)
		if own.Title == "" { // another title may be about another thing
			out.Event = render.Event(p.Details.Event)
			out.Product, out.Episode = render.Product(p.Details.Product), render.Episode(p.Details.Episode)
		}
		if out.Version == "" && own.Title == "" { // another title may be about another version
			out.Version = p.Details.Version
		}
		if own.Title == "" {
			out.Owner, out.Repo, out.Project = p.Details.Owner, p.Details.Repo, render.Project(p.Details.Project)
			out.Sections = p.Details.Sections
		}
		out.ReadingMinutes = int(p.Details.ReadingTime / time.Minute)
		out.Lang, out.Dir = p.Lang, p.Dir
		favicon = cmp.Or(favicon, p.Metadata.Favicon)
		pageType, locale, about = typeOf(p), localeOf(p), p.Details.Kind
	}
	if own.Quote.Text != "" {
		out.Quote, out.QuoteAuthor = own.Quote.Text, own.Quote.Speaker
	}
	out.Lang = cmp.Or(r.Own.Lang, out.Lang)
	colors := chooseColors(r, site.Colors.Value)
	out.Accent = colors.Accent
	if r.isAuto() {
		out.Choice = choose(r, about, &out)
		out.Template = out.Choice[0] // for what needs one before the card is opened
	}
	return out, PageData{
		Title: cmp.Or(own.Title, said.Title), Description: out.Description, SiteName: out.SiteName, Favicon: favicon,
		Type: pageType, Locale: locale,
		Palette: Palette{
			Accent: palette.Hex(colors.Accent), AccentSource: string(colors.Source),
			Secondary: palette.Hex(colors.Secondary), Background: palette.Hex(colors.BG),
		},
	}
}

// signed takes the portrait of someone else than the author that a request names from a card, and the author of a page
// that is about them, and names them in its title: a card with a portrait has a place for both.
func signed(out *render.Request, own, said string) {
	switch {
	case own != "" && own != said:
		out.Portrait = nil
	case own == "" && out.Portrait == nil && strings.EqualFold(out.Author, out.Title):
		out.Author = ""
	}
}

// pathOf returns the path of a page in readable form, or "" for a site's home page.
func pathOf(u weburl.URL) string {
	return cleantext.Clean(strings.TrimRight(u.URL().Path, "/"), cleantext.MaxOther)
}

// fromStyle is the source of an accent in the request.
const fromStyle palette.Source = "style"

// chooseColors returns the accent of the request, otherwise one of the site's colors, otherwise that of its host.
func chooseColors(r Request, found []scrape.Color) palette.Choice {
	s := r.Style
	if s.Accent != "" {
		return given(r.parsed.accent, fromStyle, s.Dark)
	}
	choice := palette.Choose(scrape.Candidates(found, s.Dark), s.Dark)
	if domain := domainOf(r); choice.Source == palette.NoSource && domain != "" {
		return given(palette.OfHost(domain), palette.FromHost, s.Dark)
	}
	return choice
}

// given returns the choice of an accent that is drawn as it is; the secondary color and the canvas are derived from it.
func given(accent color.NRGBA, source palette.Source, dark bool) palette.Choice {
	choice := palette.Choose([]palette.Candidate{{Color: accent, Source: source, Weight: 1}}, dark)
	choice.Accent, choice.Source, choice.BG = accent, source, palette.New(accent, dark).BG
	return choice
}

// domainOf returns the registrable domain of a request's page, by which its site is known to [palette.OfHost], or else
// the site's name.
func domainOf(r Request) string {
	if h := r.parsed.page.Host(); h.Domain() != "" {
		return h.Domain()
	}
	return r.Content.SiteName
}

// Missing returns which of a design's needs a card of the composition doesn't have, by their names in
// [render.Template.Needs].
func (c *Composition) Missing(t render.Template) (missing []string) {
	r := &c.card
	has := map[string]bool{
		"title": r.Title != "", "description": r.Description != "", "siteName": r.SiteName != "",
		"picture": r.Photo != nil, "icon": r.Icon != nil, "author": r.Author != "", "date": !r.Published.IsZero(),
		"quote": r.Quote != "", "version": r.Version != "", "crumb": len(r.Crumb) > 0,
		"repository": r.Owner != "" && r.Repo != "" && r.Project != render.Project{}, "portrait": r.Portrait != nil, "screenshot": r.Photo != nil,
		"session": len(r.Session) > 0, "event": !r.Event.Start.IsZero(), "code": len(r.Code.Lines) > 0,
		"product": r.Product != render.Product{}, "episode": r.Episode != render.Episode{}, "figure": render.HasNumber(r.Title),
	}
	for _, need := range t.Needs {
		if !has[need] {
			missing = append(missing, need)
		}
	}
	return missing
}

// Paint returns the pixels of a card before they are encoded, for a caller that shows it smaller. It is like
// [Composition.Draw] otherwise.
func (c Composition) Paint(ctx context.Context) (image.Image, error) {
	c.card.Background = c.Background
	return render.Paint(ctx, c.card)
}
