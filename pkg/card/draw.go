package card

import (
	"cmp"
	"context"
	"image"
	"slices"
	"strings"

	"masthead/pkg/iconset"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/design"
	"masthead/render/encode"
	"masthead/render/icon"
	"masthead/render/palette"
)

// Composition is everything to be drawn for a request and a page. Drawing works on a copy and doesn't change it, so
// that an abandoned drawing may continue.
type Composition struct {
	// Page is the data from the page.
	Page PageData
	// Lacks is what the picture temporarily lacks: [LacksSVG], [LacksPage], [LacksPhoto] or "".
	Lacks string
	// Background is an AI picture behind the text of a card, or nil.
	Background image.Image

	request  Request
	document *document // of a design of the user's own, or nil
	fault    error     // of filling in that document
	card     render.Request
	icons    icon.Request
	about    subject
	unused   []string // messages about icons that couldn't be examined
}

// What a picture may lack until it is drawn again.
const (
	// LacksSVG means that an SVG was left out of a picture because the engine wasn't ready, or of an icon set because
	// drawing it took too long, which may not happen under less load.
	LacksSVG = "svg"
	// LacksPage means that a picture is based on the beginning of a page because the connection broke.
	LacksPage = "page"
	// LacksPhoto means that a card is drawn without the page's own picture because that took too long.
	LacksPhoto = "photo"
)

// Compose returns what to draw for a normalized request, given the result of [Maker.Read].
func (r Request) Compose(site *scrape.Result) Composition {
	c := Composition{request: r}
	switch {
	case site.SVGMissed:
		c.Lacks = LacksSVG
	case site.Page.Value.Broken:
		c.Lacks = LacksPage
	case site.PhotoLate:
		c.Lacks = LacksPhoto
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
	if r.Design != nil {
		c.document, c.fault = r.fillDesign(&c.card, chooseColors(r, site.Colors.Value), site)
	}
	return c
}

// Prompt is the prompt for the AI provider, for the background of a card.
func (c *Composition) Prompt() string { return promptOf(c.request, c.card, c.about) }

// Result is the result of drawing a request and a page.
type Result struct {
	// Request is the normalized request. It has no URL if there was no page.
	Request Request
	// Page is the data from the page, Alt the picture's alternative text.
	Page PageData
	Alt  string
	// Files are the picture, or one file for each size of an icon set; the first represents the others.
	Files []File
	// Treatment is how the site's icon was used for an icon set.
	Treatment icon.Treatment
	// Warnings say what the picture lacks.
	Warnings []render.Warning
	// Unlike is what a design of the user's own has that isn't drawn as in a browser; Warnings say the same.
	Unlike []design.Warning
}

// File is a picture and its file name.
type File struct {
	Name string
	render.Card
}

// WarningIcon is the code of warnings about the icons of an icon set.
const WarningIcon = "ICON"

// Draw draws c. [render.ErrUnreadable] means that no readable card is possible over its Background.
func (c Composition) Draw(ctx context.Context) (Result, error) {
	d := Result{Request: c.request, Page: c.Page}
	if c.request.Kind == IconSet {
		set, err := icon.Draw(ctx, c.icons)
		if err != nil {
			return Result{}, err
		}
		d.takeIcons(set, c.unused)
	} else if c.request.Design != nil {
		if err := c.drawDesign(ctx, &d); err != nil {
			return Result{}, err
		}
	} else {
		c.card.Background, c.card.Generated = c.Background, c.Background != nil
		if err := c.drawCards(ctx, &d); err != nil {
			return Result{}, err
		}
	}
	d.Alt = altText(d.Files[0].Title, d.Files[0].SiteName, Host(c.request.parsed.page))
	return d, nil
}

// drawCards draws the card in each size of the request, all in the same design.
func (c *Composition) drawCards(ctx context.Context, d *Result) error {
	if c.request.Style.Logo != nil && c.card.Logo == nil {
		d.Warnings = append(d.Warnings, render.Warning{
			Code: render.LogoMissing, Detail: "The logo could not be loaded, so the picture was drawn without it.",
		})
	}
	sized := c.card
	for i, size := range c.request.CardSizes() {
		sized.Kind, sized.Size = c.request.kindIn(sized.Template, size)
		p, err := render.Draw(ctx, sized)
		if err != nil {
			return err
		}
		d.Files = append(d.Files, File{c.request.fileName(i, p.Ext), p})
		d.Warnings = appendNew(d.Warnings, p.Warnings)
		if i == 0 && c.request.isAuto() {
			d.Page.Template, d.Page.TemplateReason = p.Template, reasonFor(p.Template)
			sized.Template, sized.Choice = p.Template, nil
		}
	}
	return nil
}

// takeIcons adds the drawn set. The colors it is drawn with are those in Page.
func (d *Result) takeIcons(set *icon.Set, unused []string) {
	d.Page.Palette.Accent, d.Page.Palette.Background = palette.Hex(set.ThemeColor), palette.Hex(set.BackgroundColor)
	d.Treatment, d.Page.FaviconSVG = set.Treatment, set.SVG
	for _, sentence := range slices.Concat(set.Warnings, unused) {
		d.Warnings = append(d.Warnings, render.Warning{Code: WarningIcon, Detail: sentence})
	}
	for _, a := range set.Assets {
		f := File{a.Name, pictureOf(a, d.Page.SiteName)}
		if a.Name == iconset.Icon512 { // it represents the others: it has the image's address
			d.Files = slices.Insert(d.Files, 0, f)
		} else {
			d.Files = append(d.Files, f)
		}
	}
}

func pictureOf(a icon.Asset, siteName string) render.Card {
	return render.Card{
		File:  encode.File{Bytes: a.PNG, ContentType: "image/png", Ext: ".png"},
		Width: a.Width, Height: a.Height, SiteName: siteName,
	}
}

// Picture is the picture of a card, or the icon that represents a set.
func (d *Result) Picture() render.Card { return d.Files[0].Card }

// MetaTags returns the elements for the head of a page whose picture is served at imageURL, one per line.
func (d *Result) MetaTags(imageURL string) string {
	p := d.Picture()
	return Head{
		URL: d.Request.URL, Page: d.Page, Alt: d.Alt, PictureURL: imageURL,
		ContentType: p.ContentType, Width: p.Width, Height: p.Height,
	}.MetaTags()
}

// Site is the content of an icon set's manifest.
func (d *Result) Site() iconset.Site { return SiteOf(d.Page, d.Request.parsed.page) }

// IconSet returns the six icons and the manifest, and with extras the files of [iconset.Files].
func (d *Result) IconSet(extras bool) ([]iconset.File, error) {
	icons := make([]iconset.File, len(d.Files))
	for i, f := range d.Files {
		icons[i] = iconset.File{Name: f.Name, Data: f.Bytes}
	}
	return iconset.Files(d.Site(), icons, extras)
}

// SiteOf returns the content of a site's icon set manifest, given the data from its page. A site that shows no color
// has no theme: one of ours would color the browsers of its visitors.
func SiteOf(p PageData, page weburl.URL) iconset.Site {
	site := iconset.Site{
		Name: p.SiteName, Host: Host(page), Theme: p.Palette.Accent, Background: p.Palette.Background,
		DarkTheme: p.Palette.DarkTheme, SVG: p.FaviconSVG,
	}
	if p.Palette.AccentSource == string(palette.FromHost) {
		site.Theme = ""
	}
	return site
}

// altText is the picture's alternative text.
func altText(title, siteName, host string) string {
	site := cmp.Or(siteName, host)
	switch {
	case title == "":
		return site
	case site == "" || strings.EqualFold(title, site):
		return title
	}
	return title + " — " + site
}

// fileName is the file name of the nth picture of a request; that of the first has no size.
func (r Request) fileName(n int, ext string) string {
	name := strings.ReplaceAll(string(r.Kind), "_", "-")
	if n > 0 {
		name += "-" + SizeName(r.CardSizes()[n])
	}
	return name + "." + strings.TrimPrefix(ext, ".")
}
