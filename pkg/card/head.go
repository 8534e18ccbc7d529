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

// Head is the metadata of a page's head.
type Head struct {
	URL        string
	Page       PageData
	Alt        string
	PictureURL string
	// ContentType, Width and Height describe the picture; the sides are in pixels.
	ContentType   string
	Width, Height int
}

// MetaTags returns the elements, one per line, omitting those without a value. Source: the Open Graph protocol, "Basic
// Metadata", "Optional Metadata" and "Structured Properties" (https://ogp.me); X, "Summary Card with Large Image",
// which takes title and description from there.
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
	tag("property", "og:type", cmp.Or(h.Page.Type, "website")) // the protocol's default
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
	// langForm matches a language with a territory, possibly after a script: "de-AT", "zh-Hant-TW". Source: BCP 47, 2.1.
	langForm = regexp.MustCompile(`(?i)^([a-z]{2,3})(?:-[a-z]{4})?-([a-z]{2})(?:-|$)`)
)

// typeOf is the Open Graph type of a page: the declared one, otherwise article if it has a publication date, otherwise
// "".
func typeOf(p scrape.Document) string {
	switch own := strings.ToLower(p.Meta.Get("og:type")); {
	case typeForm.MatchString(own):
		return own
	case !p.Details.Published.IsZero():
		return "article"
	}
	return ""
}

// localeOf is the language of a page with its territory: the declared locale, otherwise the language of its markup. It
// is "" without a territory, which a locale requires.
func localeOf(p scrape.Document) string {
	if own := strings.ReplaceAll(p.Meta.Get("og:locale"), "-", "_"); localeForm.MatchString(own) {
		return own
	}
	if m := langForm.FindStringSubmatch(p.Lang); m != nil {
		return strings.ToLower(m[1]) + "_" + strings.ToUpper(m[2])
	}
	return ""
}
