package scrape

import (
	"context"
	"net/url"
	"regexp"

	"masthead/pkg/fetch"
	"masthead/pkg/picture"
)

// Minimum sizes of pictures for cards.
const (
	minPhotoWidth, minPhotoHeight = 600, 315
	minPortraitSide               = 120
)

// photo fetches and decodes the page's own picture. Cards of this service and pictures that are too small don't count.
func (sc *scraping) photo(ctx context.Context) (Picture, error) {
	return sc.shown(ctx, sc.site.Page.Value.Details.HeroImage, sc.need.PhotoSide, minPhotoWidth, minPhotoHeight)
}

// portrait fetches and decodes the picture of the page's author.
func (sc *scraping) portrait(ctx context.Context) (Picture, error) {
	address := sc.site.Page.Value.Details.AuthorImage
	return sc.shown(ctx, address, sc.need.PortraitSide, minPortraitSide, minPortraitSide)
}

// shown fetches a picture that the page names and scales it to fit a square.
func (sc *scraping) shown(ctx context.Context, address string, side, minWidth, minHeight int) (Picture, error) {
	if address == "" || generated(address) {
		return Picture{}, errAbsent
	}
	response, err := sc.getLinked(ctx, address, fetch.Image)
	if err != nil {
		return Picture{}, err
	}
	img, facts, err := sc.decode(ctx, response.Body, picture.Want{Side: side})
	if err != nil {
		return Picture{}, &PictureError{err}
	}
	if facts.Width < minWidth || facts.Height < minHeight {
		return Picture{}, errAbsent
	}
	if img.Rect.Dx() > side || img.Rect.Dy() > side {
		img = picture.Contain(img, side, side)
	}
	return Picture{Image: img, Facts: facts, URL: response.URL, Redirects: response.Redirects}, nil
}

// generatedPath matches the path of this service's cards, on any host.
var generatedPath = regexp.MustCompile(
	`^(/api)?/(og/[0-9A-Za-z]{12}([0-9A-Za-z]{10})?|cdn/[0-9a-f]{64}/[a-z-]+\.(png|jpg))$`)

// generated reports whether an address is that of a card made by this service: on another card it would repeat the same
// text.
func generated(address string) bool {
	u, err := url.Parse(address)
	return err == nil && generatedPath.MatchString(u.Path)
}
