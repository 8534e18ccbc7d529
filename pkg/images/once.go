package images

import (
	"context"

	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/render"
)

// Own is what the caller of [Once] decides besides the request: the form of the picture, and files in place of the
// addresses of a logo and an icon. A logo still takes its position from the request.
type Own struct {
	Format     render.Format
	Logo, Icon []byte
}

// Drawn is a picture that is kept nowhere.
type Drawn struct {
	render.Picture
	// Request is what was asked for, in its one spelling. It has no URL when there was no page.
	Request Request
	// Page is what was taken from the page, and Alt the sentence that stands for the picture.
	Page PageData
	Alt  string
}

// MetaTags returns the elements for the head of a page whose picture is served at imageURL, one a line.
func (d Drawn) MetaTags(imageURL string) string {
	return head{
		url: d.Request.URL, page: d.Page, alt: d.Alt, pictureURL: imageURL,
		picture: File{ContentType: d.ContentType, Width: d.Width, Height: d.Height},
	}.metaTags()
}

// Once draws the picture that r asks for and keeps nothing: no project, no key, no record. With a title of its own, r
// may do without an address. Errors are those of [Service.Generate].
func Once(ctx context.Context, client *fetch.Client, decoder *picture.Decoder, r Request, own Own) (Drawn, error) {
	s := &Service{scraper: scrape.New(client, decoder), workers: newPool(1), fetches: newPool(1)}
	r.own, r.noPage = own, r.URL == "" && r.Content.Title != ""
	j := &job{request: r}
	err := stages{
		{name: "normalise", run: s.normalise},
		{name: "read", run: s.read, bound: readTime},
		{name: "background", run: s.background},
		{name: "draw", run: s.draw, bound: drawTime},
	}.run(ctx, j)
	if err != nil {
		return Drawn{}, err
	}
	drawn := j.drawn[0].Picture
	alt := altText(drawn.Title, drawn.SiteName, j.toDraw.Host)
	return Drawn{Picture: drawn, Request: j.request, Page: j.page, Alt: alt}, nil
}
