package card

import (
	"context"
	"image"
	"slices"
	"strings"

	"masthead/pkg/iconset"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/encode"
	"masthead/render/icon"
	"masthead/render/palette"
)

// Composition is what a request and a page make up: all that is drawn, before it is. Its drawing changes nothing in it,
// and takes a copy, so that a drawing that is given up may go on.
type Composition struct {
	// Page is what was taken from the page.
	Page PageData
	// Lacks says what the picture has to do without for a while: [LacksSVG], [LacksPage] or "".
	Lacks string
	// Background is an AI picture behind the text of a card; nil for none.
	Background image.Image

	request Request
	card    render.Request
	icons   icon.Request
	about   subject
	unused  []string // sentences about icons that could not be looked at
}

// What a picture may have to do without, until it is drawn again.
const (
	// LacksSVG says that an SVG was left out of a picture, since the engine for them was not ready, or of an icon set,
	// since drawing it took too long, which it may not do when there is less to do.
	LacksSVG = "svg"
	// LacksPage says that a picture was made of the beginning of a page, since the connection broke off.
	LacksPage = "page"
)

// Compose returns what is drawn for a normalized request, by what [Maker.Read] found.
func (r Request) Compose(site *scrape.Site) Composition {
	c := Composition{request: r}
	switch {
	case site.SVGMissed:
		c.Lacks = LacksSVG
	case site.Page.Value.Broken:
		c.Lacks = LacksPage
	}
	if r.Kind == IconSet {
		c.icons, c.Page = composeIcons(r, site)
		c.unused = unusedIcons(site)
		if tooSlow(site) {
			c.Lacks = LacksSVG
		}
		return c
	}
	c.card, c.Page = compose(r, site)
	if r.AI != nil {
		c.about = aboutOf(site, c.Page)
	}
	return c
}

// Prompt is what an AI provider is asked for, for the background of a card.
func (c *Composition) Prompt() string { return promptOf(c.request, c.card, c.about) }

// Drawn is what a request and a page have become.
type Drawn struct {
	// Request is what was asked for, in its one spelling. It has no URL when there was no page.
	Request Request
	// Page is what was taken from the page, and Alt the sentence that stands for the picture.
	Page PageData
	Alt  string
	// Files are the picture, of an icon set one for each size; the first stands for the others.
	Files []File
	// Treatment is what became of the site's icons, for an icon set.
	Treatment icon.Treatment
	// Warnings say what the picture does without.
	Warnings []render.Warning
}

// File is a picture and the name that it is served by.
type File struct {
	Name string
	render.Picture
}

// WarningIcon is the code of warnings about the icons of an icon set.
const WarningIcon = "ICON"

// Draw draws c. [render.ErrUnreadable] says that no readable card can be made over its Background.
func (c Composition) Draw(ctx context.Context) (Drawn, error) {
	d := Drawn{Request: c.request, Page: c.Page}
	if c.request.Kind == IconSet {
		set, err := icon.Draw(ctx, c.icons)
		if err != nil {
			return Drawn{}, err
		}
		d.takeIcons(set, c.unused)
	} else {
		c.card.Background = c.Background
		p, err := render.Draw(ctx, c.card)
		if err != nil {
			return Drawn{}, err
		}
		d.takeCard(p, c.card.Logo == nil)
	}
	d.Alt = altText(d.Files[0].Title, d.Files[0].SiteName, Host(c.request.parsed.page))
	return d, nil
}

// takeCard takes over the card that was drawn.
func (d *Drawn) takeCard(p render.Picture, noLogo bool) {
	d.Files = []File{{fileName(d.Request.Kind, p.Ext), p}}
	if d.Request.Style.Logo != nil && noLogo {
		d.Warnings = append(d.Warnings, render.Warning{
			Code: render.LogoMissing, Detail: "The logo could not be had, and the picture is drawn without it.",
		})
	}
	d.Warnings = append(d.Warnings, p.Warnings...)
}

// takeIcons takes over the set that was drawn. The colors that it is drawn with are those that Page tells.
func (d *Drawn) takeIcons(set *icon.Set, unused []string) {
	d.Page.Palette.Accent, d.Page.Palette.Background = palette.Hex(set.ThemeColor), palette.Hex(set.BackgroundColor)
	d.Treatment = set.Treatment
	for _, sentence := range slices.Concat(set.Warnings, unused) {
		d.Warnings = append(d.Warnings, render.Warning{Code: WarningIcon, Detail: sentence})
	}
	for _, a := range set.Assets {
		f := File{a.Name, pictureOf(a, d.Page.SiteName)}
		if a.Name == iconset.Icon512 { // it stands for the others: the image's address names it
			d.Files = slices.Insert(d.Files, 0, f)
		} else {
			d.Files = append(d.Files, f)
		}
	}
}

func pictureOf(a icon.Asset, siteName string) render.Picture {
	return render.Picture{
		Picture: encode.Picture{Bytes: a.PNG, ContentType: "image/png", Ext: ".png"},
		Width:   a.Width, Height: a.Height, SiteName: siteName,
	}
}

// Picture is the picture of a card, or the icon of a set that stands for the others.
func (d *Drawn) Picture() render.Picture { return d.Files[0].Picture }

// MetaTags returns the elements for the head of a page whose picture is served at imageURL, one a line.
func (d *Drawn) MetaTags(imageURL string) string {
	p := d.Picture()
	return Head{
		URL: d.Request.URL, Page: d.Page, Alt: d.Alt, PictureURL: imageURL,
		ContentType: p.ContentType, Width: p.Width, Height: p.Height,
	}.MetaTags()
}

// Site is what the manifest of an icon set tells.
func (d *Drawn) Site() iconset.Site { return SiteOf(d.Page, d.Request.parsed.page) }

// IconSet returns the six icons and the manifest, and with extras what goes with them: see [iconset.Files].
func (d *Drawn) IconSet(extras bool) ([]iconset.File, error) {
	icons := make([]iconset.File, len(d.Files))
	for i, f := range d.Files {
		icons[i] = iconset.File{Name: f.Name, Data: f.Bytes}
	}
	return iconset.Files(d.Site(), icons, extras)
}

// SiteOf is what the manifest of an icon set tells of a site, by what was taken from its page.
func SiteOf(p PageData, page weburl.URL) iconset.Site {
	return iconset.Site{
		Name: p.SiteName, Host: Host(page), Theme: p.Palette.Accent, Background: p.Palette.Background,
	}
}

// altText is the sentence that stands for the picture where it cannot be seen.
func altText(title, siteName, host string) string {
	site := siteName
	if site == "" {
		site = host
	}
	switch {
	case title == "":
		return site
	case site == "" || strings.EqualFold(title, site):
		return title
	}
	return title + " — " + site
}

// fileName is the name that a picture is served by.
func fileName(kind Kind, ext string) string {
	return strings.ReplaceAll(string(kind), "_", "-") + "." + strings.TrimPrefix(ext, ".")
}
