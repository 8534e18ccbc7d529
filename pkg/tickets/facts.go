package tickets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// Facts are what is known of a page, without its pictures. They are stored as JSON of at most [maxFacts].
type Facts struct {
	// Fault says why there is no page, for a ticket that failed.
	Fault Fault `json:"fault"`
	// Took is how long reading took.
	Took time.Duration `json:"took"`
	// Address is the final address of the page, Status that of its response.
	Address  string        `json:"address"`
	Status   int           `json:"status"`
	Lang     string        `json:"lang"`
	Dir      string        `json:"dir"`
	Texts    scrape.Texts  `json:"texts"`
	Details  page.Details  `json:"details"`
	Favicon  string        `json:"favicon"`
	Meta     []page.Pair   `json:"meta"`
	Colors   []colorFact   `json:"colors"`
	Shared   platform.Page `json:"shared"`
	SVGLacks bool          `json:"svgLacks"`
	Broken   bool          `json:"broken"`
	// Icons are the sources of the icon set, Logo is the address of the page's logo, or "".
	Icons []IconFact `json:"icons"`
	Logo  string     `json:"logo"`
	// Unused are icons that the page names but that couldn't be used.
	Unused []string `json:"unused"`
	// Sources are the icons that were found, and what became of them.
	Sources []SourceFact `json:"sources"`
}

// SourceFact is an icon: its address as the page names it, the relation of its link, its size in pixels and format, 0
// and "" if they aren't known, and why it couldn't be used, or "".
type SourceFact struct {
	Link   string `json:"link"`
	Rel    string `json:"rel"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Format string `json:"format"`
	Fault  string `json:"fault"`
}

// Fault is why a page wasn't read: a headline, a sentence, and the code that determines the status.
type Fault struct {
	Headline string      `json:"headline"`
	Detail   string      `json:"detail"`
	Code     apperr.Code `json:"code"`
}

// IconFact is a source of the icon set: its picture's name, the address that the page names, and whether it was an SVG.
type IconFact struct {
	Name   string `json:"name"`
	Link   string `json:"link"`
	Vector bool   `json:"vector"`
}

// colorFact is a [scrape.Color].
type colorFact struct {
	Hex    string            `json:"hex"`
	Source palette.Source    `json:"source"`
	Name   string            `json:"name"`
	For    scrape.Appearance `json:"for"`
	Weight float64           `json:"weight"`
}

// Limits of the parts that pages make long, so that the facts stay below maxFacts.
const (
	maxColors = 64
	maxUnused = 8
	maxLink   = 300
	maxShared = 600 // of each tag
	maxMeta   = 200
	maxURL    = 2048
)

// kept are the meta elements that cards use.
var keptMeta = []string{"og:type", "og:locale"}

// factsOf returns the facts of a site whose page was read.
func factsOf(site *scrape.Result) Facts {
	p := &site.Page.Value
	f := Facts{
		Address: p.URL.String(), Status: p.Status, Lang: bounded(p.Lang, maxMeta), Dir: p.Dir, Texts: p.Texts,
		Details: p.Details, Favicon: bounded(p.Metadata.Favicon, maxURL), SVGLacks: site.SVGMissed, Broken: p.Broken,
		Shared: rule.Shared(site),
	}
	// Their addresses aren't needed any more: the pictures are kept.
	f.Details.HeroImage, f.Details.AuthorImage = "", ""
	for _, key := range keptMeta {
		if value := p.Meta.Get(key); value != "" {
			f.Meta = append(f.Meta, page.Pair{Key: key, Value: bounded(value, maxMeta)})
		}
	}
	for _, c := range site.Colors.Value[:min(len(site.Colors.Value), maxColors)] {
		f.Colors = append(f.Colors, colorFact{palette.Hex(c.Value), c.Source, bounded(c.Name, maxMeta), c.For, c.Weight})
	}
	f.Shared.Pictures, f.Shared.URL = nil, bounded(f.Shared.URL, maxURL) // the pictures shown are proofs
	f.Shared.Tags = slices.Clone(f.Shared.Tags)
	for i := range f.Shared.Tags {
		f.Shared.Tags[i].Value = cleantext.Clean(f.Shared.Tags[i].Value, maxShared)
	}
	for i := range site.Icons {
		part := &site.Icons[i]
		if part.Err != nil && part.Value.Named() && len(f.Unused) < maxUnused {
			f.Unused = append(f.Unused, bounded(part.Value.Link.URL, maxLink))
		}
		if (part.Got() || part.Err != nil && part.Value.Named()) && len(f.Sources) < maxUnused {
			f.Sources = append(f.Sources, sourceOf(part))
		}
	}
	return f
}

// sourceOf returns what is kept of an icon.
func sourceOf(part *scrape.Part[scrape.IconFile]) SourceFact {
	file := &part.Value
	s := SourceFact{
		Link: bounded(file.Link.URL, maxLink), Rel: bounded(file.Link.Rel, maxMeta), Width: file.Facts.Width,
		Height: file.Facts.Height,
	}
	if file.Facts.Format != picture.Unknown {
		s.Format = file.Facts.Format.String()
	}
	var status fetch.StatusError
	var known *apperr.Error
	switch {
	case errors.As(part.Err, &status):
		s.Fault = strings.TrimSpace(strconv.Itoa(int(status)) + " " + http.StatusText(int(status)))
	case errors.As(part.Err, &known):
		s.Fault = cleantext.Clean(known.Detail, maxFault)
	case part.Err != nil:
		s.Fault = "It can’t be read"
	case !file.Useful():
		s.Fault = "It can’t be used"
	}
	return s
}

// maxFault is the maximum length of a reason, in characters.
const maxFault = 120

// encode returns the facts as JSON. The error of those that exceed maxFacts is [apperr.UpstreamFailed].
func (f *Facts) encode() (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // this isn't for HTML, and each of its marks would take six bytes
	if err := encoder.Encode(f); err != nil {
		return "", fmt.Errorf("encode the facts of a page: %w", err)
	}
	if text.Len() > maxFacts {
		return "", apperr.New(apperr.UpstreamFailed, "The page says more about itself than can be kept here.")
	}
	return text.String(), nil
}

// restore fills in the site as it was read, from the facts and the pictures.
func (t *Ticket) restore(files map[string][]byte) error {
	f := &t.Facts
	t.site = scrape.Result{URL: t.Page, SVGMissed: f.SVGLacks}
	if err := t.restoreUpload(files); err != nil {
		return err
	}
	if t.State != Ready {
		return nil
	}
	final, err := weburl.Parse(f.Address)
	if err != nil {
		return err
	}
	t.site.Page = scrape.Part[scrape.Document]{State: scrape.Got, Value: scrape.Document{
		Page: &page.Page{
			URL: final.URL(), Base: final.URL(), Lang: f.Lang, Dir: f.Dir, Details: f.Details, Meta: f.Meta,
			Metadata: page.Metadata{Favicon: f.Favicon, Title: f.Texts.Title},
		},
		URL: final, Status: f.Status, Broken: f.Broken, Texts: f.Texts,
	}}
	for _, c := range f.Colors {
		value, err := palette.ParseHex(c.Hex)
		if err != nil {
			return err
		}
		t.site.Colors.Value = append(t.site.Colors.Value,
			scrape.Color{Value: value, Source: c.Source, Name: c.Name, For: c.For, Weight: c.Weight})
	}
	t.site.Colors.State = scrape.Got
	pictures := map[string]*image.NRGBA{}
	for name, file := range files {
		if name == uploadName {
			continue
		}
		if pictures[name], err = decode(file); err != nil {
			return fmt.Errorf("picture %s: %w", name, err)
		}
	}
	if img := pictures[iconName]; img != nil {
		t.site.Icon = scrape.Part[scrape.Icon]{State: scrape.Got, Value: scrape.Icon{Image: img}}
	}
	shown := func(name string) (part scrape.Part[scrape.Picture]) {
		if img := pictures[name]; img != nil {
			part.State, part.Value.Image = scrape.Got, img
		}
		return part
	}
	t.site.Photo, t.site.Portrait = shown(photoName), shown(portraitName)
	if logo := shown(logoName); logo.Got() {
		t.logo = &logo.Value
	}
	for _, icon := range f.Icons {
		if img := pictures[icon.Name]; img != nil {
			file := scrape.IconFile{Link: page.Icon{URL: icon.Link}, Image: img}
			if icon.Vector {
				file.Draw = scaledTo(img)
			}
			t.site.Icons = append(t.site.Icons, scrape.Part[scrape.IconFile]{State: scrape.Got, Value: file})
		}
	}
	return nil
}

// decode decodes a picture that encodePicture wrote.
func decode(file []byte) (*image.NRGBA, error) {
	var img image.Image
	var err error
	if bytes.HasPrefix(file, []byte{0xff, 0xd8}) {
		img, err = jpeg.Decode(bytes.NewReader(file))
	} else {
		img, err = png.Decode(bytes.NewReader(file))
	}
	if err != nil {
		return nil, err
	}
	if as, ok := img.(*image.NRGBA); ok {
		return as, nil
	}
	out := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}

// bytes is about how much memory a ticket takes.
func (t *Ticket) bytes() int {
	n := maxFacts / 4
	add := func(img *image.NRGBA) {
		if img != nil {
			n += len(img.Pix)
		}
	}
	add(t.site.Icon.Value.Image)
	add(t.site.Photo.Value.Image)
	add(t.site.Portrait.Value.Image)
	for i := range t.site.Icons {
		add(t.site.Icons[i].Value.Image)
	}
	if t.logo != nil {
		add(t.logo.Image)
	}
	if t.upload != nil {
		n += len(t.upload.file)
		add(t.upload.image)
	}
	return n
}

// HasLogo reports whether there is a picture that can stand in a corner: the visitor's, the page's logo or its icon.
func (t *Ticket) HasLogo(c Choices) bool { return t.uploaded(c) || t.logo != nil || t.site.Icon.Got() }

// Accents are the colors of the page from which an accent is chosen, the best first, each with its source. first is the
// one that a card gets without a choice; its source is [palette.NoSource] if nothing was found.
func (t *Ticket) Accents(dark bool) (first palette.Choice, all []palette.RankedColor) {
	found := scrape.Candidates(t.site.Colors.Value, dark)
	return palette.Choose(found, dark), palette.Rank(found)
}

// bounded cuts a text to at most n characters.
func bounded(text string, n int) string { return cleantext.Clean(text, n) }
