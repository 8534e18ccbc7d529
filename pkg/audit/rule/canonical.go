package rule

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/scrape"
)

// CanonicalInHeader reports whether a canonical address is in the HTTP header, which no element replaces.
func (f *Facts) CanonicalInHeader() bool {
	return slices.ContainsFunc(f.Canonicals, func(c scrape.Canonical) bool { return c.InHeader })
}

// Self returns the address of the page: its canonical one if that is a good one, otherwise the final one without
// tracking parameters. It is "" if the final one has other parameters, which may or may not change the page.
func (f *Facts) Self() string {
	if c := f.Canonical(); c != "" && f.CanonicalFits() {
		return WithoutFragment(c)
	}
	u, err := url.Parse(f.Final)
	if err != nil {
		return ""
	}
	if u.RawQuery != "" && strings.Contains(f.Comparable(f.Final), "?") {
		return ""
	}
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	return u.String()
}

// SamePath reports whether an address is another one with fewer parameters, which is how sites name a page that is
// reached with parameters.
func SamePath(clean, address string) bool {
	a, err := url.Parse(clean)
	if err != nil {
		return false
	}
	b, err := url.Parse(address)
	if err != nil {
		return false
	}
	for name, values := range a.Query() {
		if !slices.Equal(b.Query()[name], values) {
			return false
		}
	}
	a.RawQuery, b.RawQuery = "", ""
	return comparableURL(a.String()) == comparableURL(b.String())
}

// IsAlternate reports whether the address is that of another language version.
func (f *Facts) IsAlternate(address string) bool {
	for i := range f.Page.Hreflang {
		u, ok := f.Page.Resolve(f.Page.Hreflang[i].Href)
		if ok && f.Comparable(u) == f.Comparable(address) && f.Comparable(u) != f.Comparable(f.Final) &&
			!SamePath(u, f.Final) &&
			!equalFold(f.Page.Hreflang[i].Hreflang, "x-default") {
			return true
		}
	}
	return false
}

// IsSelf reports whether an address is that of the page: its canonical one or the one it was read from.
func (f *Facts) IsSelf(address string) bool {
	c := f.Comparable(address)
	return c == f.Comparable(f.Final) || c == f.Comparable(f.Self())
}

// CanonicalFits reports whether the page's canonical address can be its own one: there is only one, on the same site,
// which isn't that of another page by all that was found. It also does without a canonical address.
func (f *Facts) CanonicalFits() bool {
	c := f.Canonical()
	for i := range f.Canonicals {
		if other := f.Canonicals[i].URL; WithoutFragment(other) != WithoutFragment(c) {
			return false
		}
	}
	if c == "" {
		return len(f.Canonicals) == 0
	}
	if f.Elsewhere(c) {
		return true
	}
	target := &f.Site.Canonical
	switch {
	case !f.SameSite(c, f.Final), strings.HasPrefix(c, "http:") && strings.HasPrefix(f.Final, "https:"):
		return false
	case f.Comparable(c) == f.Comparable(f.Final):
		return true
	case IsRoot(c) && !SamePath(c, f.Final), f.IsAlternate(c):
		return false
	case target.State == scrape.Failed, target.State == scrape.Refused:
		return false
	}
	return !target.Got() || target.Value.Status == http.StatusOK && target.Value.Final == target.Value.URL
}

// WithoutFragment returns an address without what begins with #.
func WithoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

func equalFold(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), b) }
