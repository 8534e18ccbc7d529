package card

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
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

// This file has what differs between icon sets and cards: what is read, what is drawn, and how the record describes the
// files.

// svgPatience is how long an icon set waits for the engine that draws SVG.
const svgPatience = 5 * time.Second

// iconsNeed returns what an icon set needs: the page, and all candidates for its icon.
func iconsNeed(r Request) scrape.Need {
	return scrape.Need{
		PageEssential: true, Icons: true, Purposes: true, Colors: true, Stylesheet: true, Patience: svgPatience,
		Icon: scrape.IconNeed{First: r.parsed.favicon, Data: r.Own.Icon},
	}
}

// missingIcons returns an error if an icon of the site couldn't be examined because the server was busy: results that
// are stored for long must not lack it.
func missingIcons(site *scrape.Result) error {
	for _, file := range site.Icons {
		busy := errors.Is(file.Err, picture.ErrBusy) || errors.Is(file.Err, picture.ErrWorkersLost)
		if busy || apperr.CodeOf(file.Err) == apperr.Unavailable {
			fault := apperr.Wrap(apperr.Unavailable,
				"The site's icons cannot be read now. Try again in a moment.", file.Err)
			fault.RetryAfter = 2 * time.Second
			return fault
		}
	}
	return nil
}

// composeIcons returns what is drawn, and the part of it for the record.
func composeIcons(r Request, site *scrape.Result) (icon.Request, PageData) {
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
			Secondary: palette.Hex(colors.Secondary), Background: palette.Hex(colors.BG),
		},
	}
	if site.Page.Got() {
		out.Lang, about.Locale = p.Lang, localeOf(p)
	}
	for _, file := range site.IconSources() {
		out.Sources = append(out.Sources, icon.Source{
			Name: nameOf(file), Picture: file.Image, Draw: file.Draw, SVG: file.Rewrite,
		})
	}
	if len(site.IconSources()) > 0 {
		about.Favicon = site.IconSources()[0].URL.String()
	}
	purposes(&out, site)
	about.Palette.DarkTheme = darkTheme(site.Colors.Value)
	return out, about
}

// purposes adds the icons that the site has for one purpose. The drawing of one color represents a site that has no
// other icon, in the color that its link names.
func purposes(out *icon.Request, site *scrape.Result) {
	if file := &site.Maskable.Value; site.Maskable.Got() {
		out.Maskable = icon.Source{Name: nameOf(file), Picture: file.Image, Draw: file.Draw}
		out.MaskableBackground, _ = page.ParseColor(site.Manifest.Value.BackgroundColor)
	}
	if !site.MaskIcon.Got() {
		return
	}
	file := &site.MaskIcon.Value
	out.Silhouette = icon.Source{Name: nameOf(file), Picture: file.Image, Draw: file.Draw}
	ink, ok := page.ParseColor(file.Link.Color)
	if len(out.Sources) > 0 || !ok || ink.A != 255 {
		return
	}
	out.Sources = []icon.Source{{Name: nameOf(file), Picture: inColor(file.Image, ink)}}
	if file.Draw != nil {
		out.Sources[0].Draw = func(ctx context.Context, side int) (*image.NRGBA, error) {
			img, err := file.Draw(ctx, side)
			if err != nil {
				return nil, err
			}
			return inColor(img, ink), nil
		}
	}
}

// inColor returns the shape of a picture in a color.
func inColor(img *image.NRGBA, c color.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: img.Rect.Size()})
	draw.DrawMask(out, out.Rect, image.NewUniform(c), image.Point{}, img, img.Rect.Min, draw.Src)
	return out
}

// darkTheme returns the theme color that the page has for dark screens, or "".
func darkTheme(found []scrape.Color) string {
	for _, c := range found {
		if c.Source == palette.ThemeColor && c.For == scrape.DarkAppearance {
			return palette.Hex(c.Value)
		}
	}
	return ""
}

// maxIconName is the maximum length of an icon's address in a warning, in bytes.
const maxIconName = 200

// nameOf is the name of an icon in warnings.
func nameOf(file *scrape.IconFile) string {
	address := file.Link.URL
	switch {
	case address == "":
		return "The icon that replaces the site's"
	case len(address) > maxIconName:
		return strings.ToValidUTF8(address[:maxIconName], "") + "…"
	}
	return address
}

// unusedIcons returns messages about icons of the site or the request that aren't usable pictures.
func unusedIcons(site *scrape.Result) (sentences []string) {
	if site.Page.Got() && page.ClassOf(site.Page.Value.Header.Get("Content-Type")) == page.ImageContent {
		sentences = append(sentences, "This is the address of a picture, not of a page. To draw icons from it, "+
			"send it as the icon of the site's page.")
	}
	for i := range site.Icons {
		part := &site.Icons[i]
		name := nameOf(&part.Value)
		if part.Got() && i == 0 && part.Value.Facts.Omitted != "" {
			sentences = append(sentences, name+" has parts that we cannot draw: "+part.Value.Facts.Omitted+".")
		}
		if part.Err == nil || !part.Value.Named() {
			continue
		}
		var known *apperr.Error
		switch unusable := (*scrape.PictureError)(nil); {
		case errors.As(part.Err, &unusable):
			sentences = append(sentences, name+" was not used: "+picture.Unusable(part.Err)+".")
		case errors.As(part.Err, &known) && known.Code != apperr.Internal:
			sentences = append(sentences, name+" was not used. "+known.Detail)
		default:
			sentences = append(sentences, name+" was not used: it could not be fetched.")
		}
	}
	return sentences
}

// tooSlow reports whether an SVG among the icons wasn't drawn for lack of time, which may be due to a busy server.
func tooSlow(site *scrape.Result) bool {
	return slices.ContainsFunc(site.Icons, func(part scrape.Part[scrape.IconFile]) bool {
		return part.Value.Facts.Format == picture.SVG && errors.Is(part.Err, picture.ErrTimeout)
	})
}
