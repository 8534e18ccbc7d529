package card

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/render/icon"
	"masthead/render/palette"
)

// This file has what is another way for icon sets than for cards: what is read, what is drawn of it, and how the record
// tells of the files.

// svgPatience is how long an icon set waits for the engine that draws SVG. Source: the requirements of icon sets.
const svgPatience = 5 * time.Second

// iconsNeed says what an icon set takes: the page, and all that may be its icon.
func iconsNeed(r Request) scrape.Need {
	return scrape.Need{
		PageEssential: true, Icons: true, Colors: true, Stylesheet: true, Patience: svgPatience,
		Icon: scrape.IconNeed{First: r.parsed.favicon, Data: r.Own.Icon},
	}
}

// missingIcons is the error for a site of whose icons one could not be looked at, since we were busy for a moment: what
// is kept long must not lack it.
func missingIcons(site *scrape.Site) error {
	for _, file := range site.Icons {
		busy := errors.Is(file.Err, picture.ErrBusy) || errors.Is(file.Err, picture.ErrWorkersLost)
		if busy || apperr.CodeOf(file.Err) == apperr.Unavailable {
			fault := apperr.Wrap(apperr.Unavailable,
				"The site's icons cannot be read just now; try again in a moment.", file.Err)
			fault.RetryAfter = 2 * time.Second
			return fault
		}
	}
	return nil
}

// composeIcons returns what is drawn, and the part of it that the record tells.
func composeIcons(r Request, site *scrape.Site) (icon.Request, PageData) {
	p := site.Page.Value
	said := p.Texts
	colors := chooseColors(r, site.Colors.Value)
	out := icon.Request{
		Name: cmp.Or(said.SiteName, Host(r.parsed.page)), Brand: colors.Accent, Extras: true,
	}
	about := PageData{
		Title: said.Title, Description: said.Description, SiteName: said.SiteName,
		Palette: Palette{
			Accent: palette.Hex(colors.Accent), AccentSource: string(colors.Source),
			Companion: palette.Hex(colors.Secondary), Background: palette.Hex(colors.BG),
		},
	}
	if site.Page.Got() {
		out.Lang, about.Locale = p.Lang, localeOf(p)
	}
	for _, file := range site.IconSources() {
		out.Sources = append(out.Sources, icon.Source{Name: nameOf(file), Picture: file.Image, Draw: file.Draw})
	}
	if len(site.IconSources()) > 0 {
		about.Favicon = site.IconSources()[0].URL.String()
	}
	return out, about
}

// maxIconName is how much of an icon's address a warning tells, in bytes.
const maxIconName = 200

// nameOf is what warnings call an icon.
func nameOf(file *scrape.IconFile) string {
	address := file.Link.URL
	switch {
	case address == "":
		return "The icon in place of the site's"
	case len(address) > maxIconName:
		return strings.ToValidUTF8(address[:maxIconName], "") + "…"
	}
	return address
}

// unusedIcons are sentences about icons that the site or the request names, and that are no picture of use.
func unusedIcons(site *scrape.Site) (sentences []string) {
	if site.Page.Got() && page.ClassOf(site.Page.Value.Header.Get("Content-Type")) == page.ImageContent {
		sentences = append(sentences, "There is a picture at this address, no page. To have icons drawn from it, "+
			"give it as the icon of the site's page.")
	}
	for i := range site.Icons {
		part := &site.Icons[i]
		if part.Err == nil || !part.Value.Named() {
			continue
		}
		name := nameOf(&part.Value)
		var known *apperr.Error
		switch unusable := (*scrape.PictureError)(nil); {
		case errors.As(part.Err, &unusable):
			sentences = append(sentences, name+" was not used: "+whyUnusable(part.Err)+".")
		case errors.As(part.Err, &known) && known.Code != apperr.Internal:
			sentences = append(sentences, name+" was not used. "+known.Detail)
		default:
			sentences = append(sentences, name+" was not used: it could not be fetched.")
		}
	}
	return sentences
}

// tooSlow says whether an SVG among the icons was not drawn for want of time, which may be that of a busy moment.
func tooSlow(site *scrape.Site) bool {
	return slices.ContainsFunc(site.Icons, func(part scrape.Part[scrape.IconFile]) bool {
		return part.Value.Facts.Format == picture.SVG && errors.Is(part.Err, picture.ErrTimeout)
	})
}
