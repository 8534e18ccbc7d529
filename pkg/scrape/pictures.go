package scrape

import (
	"context"
	"image"
	"slices"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
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
}

// PictureError says that what was fetched is no picture that can be used. It wraps an error of pkg/picture.
type PictureError struct{ Cause error }

// Error says what is wrong with the picture.
func (e *PictureError) Error() string { return "read the picture: " + e.Cause.Error() }

// Unwrap returns the error of pkg/picture.
func (e *PictureError) Unwrap() error { return e.Cause }

// picture fetches a picture, unless it is at hand, decodes and scales it.
func (sc *scraping) picture(ctx context.Context, wanted PictureNeed) (Picture, error) {
	file := wanted.Data
	if file == nil {
		response, err := sc.get(ctx, wanted.URL, fetch.Image)
		if err != nil {
			return Picture{}, err
		}
		file = response.Body
	}
	img, facts, err := sc.decoder.Decode(ctx, file, picture.Want{Side: min(wanted.Width, wanted.Height)})
	if err != nil {
		return Picture{}, &PictureError{err}
	}
	return Picture{Image: picture.Contain(img, wanted.Width, wanted.Height), Facts: facts}, nil
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
}

// shareImageURLs returns the pictures that the page is shared with: the one of its preview, and that of X where it is
// another.
func shareImageURLs(p *page.Page) []string {
	var addresses []string
	add := func(address string) {
		if address != "" && len(addresses) < maxShareImages && !slices.Contains(addresses, address) {
			addresses = append(addresses, address)
		}
	}
	add(p.Metadata.Image)
	ofX, _ := p.Resolve(p.Meta.Get("twitter:image"))
	add(ofX)
	return addresses
}

// shareImage measures a picture. Of one that is no picture, or that comes with an error status, the rest is known all
// the same.
func (sc *scraping) shareImage(ctx context.Context, address string) (ShareImage, error) {
	u, err := readLink(address)
	if err != nil {
		return ShareImage{}, err
	}
	measured := ShareImage{URL: u}
	response, err := sc.job.Get(ctx, u, fetch.AuditImage)
	if err != nil {
		return measured, err
	}
	measured.Final, measured.Status, measured.ContentType = response.URL, response.Status, response.ContentType
	measured.Size, measured.Truncated = response.Size, response.Truncated
	if err := response.Err(); err != nil {
		return measured, err
	}
	if measured.Facts, err = picture.Inspect(response.Body); err != nil {
		return measured, &PictureError{err}
	}
	return measured, nil
}
