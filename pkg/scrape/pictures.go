package scrape

import (
	"context"
	"image"
	"net/http"
	"regexp"
	"slices"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// PictureNeed is a picture that the caller names.
type PictureNeed struct {
	URL weburl.URL
	// Data, unless it is nil, is the file itself, which is not fetched then.
	Data []byte
	// Width and Height are those of the box, in pixels, that the picture is scaled to fit; a small one is enlarged.
	Width, Height int
	// Essential gives up everything else when the picture cannot be had: see [Site.Fault].
	Essential bool
}

// Picture is a picture, decoded and scaled.
type Picture struct {
	Image *image.NRGBA
	// Facts are those of the file.
	Facts picture.Facts
	// URL is where the file was in the end, after Redirects; zero for one that was at hand.
	URL       weburl.URL
	Redirects []fetch.Redirect
}

// PictureError says that what was fetched is no picture that can be used. It wraps an error of pkg/picture.
type PictureError struct{ Cause error }

// Error says what is wrong with the picture.
func (e *PictureError) Error() string { return "read the picture: " + e.Cause.Error() }

// Unwrap returns the error of pkg/picture.
func (e *PictureError) Unwrap() error { return e.Cause }

// picture fetches a picture, unless it is at hand, decodes and scales it.
func (sc *scraping) picture(ctx context.Context, wanted PictureNeed) (Picture, error) {
	file, found := wanted.Data, Picture{}
	if file == nil {
		response, err := sc.get(ctx, wanted.URL, fetch.Image)
		if err != nil {
			return Picture{}, err
		}
		file, found.URL, found.Redirects = response.Body, response.URL, response.Redirects
	}
	img, facts, err := sc.decode(ctx, file, picture.Want{Side: min(wanted.Width, wanted.Height)})
	if err != nil {
		return Picture{}, &PictureError{err}
	}
	found.Image, found.Facts = picture.Contain(img, wanted.Width, wanted.Height), facts
	return found, nil
}

// SharePicture is a picture that the page is shared with, of which only the colours are kept.
type SharePicture struct {
	URL   weburl.URL
	Facts picture.Facts

	clusters []palette.Cluster
}

// sharePicture fetches and decodes the picture of the page's preview.
func (sc *scraping) sharePicture(ctx context.Context) (SharePicture, error) {
	response, err := sc.getLinked(ctx, sc.site.Page.Value.Metadata.Image, fetch.Image)
	if err != nil {
		return SharePicture{}, err
	}
	shared := SharePicture{URL: response.URL}
	img, facts, err := sc.decoder.Decode(ctx, response.Body, picture.Want{Side: clusterSide})
	if err != nil {
		return shared, &PictureError{err}
	}
	shared.Facts, shared.clusters = facts, palette.Clusters(img)
	return shared, nil
}

// maxShareImages is how many share images are measured. Source: security requirements, "Outbound requests".
const maxShareImages = 2

// ShareImage is a picture that the page is shared with, measured and not decoded.
type ShareImage struct {
	// URL is the address that the page names, Final the one after redirects.
	URL, Final weburl.URL
	Status     int
	// ContentType is the value of the header, Size the number of bytes: when Truncated, at least so many.
	ContentType string
	Size        int64
	Truncated   bool
	// Facts are what the header of the file says.
	Facts picture.Facts
	// Image holds the pixels, scaled, when they were asked for and the file could be decoded; else nil.
	Image *image.NRGBA
	// Ignored names the parameters of the address that have no effect, where it is one of GET /og of a Masthead service:
	// its X-Masthead-Ignored. "" for none.
	Ignored string
}

// ignoredNames is the form of X-Masthead-Ignored. Anything else in it is another service's.
var ignoredNames = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(, [A-Za-z0-9_-]{1,64}){0,9}$`)

// ignoredIn returns the parameters that a response says were ignored.
func ignoredIn(h http.Header) string {
	if names := h.Get("X-Masthead-Ignored"); ignoredNames.MatchString(names) {
		return names
	}
	return ""
}

// ShareImageURLs returns the addresses of the pictures that the page is shared with, in the order of
// [Site.ShareImages]: the one of its preview, and that of X where it is another.
func ShareImageURLs(p *page.Page) []string {
	var addresses []string
	add := func(address string) {
		if address != "" && len(addresses) < maxShareImages && !slices.Contains(addresses, address) {
			addresses = append(addresses, address)
		}
	}
	add(p.Metadata.Image)
	_, ofX, _ := p.ImageOfX()
	add(ofX)
	return addresses
}
