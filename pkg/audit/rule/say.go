package rule

import (
	"cmp"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

// MaxShown is the maximum length of values from the page in texts, in characters.
const MaxShown = 160

// Found returns a verdict with a fraction of the rule's points, 1 for all, and what was found.
func (f *Facts) Found(credit float64, format string, args ...any) Verdict {
	v := Verdict{State: Judged, Credit: credit, plain: true, quiet: f.Quiet}
	if !f.Quiet {
		v.Message = fmt.Sprintf(format, args...)
	}
	return v
}

// Pass returns the verdict that the rule passed, and why.
func (f *Facts) Pass(format string, args ...any) Verdict { return f.Found(1, format, args...) }

// Fail returns the verdict that the rule got none of its points, and why.
func (f *Facts) Fail(format string, args ...any) Verdict { return f.Found(0, format, args...) }

// Inapplicable is the verdict of a rule that doesn't apply to the page.
var Inapplicable = Verdict{State: NotApplicable}

// As gives the verdict a severity other than the rule's own.
func (v Verdict) As(s Severity) Verdict {
	v.Severity, v.plain = s, false
	return v
}

// Fix adds what to do, unless the rule passed.
func (v Verdict) Fix(format string, args ...any) Verdict {
	if !v.quiet && v.Credit < 1 {
		v.Advice = fmt.Sprintf(format, args...)
	}
	return v
}

// Paste adds code to paste, unless the rule passed. Without code, the advice doesn't end with a colon.
func (v Verdict) Paste(code string) Verdict {
	if v.quiet || v.Credit == 1 {
		return v
	}
	v.Code = code
	if advice, ok := strings.CutSuffix(v.Advice, ":"); ok && code == "" {
		v.Advice = advice + "."
	}
	return v
}

// forHead reports whether code consists of elements for the head. The declaration of the encoding, which has to be the
// first one, doesn't count.
func forHead(code string) bool {
	for _, tag := range [...]string{"<meta property=", "<meta name=", "<link ", "<title>", "<script "} {
		if strings.HasPrefix(code, tag) {
			return true
		}
	}
	return false
}

// place says where code for the head has to be pasted if its end isn't the place: "above the <div> that ends the head".
// "" means the end. end is the byte offset of the place.
func (f *Facts) place() (words string, end int) {
	head := &f.Page.Head
	switch {
	case head.End > HeaderRead:
		return "at the beginning of the head, after its charset, since WhatsApp reads only 300 KB", f.Page.Encoding.MetaEnd
	case head.Stray == "":
		return "", head.End
	case head.Stray == "#text":
		return "above the text that ends the head", head.End
	}
	return "above the <" + Show(head.Stray) + "> that ends the head", head.End
}

// placed adds to advice where its code has to be pasted if the end of the head isn't the place, and on localhost what
// its addresses stand for.
func (f *Facts) placed(advice, code string) string {
	if f.Loopback && strings.Contains(code, samplePublic) {
		advice = strings.TrimSuffix(advice, ":") + ". Write the address of your site instead of " + samplePublic + ":"
	}
	if words, _ := f.place(); words != "" && forHead(code) {
		return strings.TrimSuffix(advice, ":") + ". Paste this " + words + ":"
	}
	return advice
}

// Show returns a value from the page for a text, cut.
func Show(s string) string {
	cut := cleantext.Clean(s, MaxShown)
	if len(cut) < len(strings.TrimSpace(s)) && len([]rune(cut)) >= MaxShown-8 {
		cut += "…"
	}
	return cut
}

// Show returns a value from the page for a text, unless nobody reads it.
func (f *Facts) Show(s string) string {
	if f.Quiet {
		return ""
	}
	return Show(s)
}

// Property returns a meta element with the attribute property to paste. The value is cut and escaped.
func (f *Facts) Property(key, value string) string { return f.meta("property", key, value) }

// Named returns a meta element with the attribute name to paste. The value is cut and escaped.
func (f *Facts) Named(key, value string) string { return f.meta("name", key, value) }

func (f *Facts) meta(attribute, key, value string) string {
	if f.Quiet {
		return ""
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, escaped(value))
}

// Filled returns a meta element to paste, or "" without a value, or with one that was decoded wrongly. The value isn't
// shortened.
func (f *Facts) Filled(attribute, key, value string) string {
	if value == "" || garbled(value) || f.Quiet {
		return ""
	}
	if isText[key] && f.showsEscapes(value) {
		value = page.WithoutReferences(value)
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, html.EscapeString(cleantext.Clean(value, MaxTag)))
}

// Link returns a link element to paste.
func (f *Facts) Link(rel, address string) string {
	if f.Quiet {
		return ""
	}
	return fmt.Sprintf(`<link rel="%s" href="%s">`, rel, EscapedAddress(f.Publicly(address)))
}

// escaped returns a value from the page for an attribute.
func escaped(value string) string { return html.EscapeString(cleantext.Clean(value, MaxShown)) }

// EscapedAddress returns an address for an attribute. It isn't cut, since that would break it.
func EscapedAddress(address string) string { return html.EscapeString(cleantext.Clean(address, 2048)) }

// Address returns a meta element whose value is an address.
func (f *Facts) Address(attribute, key, value string) string {
	if f.Quiet {
		return ""
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, EscapedAddress(f.Publicly(value)))
}

// filled returns the first of values that is neither empty nor a [page.Leftover].
func filled(values ...string) string {
	for _, v := range values {
		if v != "" && !page.Leftover(v) {
			return v
		}
	}
	return ""
}

// OwnTitle returns the page's title elsewhere, for a tag that it lacks, or "".
func (f *Facts) OwnTitle() string {
	if f.IsError() {
		return ""
	}
	return f.legible(f.OGTitle, f.TwitterTitle, f.Page.Metadata.Title, f.Page.Details.Title, f.Page.Details.Headline)
}

// OwnDescription returns the page's description elsewhere, for a tag that it lacks, or "".
func (f *Facts) OwnDescription() string {
	if f.IsError() {
		return ""
	}
	return f.legible(f.OGDescription, f.TwitterDescription, f.Page.Metadata.Description, f.Page.Details.Lead)
}

// IsError reports whether the page is the server's message of an error, whose texts are for no tag.
func (f *Facts) IsError() bool { return f.Document.Status >= http.StatusBadRequest }

// garbled reports whether a text has bytes that its page's encoding doesn't have: it isn't what the author wrote.
func garbled(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }

// legible returns the first text that isn't empty, without references that were escaped twice, or "" if it is garbled:
// the others are no better.
func (f *Facts) legible(texts ...string) string {
	text := filled(texts...)
	switch {
	case garbled(text):
		return ""
	case f.showsEscapes(text):
		return page.WithoutReferences(text)
	}
	return text
}

// group returns a share image's elements to paste, as one piece in their order: a property belongs to the og:image
// before it. 0x0 means that the size is unknown.
func (f *Facts) group(address, kind string, w, h int, alt string) string {
	if f.Quiet {
		return ""
	}
	elements := []string{f.Address("property", "og:image", address)}
	if kind != "" {
		elements = append(elements, f.Property("og:image:type", kind))
	}
	if w > 0 && h > 0 {
		elements = append(elements, f.Property("og:image:width", strconv.Itoa(w)),
			f.Property("og:image:height", strconv.Itoa(h)))
	}
	if alt != "" {
		elements = append(elements, f.Filled("property", "og:image:alt", alt))
	}
	return strings.Join(elements, "\n")
}

// GroupOf returns the elements of a share image at another address or with another alternative text. The size is the
// measured one, if there is one.
func (f *Facts) GroupOf(image *ShareImage, address, alt string) string {
	w, h := Positive(image.Width), Positive(image.Height)
	if image.File.Measured() && image.File.Ratio() > 0 {
		w, h = image.File.Facts.Width, image.File.Facts.Height
	}
	return f.group(address, image.kind, w, h, alt)
}

// cardAddress is where our card for the page would be saved: at the root of its host. "" if there is no such address.
func (f *Facts) cardAddress() string {
	u, ok := f.Page.Resolve("/" + CardFile)
	if !ok {
		return ""
	}
	return f.Publicly(u)
}

// CardGroup returns the elements for our card. Its alternative text is what it shows: the title and the site.
func (f *Facts) CardGroup() string {
	address := f.cardAddress()
	if address == "" || f.Quiet {
		return ""
	}
	title := f.Said(f.Page.Metadata.Title, f.Page.Details.Title, f.Page.Details.Headline)
	if f.IsError() {
		title = ""
	}
	if site := f.Said(f.Page.Metadata.SiteName); title != "" && site != "" && f.Page.Metadata.Sources.SiteName != "host" &&
		!strings.Contains(strings.ToLower(title), strings.ToLower(site)) {
		title += " — " + site
	}
	return f.group(address, "", BestWidth, BestHeight, title)
}

// columns returns the width of a text in terminal columns: 2 for wide characters, 0 for marks. The lengths in rules are
// in columns.
func columns(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return uniseg.StringWidth(s)
		}
	}
	return len(s)
}

// Length returns the length of a text as people count it, and its width if that is another: "71 characters, as wide as
// 114 Latin ones".
func (f *Facts) Length(s string) string {
	if f.Quiet {
		return ""
	}
	n, width := uniseg.GraphemeClusterCount(s), f.Columns(s)
	if n == width {
		return humanize.Count(n, "character")
	}
	return humanize.Count(n, "character") + ", as wide as " + strconv.Itoa(width) + " Latin ones"
}

// Verb returns the form of a verb for n things.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// List joins at most six of texts with commas.
func List(texts []string) string {
	const most = 6
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + " and " + strconv.Itoa(len(texts)-most) + " more"
	}
	return strings.Join(texts, ", ")
}

// PathOf returns the path of an address with its query, as crawlers compare it with robots.txt.
func PathOf(u *url.URL) string {
	path := cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// Status returns a status as people write it: "404 Not Found".
func Status(n int) string { return strings.TrimSpace(strconv.Itoa(n) + " " + http.StatusText(n)) }
