package scrape

import (
	"context"
	"errors"
	"image"
	"net/url"
	"regexp"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
)

// Minimum sizes of pictures for cards.
const (
	minPhotoWidth, minPhotoHeight = 600, 315
	minThingLength, minThingWidth = 240, 120 // of a picture of what is for sale, of a dish or of a work
	minPortraitSide               = 120
)

// maxPhotoTries is the maximum number of pictures that are fetched to find the page's own: those of one fetching job.
const maxPhotoTries = 2

// photoInTime fills in the page's own picture, unless that takes too long.
func (sc *scraping) photoInTime(ctx context.Context) {
	site, bounded, cancel := sc.site, ctx, func() {}
	if sc.need.PhotoTime > 0 {
		bounded, cancel = context.WithTimeout(ctx, sc.need.PhotoTime)
	}
	defer cancel()
	site.Photo = settle(func() (Picture, error) { return sc.photo(bounded) })
	if !site.Photo.Got() && bounded.Err() != nil && ctx.Err() == nil {
		site.Photo, site.PhotoLate = Part[Picture]{State: Absent}, true
	}
}

// photo fetches and decodes the page's own picture: the first that is one. Cards, of this service or another one, and
// pictures that are too small don't count, so a site whose share images are cards gets the picture that it has besides.
// Of a page about a thing, a small picture counts if there is no large one: it is shown small.
func (sc *scraping) photo(ctx context.Context) (Picture, error) {
	result, tries, small := errAbsent, 0, Picture{}
	least := image.Pt(minPhotoWidth, minPhotoHeight)
	if sc.site.Page.Value.Details.Kind.IsThing() {
		least = image.Pt(minThingWidth, minThingWidth)
	}
	for _, address := range sc.site.Page.Value.Details.Pictures {
		if generated(address) || ofCardService(address) {
			continue
		}
		if tries++; tries > maxPhotoTries || ctx.Err() != nil {
			break
		}
		found, err := sc.shown(ctx, address, sc.need.PhotoSide, least.X, least.Y)
		switch {
		case err == nil && (found.Facts.Width < minPhotoWidth || found.Facts.Height < minPhotoHeight):
			if small.Image == nil && max(found.Facts.Width, found.Facts.Height) >= minThingLength {
				small = found
			}
		case err == nil || apperr.CodeOf(err) == apperr.Unavailable && small.Image == nil:
			return found, err
		case errors.Is(result, errAbsent):
			result = err
		}
	}
	if small.Image != nil {
		return small, nil
	}
	return Picture{}, result
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

// cardServices are hosts and paths of services that draw cards with a page's title: beside the title they would repeat
// it.
var cardServices = regexp.MustCompile(`^(opengraph\.githubassets\.com|repository-images\.githubusercontent\.com|` +
	`og-image\.vercel\.app|og\.tailgraph\.com|ogcdn\.net|cdn\.bannerbear\.com|image\.thum\.io|api\.placid\.app|` +
	`dynamic-og-image-generator\.vercel\.app)/|^res\.cloudinary\.com/.*/l_text:|/api/og([/?]|$)|` +
	`/opengraph-image([-.?/]|$)`)

// ofCardService reports whether an address is that of a card that another service draws.
func ofCardService(address string) bool {
	u, err := url.Parse(address)
	return err == nil && cardServices.MatchString(u.Host+u.Path)
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
