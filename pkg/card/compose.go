package card

import (
	"cmp"
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
func compose(r Request, site *scrape.Site) (render.Request, PageData) {
	own, said := r.Content, site.Page.Value.Texts
	out := render.Request{
		Template: r.Template, Kind: render.Kind(r.Kind), AspectRatio: r.Style.AspectRatio, Seed: cmp.Or(r.URL, own.Title),
		Texts: render.Texts{
			Title:       cmp.Or(own.Title, said.CardTitle, page.WithoutLeftover(said.Title)),
			Description: cmp.Or(own.Description, said.Description), SiteName: cmp.Or(own.SiteName, said.SiteName),
			Host:    Host(r.parsed.page),
			Eyebrow: cmp.Or(own.Eyebrow, said.Eyebrow), Author: cmp.Or(own.Author, said.Author),
			DescriptionGiven: own.Description != "", Version: page.VersionIn(own.Title), Path: pathOf(r.parsed.page),
		},
		Dark: r.Style.Dark, Font: r.Style.Font, Pictures: render.Pictures{Icon: site.Icon.Value.Image},
		Published: r.parsed.date, Format: r.Own.Format,
	}
	out.Photo, out.Portrait = site.Photo.Value.Image, site.Portrait.Value.Image
	if own.Author != "" { // the portrait is of someone else
		out.Portrait = nil
	}
	if r.Style.Logo != nil {
		out.LogoPosition, out.Logo = r.Style.Logo.Position, site.Pictures[0].Value.Image
	}
	favicon, kind, locale := own.Favicon, "", ""
	if site.Page.Got() {
		p := site.Page.Value
		if out.Published.IsZero() {
			out.Published = p.Details.Published
		}
		out.Crumb, out.Items = p.Details.Crumb, p.Details.Items
		out.Quote, out.QuoteAuthor = p.Details.Quote, p.Details.QuoteAuthor
		if out.Version == "" && own.Title == "" { // another title may be about another version
			out.Version = p.Details.Version
		}
		if own.Title == "" {
			out.Owner, out.Repo = p.Details.Owner, p.Details.Repo
		}
		out.ReadingMinutes = int(p.Details.ReadingTime / time.Minute)
		out.Lang, out.Dir = p.Lang, p.Dir
		favicon = cmp.Or(favicon, p.Metadata.Favicon)
		kind, locale = typeOf(p), localeOf(p)
	}
	out.Lang = cmp.Or(r.Own.Lang, out.Lang)
	colors := chooseColors(r, site.Colors.Value)
	out.Accent = colors.Accent
	return out, PageData{
		Title: cmp.Or(own.Title, said.Title), Description: out.Description, SiteName: out.SiteName, Favicon: favicon,
		Type: kind, Locale: locale,
		Palette: Palette{
			Accent: palette.Hex(colors.Accent), AccentSource: string(colors.Source),
			Secondary: palette.Hex(colors.Secondary), Background: palette.Hex(colors.BG),
		},
	}
}

// pathOf returns the path of a page in readable form, or "" for a site's home page.
func pathOf(u weburl.URL) string {
	return cleantext.Clean(strings.TrimRight(u.URL().Path, "/"), cleantext.MaxOther)
}

// fromStyle is the source of an accent in the request.
const fromStyle palette.Source = "style"

// chooseColors returns the accent of the request, otherwise one of the site's colors.
func chooseColors(r Request, found []scrape.Color) palette.Choice {
	s, accent := r.Style, r.parsed.accent
	if s.Accent == "" {
		return palette.Choose(scrape.Candidates(found, s.Dark), s.Dark)
	}
	// The choice derives the secondary color and the canvas; a requested accent is drawn as it is.
	choice := palette.Choose([]palette.Candidate{{Color: accent, Source: fromStyle, Weight: 1}}, s.Dark)
	choice.Accent, choice.Source, choice.BG = accent, fromStyle, palette.New(accent, s.Dark).BG
	return choice
}
