package card

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"masthead/pkg/scrape"
)

// Head is what the head of a page tells others.
type Head struct {
	URL        string
	Page       PageData
	Alt        string
	PictureURL string
	// ContentType, Width and Height are those of the picture; the sides are in pixels.
	ContentType   string
	Width, Height int
}

// MetaTags returns the elements that tell it: one a line, none without a value.
// Source: the Open Graph protocol, "Basic Metadata", "Optional Metadata" and "Structured Properties"; X, "Summary Card
// with Large Image", which takes title and description from there.
func (h Head) MetaTags() string {
	var b strings.Builder
	tag := func(attribute, key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "<meta %s=%q content=\"%s\">\n", attribute, key, html.EscapeString(value))
		}
	}
	tag("property", "og:title", h.Page.Title)
	tag("property", "og:description", h.Page.Description)
	tag("property", "og:url", h.URL)
	tag("property", "og:site_name", h.Page.SiteName)
	tag("property", "og:type", cmp.Or(h.Page.Type, "website")) // as the protocol has it for a page that says none
	tag("property", "og:locale", h.Page.Locale)
	tag("property", "og:image", h.PictureURL)
	tag("property", "og:image:type", h.ContentType)
	tag("property", "og:image:width", strconv.Itoa(h.Width))
	tag("property", "og:image:height", strconv.Itoa(h.Height))
	tag("property", "og:image:alt", h.Alt)
	tag("name", "twitter:card", "summary_large_image")
	tag("name", "twitter:image", h.PictureURL)
	tag("name", "twitter:image:alt", h.Alt)
	return b.String()
}

var (
	typeForm   = regexp.MustCompile(`^[a-z]{1,20}([.:][a-z_]{1,30})?$`)
	localeForm = regexp.MustCompile(`^[a-z]{2,3}_[A-Z]{2}$`)
	// langForm is a language with a territory, after a script perhaps: "de-AT", "zh-Hant-TW". Source: BCP 47, 2.1.
	langForm = regexp.MustCompile(`(?i)^([a-z]{2,3})(?:-[a-z]{4})?-([a-z]{2})(?:-|$)`)
)

// typeOf is what kind of thing a page is: what it says itself, else an article where it says when it was published; ""
// when that is not known.
func typeOf(p scrape.Document) string {
	switch own := strings.ToLower(p.Meta.Get("og:type")); {
	case typeForm.MatchString(own):
		return own
	case !p.Details.Published.IsZero():
		return "article"
	}
	return ""
}

// localeOf is the language of a page with its territory: what it says to others, else what its markup is in; "" when it
// names no territory, without which there is no locale.
func localeOf(p scrape.Document) string {
	if own := strings.ReplaceAll(p.Meta.Get("og:locale"), "-", "_"); localeForm.MatchString(own) {
		return own
	}
	if m := langForm.FindStringSubmatch(p.Lang); m != nil {
		return strings.ToLower(m[1]) + "_" + strings.ToUpper(m[2])
	}
	return ""
}
