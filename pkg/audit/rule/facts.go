package rule

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

// Limits of the platforms that facts and several rules need; those of single rules are in package checks. Each line
// ends with its source; sources.go describes the sources.
const (
	BestWidth    = 1200    // FB
	BestHeight   = 630     // FB
	WideRatio    = 1.5     // a wider picture loses too much on a square card
	SiteNameMost = 60      // IND, in columns
	TextLeast    = 200     // IND: minimum number of characters without scripts
	HeaderRead   = 300_000 // WA: how many bytes of the HTML are read for tags
)

// Facts are the inputs of rules. What several rules use has its own field, so that it can be changed to compute the
// effect of fixing one rule on the others.
type Facts struct {
	// Site, Document and Page are what was read, and Now is the time when it was.
	Site     *scrape.Result
	Document *scrape.Document
	Page     *page.Page
	Now      time.Time
	// Quiet means that nobody reads the messages, as when the page is judged again to compute a gain.
	Quiet bool
	memo  *memo

	// Final is the address of the page after redirects.
	Final string
	// Loopback means that the page is on localhost; PublicOrigin is then its future address.
	Loopback     bool
	PublicOrigin string

	// The values of tags, each "" if it is missing, and what else of the page several rules read.
	OGTitle, OGDescription, OGURL, OGType string
	HasOG                                 bool // there is an Open Graph tag
	TwitterTitle, TwitterDescription      string
	Card                                  string // as declared, in lower case
	Titles, Descriptions                  []string
	Lang                                  string
	Canonicals                            []scrape.Canonical
	Headings                              []page.Heading

	// Effects of fixing a rule that have no value: the structured data became valid, got its dates; everything that
	// belongs there moved into the head; robots.txt responds.
	DataFixed, DatesFixed, HeadFixed, RobotsFixed, IndexFixed, NotLogo bool
	// HTTPS means that the page is served so.
	HTTPS bool
	// MoreText is how many characters of text the body gets.
	MoreText int

	// OG is the Open Graph picture, TaggedX that of the X tags, or nil. If both are the same picture, they share their
	// file. OGAlt and TwitterAlt are their alternative texts.
	OG, TaggedX *ShareImage
	OGAlt       string
	TwitterAlt  string
}

// ShareImage is a share image of the page.
type ShareImage struct {
	Written, URL string // as written in the tag, and absolute
	Tag          string
	// Width, Height and kind (of the file) are the declared ones.
	Width, Height, kind string
	File                *File
}

// File is what was found at the address of a picture.
type File struct {
	Asked       bool
	Fault       string // why there is no picture, or ""
	Size        int64
	AtLeast     bool // the file is longer than Size, by an unknown amount
	ContentType string
	Final       string // the address after redirects, if it differs
	Facts       picture.Facts
	Ignored     string // parameters of its address without effect
}

// newFacts collects the facts of a site.
func newFacts(site *scrape.Result, now time.Time, memo *memo) *Facts {
	doc := &site.Page.Value
	p := doc.Page
	f := &Facts{
		Site: site, Document: doc, Page: p, Now: now, memo: memo, Final: p.URL.String(),
		OGTitle: p.Meta.Get("og:title"), OGDescription: p.Meta.Get("og:description"), OGURL: p.Meta.Get("og:url"),
		OGType: p.Meta.Get("og:type"), OGAlt: "",
		TwitterTitle: p.Meta.Get("twitter:title"), TwitterDescription: p.Meta.Get("twitter:description"),
		TwitterAlt: p.Meta.Get("twitter:image:alt"), Card: strings.ToLower(p.Meta.Get("twitter:card")),
		HTTPS:  p.URL.Scheme == "https",
		Titles: p.Titles, Lang: p.Lang, Canonicals: doc.Canonicals(), Headings: p.Headings,
	}
	for i := range p.Meta {
		pair := &p.Meta[i]
		f.HasOG = f.HasOG || strings.HasPrefix(pair.Key, "og:")
		if pair.Key == "description" && pair.Attr != page.ByItemProp {
			f.Descriptions = append(f.Descriptions, pair.Value)
		}
	}
	f.setPublic()
	f.pictures()
	return f
}

// pictures collects the facts of the share images.
func (f *Facts) pictures() {
	p := f.Page
	files := map[string]*File{}
	fileAt := func(address string) *File {
		if files[address] == nil {
			files[address] = f.fileAt(address)
		}
		return files[address]
	}
	if image := p.ShareImage(); image != nil {
		f.OG = &ShareImage{
			Written: image.Src, URL: image.URL, Tag: "og:image", Width: image.Width, Height: image.Height,
			kind: image.Type, File: fileAt(image.URL),
		}
		if own, _ := p.Resolve(image.Src); own != image.URL {
			f.OG.Written = image.SecureURL
		}
		f.OGAlt = image.Alt
	}
	if written, address, tag := p.ImageOfX(); tag != "" && tag != "og:image" {
		f.TaggedX = &ShareImage{Written: written, URL: address, Tag: tag, File: fileAt(address)}
	}
}

// fileAt returns what was found at the address of a share image.
func (f *Facts) fileAt(address string) *File {
	for i, a := range scrape.ShareImageURLs(f.Page) {
		if a != address || i >= len(f.Site.ShareImages) {
			continue
		}
		part := &f.Site.ShareImages[i]
		if part.State == scrape.NotAsked {
			break
		}
		return FileOf(part)
	}
	return &File{}
}

// PictureFault says why a page's picture isn't available, as part of a sentence: "it answered with status 404". It is
// "" for a picture that link previews can load.
func PictureFault(part *scrape.Part[scrape.ShareImage]) string { return FileOf(part).Fault }

// FileOf returns what was found about a picture.
func FileOf(part *scrape.Part[scrape.ShareImage]) *File {
	v := &part.Value
	got := &File{Asked: true, Size: v.Size, AtLeast: v.Truncated, ContentType: v.ContentType, Facts: v.Facts,
		Ignored: v.Ignored}
	if v.Final != v.URL {
		got.Final = v.Final.String()
	}
	var fault *apperr.Error
	var unusable *scrape.PictureError
	switch {
	case part.Got() && v.Status != 200:
		got.Fault = "it answered with status " + strconv.Itoa(v.Status) + " instead of 200"
	case part.Got() && v.Facts.Format == picture.ICO:
		got.Fault = "it is an ICO file, which no link preview shows"
	case part.Got():
	case part.State == scrape.Absent:
		got.Fault = "there is none"
	case part.State == scrape.Refused:
		got.Fault = "its address is not a public one"
	case errors.As(part.Err, &unusable):
		got.Fault = "the response is not a picture"
		if v.ContentType != "" {
			got.Fault += " (Content-Type “" + Show(v.ContentType) + "”)"
		}
	case v.Status != 0:
		got.Fault = "it answered with status " + strconv.Itoa(v.Status)
	case errors.As(part.Err, &fault):
		got.Fault = inSentence(Show(fault.Detail))
	default:
		got.Fault = "it could not be fetched"
	}
	return got
}

// Measured reports whether the picture was measured.
func (i *File) Measured() bool { return i.Asked && i.Fault == "" }

// Ratio is the width of the picture divided by its height, or 0 without a size.
func (i *File) Ratio() float64 {
	if i.Facts.Width <= 0 || i.Facts.Height <= 0 {
		return 0
	}
	return float64(i.Facts.Width) / float64(i.Facts.Height)
}

// TitleOfX returns the title that X shows, and its tag: its own one, otherwise that of Open Graph.
func (f *Facts) TitleOfX() (value, tag string) {
	if f.TwitterTitle != "" {
		return f.TwitterTitle, "twitter:title"
	}
	return f.OGTitle, "og:title"
}

// DescriptionOfX returns the description that X shows, and its tag, as [Facts.TitleOfX].
func (f *Facts) DescriptionOfX() (value, tag string) {
	if f.TwitterDescription != "" {
		return f.TwitterDescription, "twitter:description"
	}
	return f.OGDescription, "og:description"
}

// ImageOfX returns the picture that X shows, or nil: that of its own tags, otherwise that of Open Graph.
func (f *Facts) ImageOfX() *ShareImage {
	if f.TaggedX != nil {
		return f.TaggedX
	}
	return f.OG
}

// CardOfX is the effective card: the declared one if X supports it, otherwise the one derived from Open Graph, or "".
func (f *Facts) CardOfX() string {
	switch f.Card {
	case "summary", "summary_large_image", "app", "player":
		return f.Card
	case "photo", "gallery": // retired
		return "summary_large_image"
	case "product":
		return "summary"
	}
	if f.OGTitle != "" && (f.OGDescription != "" || f.OGType != "") {
		return "summary"
	}
	return ""
}

// Canonical returns the first usable canonical address, or "".
func (f *Facts) Canonical() string {
	for i := range f.Canonicals {
		if f.Canonicals[i].URL != "" {
			return f.Canonicals[i].URL
		}
	}
	return ""
}

// Texts of a length that satisfies every rule, for computing fixes.
var (
	SampleTitle       = strings.Repeat("Title ", 6)[:35]
	SampleDescription = strings.Repeat("Some text ", 12)[:110]
)

// GoodFile is a picture that satisfies every rule.
func GoodFile() *File {
	return &File{
		Asked: true, Size: 200_000, ContentType: "image/jpeg",
		Facts: picture.Facts{Format: picture.JPEG, Width: BestWidth, Height: BestHeight},
	}
}

// FixFile replaces the file of a picture by a changed copy, for both Open Graph and X if they share it.
func (f *Facts) FixFile(image *ShareImage, change func(*File)) {
	if image == nil {
		return
	}
	before := image.File
	after := *before
	change(&after)
	for _, of := range [...]**ShareImage{&f.OG, &f.TaggedX} {
		if *of != nil && (*of).File == before {
			changed := **of
			changed.File = &after
			*of = &changed
		}
	}
}

// FixAddress makes the address of a picture an absolute https one.
func (f *Facts) FixAddress(of **ShareImage) {
	if *of == nil {
		return
	}
	changed := **of
	changed.URL = "https" + strings.TrimPrefix(strings.TrimPrefix(changed.URL, "https"), "http")
	changed.Written = changed.URL
	*of = &changed
}

// inSentence turns a sentence into a part of another: without its period, and in lower case unless it begins with an
// abbreviation.
func inSentence(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	if len(sentence) > 1 && (sentence[1] < 'A' || sentence[1] > 'Z') {
		return strings.ToLower(sentence[:1]) + sentence[1:]
	}
	return sentence
}

// memo has what was computed from strings. It is shared by all facts of a judgment: fixing one rule after another asks
// for the same again and again.
type memo struct {
	widths   map[string]int
	forms    map[string]string
	sameSite map[[2]string]bool
	pasted   map[string][]Verdict // with code in the head
}

func newMemo() *memo {
	return &memo{map[string]int{}, map[string]string{}, map[[2]string]bool{}, map[string][]Verdict{}}
}

// Columns is the function of the same name.
func (f *Facts) Columns(s string) int {
	n, ok := f.memo.widths[s]
	if !ok {
		n = columns(s)
		f.memo.widths[s] = n
	}
	return n
}

// Comparable is [comparableURL].
func (f *Facts) Comparable(address string) string {
	form, ok := f.memo.forms[address]
	if !ok {
		form = comparableURL(address)
		f.memo.forms[address] = form
	}
	return form
}

// SameSite is the function of the same name.
func (f *Facts) SameSite(a, b string) bool {
	key := [2]string{a, b}
	same, ok := f.memo.sameSite[key]
	if !ok {
		same = sameSite(a, b)
		f.memo.sameSite[key] = same
	}
	return same
}

// Positive parses a positive integer; anything else is 0.
func Positive(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
