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

// compose returns what is drawn, and the part of it that the record tells: the request's own content stands before what
// the page says, and the accent it asks for before the page's colours.
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
	if own.Author != "" { // the portrait is another's
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
			Companion: palette.Hex(colors.Secondary), Background: palette.Hex(colors.BG),
		},
	}
}

// pathOf returns the path of a page as people read it, "" for the first page of a site.
func pathOf(u weburl.URL) string {
	return cleantext.Clean(strings.TrimRight(u.URL().Path, "/"), cleantext.MaxOther)
}

// fromStyle is the source of an accent that the request gives.
const fromStyle palette.Source = "style"

// chooseColors takes the accent of the request, else one of the site's colours.
func chooseColors(r Request, found []scrape.Color) palette.Choice {
	s, accent := r.Style, r.parsed.accent
	if s.Accent == "" {
		return palette.Choose(scrape.Candidates(found, s.Dark), s.Dark)
	}
	// The choice gives the companion and the canvas; an accent that was asked for is drawn as it is.
	choice := palette.Choose([]palette.Candidate{{Color: accent, Source: fromStyle, Weight: 1}}, s.Dark)
	choice.Accent, choice.Source, choice.BG = accent, fromStyle, palette.New(accent, s.Dark).BG
	return choice
}
