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

// facts are the inputs of rules. What several rules use has its own field, so that it can be changed to compute the
// effect of fixing one rule on the others.
type facts struct {
	site  *scrape.Site
	doc   *scrape.Document
	page  *page.Page
	now   time.Time
	quiet bool // nobody reads the messages
	memo  *memo

	// final is the address of the page after redirects.
	final string
	// loopback means that the page is on localhost; publicOrigin is then its future address.
	loopback     bool
	publicOrigin string

	ogTitle, ogDescription, ogURL, ogType string
	hasOG                                 bool // there is an Open Graph tag
	twTitle, twDescription                string
	card                                  string // as declared, in lower case
	titles, descriptions                  []string
	lang                                  string
	canonicals                            []scrape.Canonical
	headings                              []page.Heading

	// Effects of fixing a rule that have no value: the structured data became valid, got its dates; everything that
	// belongs there moved into the head; robots.txt responds.
	dataFixed, datesFixed, headFixed, robotsFixed, indexFixed, notLogo bool
	// https means that the page is served so.
	https bool
	// moreText is how many characters of text the body gets.
	moreText int

	// og is the Open Graph picture, tagged that of the X tags, or nil. If both are the same picture, they share their
	// file.
	og, tagged *shareImage
	ogAlt      string
	twAlt      string
}

// shareImage is a share image of the page.
type shareImage struct {
	written, url string // as written in the tag, and absolute
	tag          string
	// width, height and kind (of the file) are the declared ones.
	width, height, kind string
	file                *file
}

// file is what was found at the address of a picture.
type file struct {
	asked       bool
	fault       string // why there is no picture, or ""
	size        int64
	atLeast     bool // the file is longer than size, by an unknown amount
	contentType string
	final       string // the address after redirects, if it differs
	facts       picture.Facts
	ignored     string // parameters of its address without effect
}

// newFacts collects the facts of a site.
func newFacts(site *scrape.Site, now time.Time, memo *memo) *facts {
	doc := &site.Page.Value
	p := doc.Page
	f := &facts{
		site: site, doc: doc, page: p, now: now, memo: memo, final: p.URL.String(),
		ogTitle: p.Meta.Get("og:title"), ogDescription: p.Meta.Get("og:description"), ogURL: p.Meta.Get("og:url"),
		ogType: p.Meta.Get("og:type"), ogAlt: "",
		twTitle: p.Meta.Get("twitter:title"), twDescription: p.Meta.Get("twitter:description"),
		twAlt: p.Meta.Get("twitter:image:alt"), card: strings.ToLower(p.Meta.Get("twitter:card")),
		https:  p.URL.Scheme == "https",
		titles: p.Titles, lang: p.Lang, canonicals: doc.Canonicals(), headings: p.Headings,
	}
	for i := range p.Meta {
		pair := &p.Meta[i]
		f.hasOG = f.hasOG || strings.HasPrefix(pair.Key, "og:")
		if pair.Key == "description" && pair.Attr != page.ByItemProp {
			f.descriptions = append(f.descriptions, pair.Value)
		}
	}
	f.setPublic()
	f.pictures()
	return f
}

// pictures collects the facts of the share images.
func (f *facts) pictures() {
	p := f.page
	files := map[string]*file{}
	fileAt := func(address string) *file {
		if files[address] == nil {
			files[address] = f.fileAt(address)
		}
		return files[address]
	}
	if image := p.ShareImage(); image != nil {
		f.og = &shareImage{
			written: image.Src, url: image.URL, tag: "og:image", width: image.Width, height: image.Height,
			kind: image.Type, file: fileAt(image.URL),
		}
		if own, _ := p.Resolve(image.Src); own != image.URL {
			f.og.written = image.SecureURL
		}
		f.ogAlt = image.Alt
	}
	if written, address, tag := p.ImageOfX(); tag != "" && tag != "og:image" {
		f.tagged = &shareImage{written: written, url: address, tag: tag, file: fileAt(address)}
	}
}

// fileAt returns what was found at the address of a share image.
func (f *facts) fileAt(address string) *file {
	for i, a := range scrape.ShareImageURLs(f.page) {
		if a != address || i >= len(f.site.ShareImages) {
			continue
		}
		part := &f.site.ShareImages[i]
		if part.State == scrape.NotAsked {
			break
		}
		return fileOf(part)
	}
	return &file{}
}

// PictureFault says why a page's picture isn't available, as part of a sentence: "it answered with status 404". It is
// "" for a picture that link previews can load.
func PictureFault(part *scrape.Part[scrape.ShareImage]) string { return fileOf(part).fault }

// fileOf returns what was found about a picture.
func fileOf(part *scrape.Part[scrape.ShareImage]) *file {
	v := &part.Value
	got := &file{asked: true, size: v.Size, atLeast: v.Truncated, contentType: v.ContentType, facts: v.Facts, ignored: v.Ignored}
	if v.Final != v.URL {
		got.final = v.Final.String()
	}
	var fault *apperr.Error
	var unusable *scrape.PictureError
	switch {
	case part.Got() && v.Status != 200:
		got.fault = "it answered with status " + strconv.Itoa(v.Status) + " instead of 200"
	case part.Got() && v.Facts.Format == picture.ICO:
		got.fault = "it is an ICO file, which no link preview shows"
	case part.Got():
	case part.State == scrape.Absent:
		got.fault = "there is none"
	case part.State == scrape.Refused:
		got.fault = "its address is not a public one"
	case errors.As(part.Err, &unusable):
		got.fault = "the response is not a picture"
		if v.ContentType != "" {
			got.fault += " (Content-Type “" + show(v.ContentType) + "”)"
		}
	case v.Status != 0:
		got.fault = "it answered with status " + strconv.Itoa(v.Status)
	case errors.As(part.Err, &fault):
		got.fault = inSentence(show(fault.Detail))
	default:
		got.fault = "it could not be fetched"
	}
	return got
}

// measured reports whether the picture was measured.
func (i *file) measured() bool { return i.asked && i.fault == "" }

// ratio is the width of the picture divided by its height, or 0 without a size.
func (i *file) ratio() float64 {
	if i.facts.Width <= 0 || i.facts.Height <= 0 {
		return 0
	}
	return float64(i.facts.Width) / float64(i.facts.Height)
}

// title, description and image are what X shows: from its own tag, otherwise from Open Graph.
func (f *facts) titleOfX() (value, tag string) {
	if f.twTitle != "" {
		return f.twTitle, "twitter:title"
	}
	return f.ogTitle, "og:title"
}

func (f *facts) descriptionOfX() (value, tag string) {
	if f.twDescription != "" {
		return f.twDescription, "twitter:description"
	}
	return f.ogDescription, "og:description"
}

func (f *facts) imageOfX() *shareImage {
	if f.tagged != nil {
		return f.tagged
	}
	return f.og
}

// cardOfX is the effective card: the declared one if X supports it, otherwise the one derived from Open Graph, or "".
func (f *facts) cardOfX() string {
	switch f.card {
	case "summary", "summary_large_image", "app", "player":
		return f.card
	case "photo", "gallery": // retired
		return "summary_large_image"
	case "product":
		return "summary"
	}
	if f.ogTitle != "" && (f.ogDescription != "" || f.ogType != "") {
		return "summary"
	}
	return ""
}

// canonical returns the first usable canonical address, or "".
func (f *facts) canonical() string {
	for i := range f.canonicals {
		if f.canonicals[i].URL != "" {
			return f.canonicals[i].URL
		}
	}
	return ""
}

// Texts of a length that satisfies every rule, for computing fixes.
var (
	sampleTitle       = strings.Repeat("Title ", 6)[:35]
	sampleDescription = strings.Repeat("Some text ", 12)[:110]
)

// goodFile is a picture that satisfies every rule.
func goodFile() *file {
	return &file{
		asked: true, size: 200_000, contentType: "image/jpeg",
		facts: picture.Facts{Format: picture.JPEG, Width: bestWidth, Height: bestHeight},
	}
}

// fixFile replaces the file of a picture by a changed copy, for both Open Graph and X if they share it.
func (f *facts) fixFile(image *shareImage, change func(*file)) {
	if image == nil {
		return
	}
	before := image.file
	after := *before
	change(&after)
	for _, of := range [...]**shareImage{&f.og, &f.tagged} {
		if *of != nil && (*of).file == before {
			changed := **of
			changed.file = &after
			*of = &changed
		}
	}
}

// fixAddress makes the address of a picture an absolute https one.
func (f *facts) fixAddress(of **shareImage) {
	if *of == nil {
		return
	}
	changed := **of
	changed.url = "https" + strings.TrimPrefix(strings.TrimPrefix(changed.url, "https"), "http")
	changed.written = changed.url
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
	pasted   map[string][]verdict // with code in the head
}

func newMemo() *memo {
	return &memo{map[string]int{}, map[string]string{}, map[[2]string]bool{}, map[string][]verdict{}}
}

// columns is the function of the same name.
func (f *facts) columns(s string) int {
	n, ok := f.memo.widths[s]
	if !ok {
		n = columns(s)
		f.memo.widths[s] = n
	}
	return n
}

// comparable is [comparableURL].
func (f *facts) comparable(address string) string {
	form, ok := f.memo.forms[address]
	if !ok {
		form = comparableURL(address)
		f.memo.forms[address] = form
	}
	return form
}

// sameSite is the function of the same name.
func (f *facts) sameSite(a, b string) bool {
	key := [2]string{a, b}
	same, ok := f.memo.sameSite[key]
	if !ok {
		same = sameSite(a, b)
		f.memo.sameSite[key] = same
	}
	return same
}
