package audit

import (
	"image"
	"slices"

	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/render/encode"
)

// PictureKind is the purpose of a page's picture.
type PictureKind string

// The kinds of pictures.
const (
	ShareImage PictureKind = "share"   // shown by link previews
	XImage     PictureKind = "x"       // shown by X if it differs
	Favicon    PictureKind = "favicon" // shown by tabs and chats next to the name
)

// Limits of the pictures in a report.
const (
	// shownSide is the maximum side of a share image, in pixels: a card on a high-density screen. faviconSide is that of
	// the favicon.
	shownSide   = 1200
	faviconSide = 128
	// maxShownBytes is the maximum total size of the pictures of one report, those aside that are drawn later.
	maxShownBytes = 2_000_000
	// maxSource is the maximum size of a share image that is drawn later, the most that is read of one; maxLater is that
	// of the drawn one.
	maxSource = 5 << 20
	maxLater  = 1_500_000
)

// PageImage describes a picture that the page names.
type PageImage struct {
	Kind PictureKind `json:"kind"`
	// URL is the address that the page names, FinalURL the one after redirects, or "" without a response.
	URL      string `json:"url"`
	FinalURL string `json:"finalUrl,omitempty"`
	// Reachable reports whether link previews can load it; Fault says why not, as part of a sentence.
	Reachable bool   `json:"reachable,omitempty"`
	Fault     string `json:"fault,omitempty"`
	// Status is that of the response; 0 without one.
	Status      int    `json:"status,omitempty"`
	ContentType string `json:"contentType,omitempty"` // from the header
	// Bytes is the length of the file, or a lower bound if AtLeast.
	Bytes   int64 `json:"bytes,omitempty"`
	AtLeast bool  `json:"atLeast,omitempty"`
	// Format is the actual format: png, jpeg, gif, webp, ico, svg, avif, heic, bmp or tiff; "" if it isn't a picture.
	// Width and Height are in pixels as displayed, 0 for an SVG without a size.
	Format   string `json:"format,omitempty"`
	Width    int    `json:"width,omitempty"`
	Height   int    `json:"height,omitempty"`
	Animated bool   `json:"animated,omitempty"`
	// Shown is the picture itself, re-encoded and no larger than necessary; nil if it wasn't requested, couldn't be
	// decoded, or isn't stored.
	Shown *Thumbnail `json:"shown,omitempty"`
}

// Thumbnail is a picture for display in a report: encoded by us from pixels, with nothing of the original file.
type Thumbnail struct {
	// Name is its name within the report: "share.jpg".
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	// Digest is that of the stored file; "" before it is stored.
	Digest string `json:"digest,omitempty"`
	// Later means that the stored file was the site's, from which this one is drawn at the first request.
	Later bool `json:"later,omitempty"`
	// Data is the file. It is nil in a report that was read from storage.
	Data []byte `json:"-"`
}

// picturesOf describes a site's pictures.
func picturesOf(site *scrape.Result) []PageImage {
	var pictures []PageImage
	kinds := kindsOf(site)
	for i := range site.ShareImages {
		pictures = append(pictures, pictureOf(kinds[i], scrape.ShareImageURLs(site.Page.Value.Page)[i], &site.ShareImages[i]))
	}
	if icon := site.Page.Value.Metadata.Favicon; icon != "" && site.Favicon.State != scrape.NotAsked {
		pictures = append(pictures, pictureOf(Favicon, icon, &site.Favicon))
	}
	return pictures
}

// kindsOf returns the kind of each share image of a site. If a page only names one for X, it is used everywhere.
func kindsOf(site *scrape.Result) []PictureKind {
	return []PictureKind{ShareImage, XImage}[:min(2, len(site.ShareImages))]
}

func pictureOf(kind PictureKind, address string, part *scrape.Part[scrape.ShareImage]) PageImage {
	v := &part.Value
	p := PageImage{
		Kind: kind, URL: address, Fault: rule.PictureFault(part), Status: v.Status,
		ContentType: cleantext.Clean(v.ContentType, maxTagKey), Bytes: v.Size, AtLeast: v.Truncated,
		Width: v.Facts.Width, Height: v.Facts.Height, Animated: v.Facts.Animated == picture.Yes,
	}
	if !v.Final.IsZero() {
		p.FinalURL = v.Final.String()
	}
	if v.Facts.Format != picture.Unknown {
		p.Format = v.Facts.Format.String()
	}
	if kind == Favicon && part.Got() && v.Status == 200 {
		p.Fault = "" // for an icon, an ICO is fine
	}
	p.Reachable = p.Fault == ""
	return p
}

// shows reports whether any platform shows one of a site's pictures.
func shows(site *scrape.Result) bool {
	all := platform.ShowAll(rule.Shared(site))
	for i, address := range scrape.ShareImageURLs(site.Page.Value.Page) {
		if site.ShareImages[i].Got() &&
			slices.ContainsFunc(all, func(s platform.Preview) bool { return s.Picture == address }) {
			return true
		}
	}
	return false
}

// show adds the re-encoded pictures to the report, within their total limit.
func (r *Report) show(site *scrape.Result) {
	left := maxShownBytes
	pixels := map[PictureKind]*image.NRGBA{Favicon: site.Favicon.Value.Image}
	limits := map[PictureKind]encode.Limits{Favicon: encode.OG}
	files := map[PictureKind]*scrape.ShareImage{}
	for i, kind := range kindsOf(site) {
		v := &site.ShareImages[i].Value
		pixels[kind], limits[kind] = v.Image, encode.OG
		if photographic(v, v.Size) {
			limits[kind] = asJPEG
		}
		if v.File != nil {
			files[kind] = v
		}
	}
	// The favicon is small and comes first; the share image comes before that of X.
	for _, kind := range [...]PictureKind{Favicon, ShareImage, XImage} {
		for i := range r.Pictures {
			p := &r.Pictures[i]
			switch {
			case p.Kind != kind:
				continue
			case pixels[kind] != nil:
				p.Shown = encoded(string(kind), pixels[kind], limits[kind], left)
			case files[kind] != nil:
				p.Shown = later(string(kind), files[kind])
			}
			if p.Shown != nil && !p.Shown.Later {
				left -= len(p.Shown.Data)
			}
		}
	}
}

// encoded returns a picture as a file of at most most bytes, reduced if necessary; nil if there is no room at all.
func encoded(name string, img *image.NRGBA, limits encode.Limits, most int) *Thumbnail {
	for range 4 {
		size := img.Bounds().Size()
		file, err := encode.Encode(img, limits)
		if err != nil {
			return nil
		}
		if len(file.Bytes) <= most {
			return &Thumbnail{
				Name: name + file.Ext, ContentType: file.ContentType, Width: size.X, Height: size.Y, Data: file.Bytes,
			}
		}
		img = picture.Scale(img, size.X/2, size.Y/2)
	}
	return nil
}
