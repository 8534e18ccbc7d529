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

// maxShown is the maximum length of values from the page in texts, in characters.
const maxShown = 160

// found returns a verdict with a fraction of the rule's points, 1 for all, and what was found.
func (f *facts) found(credit float64, format string, args ...any) verdict {
	v := verdict{state: judged, credit: credit, plain: true, quiet: f.quiet}
	if !f.quiet {
		v.message = fmt.Sprintf(format, args...)
	}
	return v
}

// pass, fail and inapplicable are the plain verdicts.
func (f *facts) pass(format string, args ...any) verdict { return f.found(1, format, args...) }
func (f *facts) fail(format string, args ...any) verdict { return f.found(0, format, args...) }

var inapplicable = verdict{state: notApplicable}

// as gives the verdict a severity other than the rule's own.
func (v verdict) as(s Severity) verdict {
	v.severity, v.plain = s, false
	return v
}

// fix adds what to do, unless the rule passed.
func (v verdict) fix(format string, args ...any) verdict {
	if !v.quiet && v.credit < 1 {
		v.advice = fmt.Sprintf(format, args...)
	}
	return v
}

// paste adds code to paste, unless the rule passed. Without code, the advice doesn't end with a colon.
func (v verdict) paste(code string) verdict {
	if v.quiet || v.credit == 1 {
		return v
	}
	v.code = code
	if advice, ok := strings.CutSuffix(v.advice, ":"); ok && code == "" {
		v.advice = advice + "."
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
func (f *facts) place() (words string, end int) {
	head := &f.page.Head
	switch {
	case head.End > headerRead:
		return "at the beginning of the head, after its charset, since WhatsApp reads only 300 KB", f.page.Encoding.MetaEnd
	case head.Stray == "":
		return "", head.End
	case head.Stray == "#text":
		return "above the text that ends the head", head.End
	}
	return "above the <" + show(head.Stray) + "> that ends the head", head.End
}

// placed adds to advice where its code has to be pasted if the end of the head isn't the place, and on localhost what
// its addresses stand for.
func (f *facts) placed(advice, code string) string {
	if f.loopback && strings.Contains(code, samplePublic) {
		advice = strings.TrimSuffix(advice, ":") + ". Write the address of your site instead of " + samplePublic + ":"
	}
	if words, _ := f.place(); words != "" && forHead(code) {
		return strings.TrimSuffix(advice, ":") + ". Paste this " + words + ":"
	}
	return advice
}

// show returns a value from the page for a text, cut.
func show(s string) string {
	cut := cleantext.Clean(s, maxShown)
	if len(cut) < len(strings.TrimSpace(s)) && len([]rune(cut)) >= maxShown-8 {
		cut += "…"
	}
	return cut
}

// show returns a value from the page for a text, unless nobody reads it.
func (f *facts) show(s string) string {
	if f.quiet {
		return ""
	}
	return show(s)
}

// property and named return meta elements to paste. The value is cut and escaped.
func (f *facts) property(key, value string) string { return f.meta("property", key, value) }
func (f *facts) named(key, value string) string    { return f.meta("name", key, value) }

func (f *facts) meta(attribute, key, value string) string {
	if f.quiet {
		return ""
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, escaped(value))
}

// filled returns a meta element to paste, or "" without a value, or with one that was decoded wrongly. The value isn't
// shortened.
func (f *facts) filled(attribute, key, value string) string {
	if value == "" || garbled(value) || f.quiet {
		return ""
	}
	if isText[key] && f.showsEscapes(value) {
		value = page.WithoutReferences(value)
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, html.EscapeString(cleantext.Clean(value, maxTag)))
}

// link returns a link element to paste.
func (f *facts) link(rel, address string) string {
	if f.quiet {
		return ""
	}
	return fmt.Sprintf(`<link rel="%s" href="%s">`, rel, escapedAddress(f.publicly(address)))
}

// escaped returns a value from the page for an attribute.
func escaped(value string) string { return html.EscapeString(cleantext.Clean(value, maxShown)) }

// escapedAddress returns an address for an attribute. It isn't cut, since that would break it.
func escapedAddress(address string) string { return html.EscapeString(cleantext.Clean(address, 2048)) }

// address returns a meta element whose value is an address.
func (f *facts) address(attribute, key, value string) string {
	if f.quiet {
		return ""
	}
	return fmt.Sprintf(`<meta %s="%s" content="%s">`, attribute, key, escapedAddress(f.publicly(value)))
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

// ownTitle and ownDescription return the page's text elsewhere, for a tag that it lacks, or "".
func (f *facts) ownTitle() string {
	if f.isError() {
		return ""
	}
	return f.legible(f.ogTitle, f.twTitle, f.page.Metadata.Title, f.page.Details.Title, f.page.Details.Headline)
}

func (f *facts) ownDescription() string {
	if f.isError() {
		return ""
	}
	return f.legible(f.ogDescription, f.twDescription, f.page.Metadata.Description, f.page.Details.Lead)
}

// isError reports whether the page is the server's message of an error, whose texts are for no tag.
func (f *facts) isError() bool { return f.doc.Status >= http.StatusBadRequest }

// garbled reports whether a text has bytes that its page's encoding doesn't have: it isn't what the author wrote.
func garbled(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }

// legible returns the first text that isn't empty, without references that were escaped twice, or "" if it is garbled:
// the others are no better.
func (f *facts) legible(texts ...string) string {
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
func (f *facts) group(address, kind string, w, h int, alt string) string {
	if f.quiet {
		return ""
	}
	elements := []string{f.address("property", "og:image", address)}
	if kind != "" {
		elements = append(elements, f.property("og:image:type", kind))
	}
	if w > 0 && h > 0 {
		elements = append(elements, f.property("og:image:width", strconv.Itoa(w)),
			f.property("og:image:height", strconv.Itoa(h)))
	}
	if alt != "" {
		elements = append(elements, f.filled("property", "og:image:alt", alt))
	}
	return strings.Join(elements, "\n")
}

// groupOf returns the elements of a share image at another address or with another alternative text. The size is the
// measured one, if there is one.
func (f *facts) groupOf(image *shareImage, address, alt string) string {
	w, h := positive(image.width), positive(image.height)
	if image.file.measured() && image.file.ratio() > 0 {
		w, h = image.file.facts.Width, image.file.facts.Height
	}
	return f.group(address, image.kind, w, h, alt)
}

// cardAddress is where our card for the page would be saved: at the root of its host. "" if there is no such address.
func (f *facts) cardAddress() string {
	u, ok := f.page.Resolve("/" + CardFile)
	if !ok {
		return ""
	}
	return f.publicly(u)
}

// cardGroup returns the elements for our card. Its alternative text is what it shows: the title and the site.
func (f *facts) cardGroup() string {
	address := f.cardAddress()
	if address == "" || f.quiet {
		return ""
	}
	title := f.said(f.page.Metadata.Title, f.page.Details.Title, f.page.Details.Headline)
	if f.isError() {
		title = ""
	}
	if site := f.said(f.page.Metadata.SiteName); title != "" && site != "" && f.page.Metadata.Sources.SiteName != "host" &&
		!strings.Contains(strings.ToLower(title), strings.ToLower(site)) {
		title += " — " + site
	}
	return f.group(address, "", bestWidth, bestHeight, title)
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

// length returns the length of a text as people count it, and its width if that is another: "71 characters, as wide as
// 114 Latin ones".
func (f *facts) length(s string) string {
	if f.quiet {
		return ""
	}
	n, width := uniseg.GraphemeClusterCount(s), f.columns(s)
	if n == width {
		return humanize.Count(n, "character")
	}
	return humanize.Count(n, "character") + ", as wide as " + strconv.Itoa(width) + " Latin ones"
}

// verb returns the form of a verb for n things.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// list joins at most six of texts with commas.
func list(texts []string) string {
	const most = 6
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + " and " + strconv.Itoa(len(texts)-most) + " more"
	}
	return strings.Join(texts, ", ")
}

// pathOf returns the path of an address with its query, as crawlers compare it with robots.txt.
func pathOf(u *url.URL) string {
	path := cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}
