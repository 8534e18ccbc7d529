package images

import (
	"context"

	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/render"
)

// Once draws the picture that r asks for and keeps nothing: no project, no key, no record. With a title of its own, r may do without
// an address. Errors are those of [Service.Generate].
func Once(ctx context.Context, client *fetch.Client, decoder *picture.Decoder, r Request) (render.Picture, PageData, error) {
	withoutPage := r.URL == "" && r.Content.Title != ""
	if withoutPage {
		r.URL = "http://localhost/" // stands in for an address; it is refused, and so is never fetched
	}
	r, err := r.normalise()
	if err != nil {
		return render.Picture{}, PageData{}, err
	}
	m, err := (&reader{fetch: client, decoder: decoder}).read(ctx, r)
	if err != nil {
		return render.Picture{}, PageData{}, err
	}
	if withoutPage {
		m.request.Host, m.request.Seed = "", r.Content.Title
	}
	drawn, err := render.Draw(ctx, m.request)
	return drawn, m.page, err
}
