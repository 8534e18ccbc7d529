package scrape

import (
	"context"
	"errors"
	"image"
	"sync"

	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
)

// This file measures the pictures that a page names: its share images and its favicon. Each address is requested once,
// even if it is named for several purposes. Only the header of a picture is read, unless something shows it.

// readings are the measured pictures by address. It is safe for concurrent use.
type readings struct {
	mu sync.Mutex
	of map[weburl.URL]*reading
}

// reading is the single request for a picture.
type reading struct {
	once     sync.Once
	response *fetch.Response
	err      error
}

func (r *readings) at(u weburl.URL) *reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[weburl.URL]*reading{}
	}
	if r.of[u] == nil {
		r.of[u] = &reading{}
	}
	return r.of[u]
}

// shareImage measures a share image of the page.
func (sc *scraping) shareImage(ctx context.Context, address string) (ShareImage, error) {
	return sc.measure(ctx, address, sc.need.ShownSide, false)
}

// measure reads the header of a picture. For a response that isn't a picture or has an error status, the other fields
// are still set. With a side the picture is also decoded, if it was read completely and can be decoded.
func (sc *scraping) measure(ctx context.Context, address string, side int, icon bool) (measured ShareImage, err error) {
	u, err := readLink(address)
	if err != nil {
		return ShareImage{}, err
	}
	measured = ShareImage{URL: u}
	defer func() {
		sc.tell(Step{
			Kind: PictureMeasured, URL: u, Icon: icon, Status: measured.Status, Size: measured.Size,
			AtLeast: measured.Truncated, Facts: measured.Facts, Err: err,
		})
	}()
	response, err := sc.readPicture(ctx, u)
	if err != nil {
		return measured, err
	}
	measured.Final, measured.Status, measured.ContentType = response.URL, response.Status, response.ContentType
	measured.Ignored = ignoredIn(response.Header)
	measured.Size, measured.Truncated = response.Size, response.Truncated && !response.Sized
	if err := response.Err(); err != nil {
		return measured, err
	}
	if measured.Facts, err = picture.Inspect(response.Body); err != nil {
		return measured, &PictureError{err}
	}
	switch {
	case side == 0 || response.Truncated:
	case !icon && len(response.Body) <= sc.need.ShownLater && raster(measured.Facts.Format):
		measured.File = response.Body
	default:
		measured.Image, _ = sc.Shown(ctx, response.Body, side) // the header is known, and pixels are only for display
	}
	return measured, nil
}

// readPicture requests a picture, once for all its purposes.
func (sc *scraping) readPicture(ctx context.Context, u weburl.URL) (*fetch.Response, error) {
	r := sc.readings.at(u)
	r.once.Do(func() {
		resource, enough := sc.howToRead(u)
		r.response, r.err = sc.job.GetUntil(ctx, u, resource, enough)
	})
	return r.response, r.err
}

// howToRead returns the resource type of a picture, and a function that reports when its beginning is enough; nil means
// that it is read completely.
func (sc *scraping) howToRead(u weburl.URL) (fetch.Resource, func(beginning []byte) bool) {
	shared := Result{URL: sc.site.URL, Page: sc.site.Page}
	isShared := false
	for i, address := range sc.shareAddresses() {
		shared.ShareImages = append(shared.ShareImages, Part[ShareImage]{})
		if at, err := readLink(address); err == nil && at == u {
			shared.ShareImages[i], isShared = Part[ShareImage]{State: Got, Value: ShareImage{URL: u, Status: 200}}, true
		}
	}
	resource := fetch.Icon
	switch {
	case isShared && sc.need.ShownSide > 0:
		resource = fetch.ShownImage
	case isShared:
		resource = fetch.AuditImage
	}
	if sc.need.Favicon && sc.need.FaviconSide > 0 {
		if icon, err := readLink(sc.site.Page.Value.Metadata.Favicon); err == nil && icon == u {
			return resource, nil
		}
	}
	return resource, untilKnown(func(facts picture.Facts) bool {
		if resource != fetch.ShownImage || !facts.Decodable() {
			return false
		}
		for i := range shared.ShareImages {
			shared.ShareImages[i].Value.Facts = facts
		}
		return sc.need.Shows == nil || sc.need.Shows(&shared)
	})
}

// shareAddresses returns the pictures that are measured as share images.
func (sc *scraping) shareAddresses() []string {
	if !sc.need.ShareImages {
		return nil
	}
	return ShareImageURLs(sc.site.Page.Value.Page)
}

// untilKnown returns a function that reports whether the rest of a picture can be skipped: the header is known and
// nothing shows the picture, or it isn't a picture. shown is called once.
func untilKnown(shown func(picture.Facts) bool) func(beginning []byte) bool {
	var decided, stop bool
	return func(beginning []byte) bool {
		if decided {
			return stop
		}
		facts, err := picture.Inspect(beginning)
		frames := facts.Animated == picture.Unsure && facts.Format != picture.SVG && facts.Decodable()
		if (errors.Is(err, picture.ErrCorrupt) || frames) && len(beginning) < lastLook {
			return false // more bytes may tell
		}
		decided, stop = true, err != nil || !shown(facts)
		return stop
	}
}

// lastLook is how many bytes [picture.Inspect] reads at most.
const lastLook = 256 << 10

// raster reports whether files of a format are pictures of one size, in pixels.
func raster(f picture.Format) bool {
	return f == picture.PNG || f == picture.JPEG || f == picture.GIF || f == picture.WebP
}

// Shown decodes a file and scales it down to fit a square of side pixels. Errors are those of [picture.Decoder.Decode].
func (s *Scraper) Shown(ctx context.Context, file []byte, side int) (*image.NRGBA, error) {
	img, _, err := s.decoder.Decode(ctx, file, picture.Want{Side: side})
	if err != nil {
		return nil, err
	}
	if img.Rect.Dx() <= side && img.Rect.Dy() <= side {
		return img, nil
	}
	return picture.Contain(img, side, side), nil
}
