package rule

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/scrape"
)

var _ = register(Rule{
	ID: "seo-canonical", Category: SEO, Severity: Warning, Weight: 5, Title: "Canonical URL", Sources: []Source{GS},
	When: "There is a rel=canonical with an address, in the head or in the HTTP header Link.",
	Fix:  "Add a canonical link with the address of the page.",
	check: func(f *facts) verdict {
		for i := range f.canonicals {
			if c := &f.canonicals[i]; c.InHead || c.InHeader {
				return f.pass("The canonical address is %s.", f.show(c.Written))
			}
		}
		if len(f.canonicals) > 0 {
			return verdict{state: blocked} // by seo-head-integrity: a second one would not help
		}
		v := f.fail("There is no canonical address.")
		self := f.self()
		if f.isError() {
			return v.fix("Add the canonical address once the page returns status 200.")
		}
		if self == "" {
			return v.fix("Add the canonical address to the head: that of the page without the parameters that do not change " +
				"its content.")
		}
		return v.fix("Add the canonical address to the head:").paste(f.link("canonical", self))
	},
	apply: func(f *facts) { // with parameters it has no code: without them the page is most often the same
		own, _, _ := strings.Cut(withoutFragment(f.final), "?")
		f.canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
})

var _ = register(Rule{
	ID: "seo-canonical-valid", Category: SEO, Severity: Error, Weight: 3, Title: "Canonical is well formed",
	Needs: "seo-canonical", Sources: []Source{GS, LH},
	When: "Link elements and header have one value in total, which is a full http or https address in the head " +
		"without a fragment. Half the points (a warning) for a relative one.",
	Fix: "Keep one full canonical address; several different ones are all ignored.",
	check: func(f *facts) verdict {
		var distinct []string
		fragment, short, unusable := false, false, false
		for i := range f.canonicals {
			c := &f.canonicals[i]
			known := false
			for _, d := range distinct {
				known = known || d == cmp.Or(c.URL, c.Written)
			}
			if !known {
				distinct = append(distinct, cmp.Or(c.URL, c.Written))
			}
			fragment = fragment || strings.Contains(c.Written, "#")
			short = short || formOf(c.Written) < absoluteHTTP
			unusable = unusable || c.URL == ""
		}
		shown, named := "", ""
		if !f.quiet {
			for _, d := range distinct[:min(len(distinct), alternatesInMessage)] {
				shown = strings.TrimPrefix(shown+", "+f.show(d), ", ")
				named = strings.TrimPrefix(named+", "+f.name(d), ", ")
			}
		}
		v := f.pass("There is one canonical address, %s.", shown)
		why := ""
		switch {
		case len(distinct) > 1:
			v = f.fail("There are %d different canonical addresses: %s.", len(distinct), shown)
			why = "Keep one full canonical address in the head (found " + named + "); several different ones are all ignored:"
		case unusable:
			v = f.fail("The canonical address is no http or https address: %s.", shown)
			why = "Write the full address of the page, with https://, into the canonical link:"
		case fragment:
			v = f.fail("The canonical address has a fragment: %s.", shown)
			why = "Leave out what begins with #; search engines know no parts of pages:"
		case short:
			v = f.found(0.5, "The canonical address is a relative one: “%s”.", f.show(f.canonicals[0].Written)).as(Warning)
			why = "Write the full address, with https://, into the canonical link:"
		}
		code := ""
		if own := f.keptCanonical(); own != "" && !f.canonicalInHeader() {
			code = f.link("canonical", own)
		}
		return v.fix("%s", why).paste(code)
	},
	apply: func(f *facts) {
		own := cmp.Or(f.keptCanonical(), f.self(), withoutFragment(f.final))
		f.canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
})

// canonicalInHeader reports whether a canonical address is in the HTTP header, which no element replaces.
func (f *facts) canonicalInHeader() bool {
	return slices.ContainsFunc(f.canonicals, func(c scrape.Canonical) bool { return c.InHeader })
}

// keptCanonical returns which of the page's canonical addresses to keep: its only one, otherwise the page's own.
func (f *facts) keptCanonical() string {
	first := f.canonical()
	for i := range f.canonicals {
		if c := f.canonicals[i].URL; c != "" && withoutFragment(c) != withoutFragment(first) {
			return f.self()
		}
	}
	return cmp.Or(withoutFragment(first), f.self())
}

// self returns the address of the page: its canonical one if that is a good one, otherwise the final one without
// tracking parameters. It is "" if the final one has other parameters, which may or may not change the page.
func (f *facts) self() string {
	if c := f.canonical(); c != "" && f.canonicalFits() {
		return withoutFragment(c)
	}
	u, err := url.Parse(f.final)
	if err != nil {
		return ""
	}
	if u.RawQuery != "" && strings.Contains(f.comparable(f.final), "?") {
		return ""
	}
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	return u.String()
}

// canonicalFits reports whether the page's canonical address can be its own one: there is only one, on the same site,
// which isn't that of another page by all that was found. It also does without a canonical address.
func (f *facts) canonicalFits() bool {
	c := f.canonical()
	for i := range f.canonicals {
		if other := f.canonicals[i].URL; withoutFragment(other) != withoutFragment(c) {
			return false
		}
	}
	if c == "" {
		return len(f.canonicals) == 0
	}
	if f.elsewhere(c) {
		return true
	}
	target := &f.site.Canonical
	switch {
	case !f.sameSite(c, f.final), strings.HasPrefix(c, "http:") && strings.HasPrefix(f.final, "https:"):
		return false
	case f.comparable(c) == f.comparable(f.final):
		return true
	case isRoot(c) && !samePath(c, f.final), f.isAlternate(c):
		return false
	case target.State == scrape.Failed, target.State == scrape.Refused:
		return false
	}
	return !target.Got() || target.Value.Status == http.StatusOK && target.Value.Final == target.Value.URL
}

// samePath reports whether an address is another one with fewer parameters, which is how sites name a page that is
// reached with parameters.
func samePath(clean, address string) bool {
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

func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

var _ = register(Rule{
	ID: "seo-canonical-target", Category: SEO, Severity: Warning, Weight: 4, Title: "Canonical points to this page",
	Needs: "seo-canonical-valid", Sources: []Source{GS, LH},
	When: "The canonical address is that of the page, with or without its parameters. 75 % of the points (info) when " +
		"it is another page of the site that returns 200, a quarter when it is one of another site; none when it is the front page, http instead of " +
		"https, another language version, or does not return 200 directly. Not judged on localhost for the address " +
		"of another host.",
	Fix: "Point the canonical address to this page, unless it is a deliberate duplicate.",
	check: func(f *facts) verdict {
		c := f.canonical()
		shown := f.show(c)
		var v verdict
		target := &f.site.Canonical
		switch same := f.comparable(c) == f.comparable(f.final); {
		case f.elsewhere(c):
			return unchecked(f.noPublic())
		case strings.HasPrefix(c, "http:") && strings.HasPrefix(f.final, "https:") && f.sameSite(c, f.final):
			v = f.fail("The canonical address is http instead of https: %s.", shown)
		case same:
			return f.pass("The canonical address is that of the page.")
		case samePath(c, f.final) && f.canonicalFits():
			return f.pass("The canonical address is that of the page without its parameters: %s.", shown)
		case isRoot(c) && !isRoot(f.final) && f.sameSite(c, f.final) && !samePath(c, f.final):
			v = f.fail("The canonical address is the front page (%s), so search engines leave this page out.", shown)
		case f.isAlternate(c):
			v = f.fail("The canonical address is another language version (%s), so this one is left out.", shown)
		case target.State == scrape.Failed || target.State == scrape.Refused:
			v = f.fail("The canonical address %s does not return a page.", shown)
			if n := target.Value.Status; n != 0 {
				v = f.fail("The canonical address %s returns status %s.", shown, status(n))
			}
		case target.Got() && (target.Value.Status != 200 || target.Value.Final != target.Value.URL):
			v = f.fail("The canonical address %s does not return status 200 directly.", shown)
		case f.sameSite(c, f.final):
			v = f.found(0.75, "The canonical address is another page of the site: %s.", shown).as(Info)
		default:
			v = f.found(0.25, "The canonical address is on another site: %s.", shown)
		}
		unless := ", unless this page is a deliberate duplicate"
		if strings.HasPrefix(c, "http:") && f.comparable(c) == f.comparable(f.final) {
			unless = ""
		}
		own := f.pageAddress()
		repeated := f.comparable(f.ogURL) == f.comparable(c)
		if repeated && f.urlWrong() {
			return verdict{state: blocked} // by og-url-valid: both are fixed together
		}
		code := ""
		if own != "" && !f.canonicalInHeader() {
			if code = f.link("canonical", own); repeated && !f.quiet {
				code += "\n" + f.urlOf(own)
			}
		}
		return v.fix("Point the canonical address to %s (it points to %s)%s:",
			f.name(cmp.Or(own, f.final)), f.name(c), unless).paste(code)
	},
	apply: func(f *facts) {
		own := cmp.Or(f.pageAddress(), withoutFragment(f.final))
		if f.comparable(f.ogURL) == f.comparable(f.canonical()) {
			f.ogURL = own
		}
		f.canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
})

// pageAddress is [facts.self] of a page without a canonical address.
func (f *facts) pageAddress() string {
	bare := *f
	bare.canonicals = nil
	return bare.self()
}

// urlWrong reports whether og:url names another site or another page, the front page.
func (f *facts) urlWrong() bool {
	return f.ogURL != "" && !f.elsewhere(f.ogURL) && (!f.sameSite(f.ogURL, f.final) ||
		isRoot(f.ogURL) && !isRoot(f.final) && !samePath(f.ogURL, f.final))
}

// isAlternate reports whether the address is that of another language version.
func (f *facts) isAlternate(address string) bool {
	for i := range f.page.Hreflang {
		u, ok := f.page.Resolve(f.page.Hreflang[i].Href)
		if ok && f.comparable(u) == f.comparable(address) && f.comparable(u) != f.comparable(f.final) &&
			!samePath(u, f.final) &&
			!equalFold(f.page.Hreflang[i].Hreflang, "x-default") {
			return true
		}
	}
	return false
}

func equalFold(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), b) }
