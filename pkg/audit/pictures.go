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

// PictureKind is what a page has a picture for.
type PictureKind string

// The kinds of pictures.
const (
	ShareImage PictureKind = "share"   // what link previews show
	XImage     PictureKind = "x"       // what X shows, where that is another one
	Favicon    PictureKind = "favicon" // what tabs and chats show beside the name
)

// Bounds of the pictures that a report shows.
const (
	// shownSide is the greatest side of a share image, in pixels: the card of a dense screen. faviconSide is that of the
	// favicon.
	shownSide   = 1200
	faviconSide = 128
	// maxShownBytes is what the pictures of one report take together. Source: the retention of audits.
	maxShownBytes = 2_000_000
)

// Picture tells of a picture that the page names.
type Picture struct {
	Kind PictureKind `json:"kind"`
	// URL is the address that the page names, FinalURL the one after redirects; "" when nothing came.
	URL      string `json:"url"`
	FinalURL string `json:"finalUrl,omitempty"`
	// Reachable says that link previews can load it; Fault says why not, as a part of a sentence.
	Reachable bool   `json:"reachable,omitempty"`
	Fault     string `json:"fault,omitempty"`
	// Status is that of the response, 0 for none.
	Status      int    `json:"status,omitempty"`
	ContentType string `json:"contentType,omitempty"` // as the header says
	// Bytes is the length of the file; when AtLeast, it has so many or more.
	Bytes   int64 `json:"bytes,omitempty"`
	AtLeast bool  `json:"atLeast,omitempty"`
	// Format is what the bytes are: png, jpeg, gif, webp, ico, svg, avif, heic, bmp or tiff; "" for no picture. Width and
	// Height are in pixels as it is displayed, 0 for an SVG without a size.
	Format   string `json:"format,omitempty"`
	Width    int    `json:"width,omitempty"`
	Height   int    `json:"height,omitempty"`
	Animated bool   `json:"animated,omitempty"`
	// Shown is the picture itself, encoded anew and no larger than it has to be; nil when it was not asked for, could not
	// be decoded, or is not kept.
	Shown *Shown `json:"shown,omitempty"`
}

// Shown is a picture as a report shows it: made of pixels by us, with nothing of the original file.
type Shown struct {
	// Name is what it is called among the report's pictures: "share.jpg".
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	// Digest is that of the stored file; "" before it is stored.
	Digest string `json:"digest,omitempty"`
	// Data is the file. It is nil in a report that was read back.
	Data []byte `json:"-"`
}

// picturesOf returns what is known of a site's pictures.
func picturesOf(site *scrape.Site) []Picture {
	var pictures []Picture
	kinds := kindsOf(site)
	for i := range site.ShareImages {
		pictures = append(pictures, pictureOf(kinds[i], scrape.ShareImageURLs(site.Page.Value.Page)[i], &site.ShareImages[i]))
	}
	if icon := site.Page.Value.Metadata.Favicon; icon != "" && site.Favicon.State != scrape.NotAsked {
		pictures = append(pictures, pictureOf(Favicon, icon, &site.Favicon))
	}
	return pictures
}

// kindsOf returns what each share image of a site is. A page that names one for X alone shows it everywhere.
func kindsOf(site *scrape.Site) []PictureKind {
	return []PictureKind{ShareImage, XImage}[:min(2, len(site.ShareImages))]
}

func pictureOf(kind PictureKind, address string, part *scrape.Part[scrape.ShareImage]) Picture {
	v := &part.Value
	p := Picture{
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
		p.Fault = "" // of an icon, an ICO is as good as any
	}
	p.Reachable = p.Fault == ""
	return p
}

// shows reports whether any platform shows a picture that a site has.
func shows(site *scrape.Site) bool {
	all := platform.ShowAll(rule.Shared(site))
	for i, address := range scrape.ShareImageURLs(site.Page.Value.Page) {
		if site.ShareImages[i].Got() &&
			slices.ContainsFunc(all, func(s platform.Shown) bool { return s.Picture == address }) {
			return true
		}
	}
	return false
}

// show gives the report its pictures, encoded anew, within what they may take together.
func (r *Report) show(site *scrape.Site) {
	left := maxShownBytes
	pixels := map[PictureKind]*image.NRGBA{Favicon: site.Favicon.Value.Image}
	for i, kind := range kindsOf(site) {
		pixels[kind] = site.ShareImages[i].Value.Image
	}
	// The favicon is small and first; the share image comes before that of X.
	for _, kind := range [...]PictureKind{Favicon, ShareImage, XImage} {
		for i := range r.Pictures {
			if p := &r.Pictures[i]; p.Kind == kind && pixels[kind] != nil {
				if p.Shown = encoded(string(kind), pixels[kind], left); p.Shown != nil {
					left -= len(p.Shown.Data)
				}
			}
		}
	}
}

// encoded returns a picture as a file of at most so many bytes, smaller where it takes too many; nil when there is no
// room for it at all.
func encoded(name string, img *image.NRGBA, most int) *Shown {
	for range 4 {
		size := img.Bounds().Size()
		file, err := encode.Encode(img, encode.OG)
		if err != nil {
			return nil
		}
		if len(file.Bytes) <= most {
			return &Shown{
				Name: name + file.Ext, ContentType: file.ContentType, Width: size.X, Height: size.Y, Data: file.Bytes,
			}
		}
		img = picture.Scale(img, size.X/2, size.Y/2)
	}
	return nil
}
