package images

import (
	"context"

	"masthead/pkg/card"
	"masthead/pkg/fetch"
	"masthead/pkg/iconset"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/render"
)

// Drawn is a picture that is kept nowhere.
type Drawn struct {
	render.Picture
	// Request is what was asked for, in its one spelling. It has no URL when there was no page.
	Request card.Request
	// Page is what was taken from the page, and Alt the sentence that stands for the picture.
	Page card.PageData
	Alt  string
}

// MetaTags returns the elements for the head of a page whose picture is served at imageURL, one a line.
func (d Drawn) MetaTags(imageURL string) string {
	return card.Head{
		URL: d.Request.URL, Page: d.Page, Alt: d.Alt, PictureURL: imageURL,
		ContentType: d.ContentType, Width: d.Width, Height: d.Height,
	}.MetaTags()
}

// DrawnIcons is an icon set that is kept nowhere.
type DrawnIcons struct {
	// Request is what was asked for, in its one spelling, and Page what was taken from the page.
	Request card.Request
	Page    card.PageData
	// Site is what the manifest tells, and Treatment what became of the site's icons: see [icon.Treatment].
	Site      iconset.Site
	Treatment string
	// Warnings are sentences about icons that could not be used.
	Warnings []string

	icons []iconset.File
}

// Files returns the six icons and the manifest, and with extras what goes with them: see [iconset.Files].
func (d *DrawnIcons) Files(extras bool) ([]iconset.File, error) {
	return iconset.Files(d.Site, d.icons, extras)
}

// OnceIcons draws the icon set that r asks for and keeps nothing, as [Once] draws a card.
func OnceIcons(
	ctx context.Context, client *fetch.Client, decoder *picture.Decoder, r card.Request, own card.Own,
) (DrawnIcons, error) {
	s := &Service{scraper: scrape.New(client, decoder), workers: newPool(1)}
	r.Kind, r.Own = card.IconSet, own
	j := &job{request: r}
	err := stages{
		{name: "normalise", run: s.normalise}, {name: "read", run: s.read, bound: readBound},
		{name: "draw", run: s.draw, bound: drawBound},
	}.run(ctx, j)
	if err != nil {
		return DrawnIcons{}, err
	}
	drawn := DrawnIcons{
		Request: j.request, Page: j.page, Treatment: string(j.treatment), Warnings: j.warnings,
		Site: card.SiteOf(j.page, j.request.Page()),
	}
	for _, d := range j.drawn {
		drawn.icons = append(drawn.icons, iconset.File{Name: d.name, Data: d.Bytes})
	}
	return drawn, nil
}

// Once draws the picture that r asks for and keeps nothing: no project, no key, no record. With a title of its own, r
// may do without an address. Errors are those of [Service.Generate].
func Once(
	ctx context.Context, client *fetch.Client, decoder *picture.Decoder, r card.Request, own card.Own,
) (Drawn, error) {
	s := &Service{scraper: scrape.New(client, decoder), workers: newPool(1)}
	r.Own = own
	r.Own.NoPage = r.URL == "" && r.Content.Title != ""
	j := &job{request: r}
	err := stages{
		{name: "normalise", run: s.normalise},
		{name: "read", run: s.read, bound: readBound},
		{name: "background", run: s.background, only: asksForAI},
		{name: "draw", run: s.draw, bound: drawBound},
	}.run(ctx, j)
	if err != nil {
		return Drawn{}, err
	}
	drawn := j.drawn[0].Picture
	drawn.Warnings = j.lacking()
	alt := card.AltText(drawn.Title, drawn.SiteName, j.toDraw.Host)
	return Drawn{Picture: drawn, Request: j.request, Page: j.page, Alt: alt}, nil
}
