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
	// Data, if not nil, is the file itself, which is then not fetched.
	Data []byte
	// Width and Height are the box, in pixels, that the picture is scaled to fit; small ones are enlarged.
	Width, Height int
	// Essential stops everything else if the picture isn't available: see [Result.Fault].
	Essential bool
}

// Picture is a picture, decoded and scaled.
type Picture struct {
	Image *image.NRGBA
	// Facts describe the file.
	Facts picture.Facts
	// URL is the final address of the file after Redirects; zero if Data was given.
	URL       weburl.URL
	Redirects []fetch.Redirect
}

// PictureError means that the fetched file isn't a usable picture. It wraps an error of pkg/picture.
type PictureError struct{ Cause error }

// Error says what is wrong with the picture.
func (e *PictureError) Error() string { return "read the picture: " + e.Cause.Error() }

// Unwrap returns the error of pkg/picture.
func (e *PictureError) Unwrap() error { return e.Cause }

// picture fetches a picture unless its data was given, decodes and scales it.
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

// SharePicture is a share image of which only the colors are kept.
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

// maxShareImages is the maximum number of share images measured.
const maxShareImages = 2

// ShareImage is a share image of the page, measured but not decoded.
type ShareImage struct {
	// URL is the address that the page names, Final the one after redirects.
	URL, Final weburl.URL
	Status     int
	// ContentType is the value of the header, Size the number of bytes, or a lower bound if Truncated.
	ContentType string
	Size        int64
	Truncated   bool
	// Facts are read from the header of the file.
	Facts picture.Facts
	// Image has the scaled pixels if they were requested and the file could be decoded, otherwise nil.
	Image *image.NRGBA
	// File is the file of a raster that is decoded later: see [Need.ShownLater].
	File []byte
	// Ignored lists the parameters without effect in an address of GET /og of a Masthead service, from its
	// X-Masthead-Ignored header, or "".
	Ignored string
}

// ignoredNames is the format of X-Masthead-Ignored. Anything else comes from another service.
var ignoredNames = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(, [A-Za-z0-9_-]{1,64}){0,9}$`)

// ignoredIn returns the parameters that a response reports as ignored.
func ignoredIn(h http.Header) string {
	if names := h.Get("X-Masthead-Ignored"); ignoredNames.MatchString(names) {
		return names
	}
	return ""
}

// ShareImageURLs returns the addresses of the page's share images, in the order of [Result.ShareImages]: that of its
// preview, and that of X if it differs.
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
