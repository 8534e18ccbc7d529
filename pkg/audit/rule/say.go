package rule

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/cleantext"
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

// paste adds code to paste, unless the rule passed.
func (v verdict) paste(code string) verdict {
	if !v.quiet && v.credit < 1 {
		v.code = code
	}
	return v
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

// ownTitle and ownDescription return the page's text elsewhere, for a tag that it lacks.
func (f *facts) ownTitle() string {
	return filled(f.ogTitle, f.page.Metadata.Title, f.page.Details.Title, f.page.Details.Headline,
		"The title of this page")
}

func (f *facts) ownDescription() string {
	return filled(f.ogDescription, f.page.Metadata.Description, f.page.Details.Lead,
		"One or two sentences about this page")
}

// ownImage returns any picture that the page names, or a placeholder address.
func (f *facts) ownImage() string {
	if image := cmp.Or(f.page.Metadata.Image, f.page.Details.HeroImage); strings.HasPrefix(image, "https://") {
		return image
	}
	return "https://" + cmp.Or(f.host(), "example.com") + "/share.jpg"
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
