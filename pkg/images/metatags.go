package images

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"masthead/pkg/scrape"
)

// head is what the head of a page tells others.
type head struct {
	url        string
	page       PageData
	alt        string
	pictureURL string
	picture    File
}

// metaTags returns the elements that tell it: one a line, none without a value.
// Source: the Open Graph protocol, "Basic Metadata", "Optional Metadata" and "Structured Properties"; X, "Summary Card
// with Large Image", which takes title and description from there.
func (h head) metaTags() string {
	var b strings.Builder
	tag := func(attribute, key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "<meta %s=%q content=\"%s\">\n", attribute, key, html.EscapeString(value))
		}
	}
	tag("property", "og:title", h.page.Title)
	tag("property", "og:description", h.page.Description)
	tag("property", "og:url", h.url)
	tag("property", "og:site_name", h.page.SiteName)
	tag("property", "og:type", first(h.page.Type, "website")) // as the protocol has it for a page that says none
	tag("property", "og:locale", h.page.Locale)
	tag("property", "og:image", h.pictureURL)
	tag("property", "og:image:type", h.picture.ContentType)
	tag("property", "og:image:width", strconv.Itoa(h.picture.Width))
	tag("property", "og:image:height", strconv.Itoa(h.picture.Height))
	tag("property", "og:image:alt", h.alt)
	tag("name", "twitter:card", "summary_large_image")
	tag("name", "twitter:image", h.pictureURL)
	tag("name", "twitter:image:alt", h.alt)
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
