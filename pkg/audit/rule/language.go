package rule

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"
)

// Primary returns the language of a tag, in lower case.
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(strings.TrimSpace(tag))
}

// LocaleOf converts a language tag to a locale, with the language's main region if it has none.
func LocaleOf(lang string) string {
	tag, err := language.Parse(lang)
	if err != nil {
		return "en_US"
	}
	base, _ := tag.Base()
	region, _ := tag.Region()
	if !region.IsCountry() {
		return "en_US"
	}
	return base.String() + "_" + region.String()
}

var hreflangForm = regexp.MustCompile(`(?i)^([a-z]{2,3})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?$`)

// ValidCode reports whether a code is x-default, or an existing language with an optional existing script and region.
func ValidCode(code string) bool {
	if strings.EqualFold(code, "x-default") {
		return true
	}
	m := hreflangForm.FindStringSubmatch(code)
	if m == nil || strings.EqualFold(m[4], "uk") { // the United Kingdom is GB
		return false
	}
	tag, err := language.Parse(code)
	if err != nil {
		return false
	}
	_, _, region := tag.Raw()
	return m[4] == "" || region.IsCountry() || region.IsGroup()
}
