package rule

import (
	"cmp"
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
		v := f.fail("There is no canonical address.")
		if len(f.canonicals) > 0 {
			v = f.fail("The canonical link is outside the head, where search engines ignore it.")
		}
		return v.fix("Add the canonical address to the head:").paste(f.link("canonical", f.final))
	},
	apply: func(f *facts) {
		f.canonicals = []scrape.Canonical{{Written: f.final, URL: f.final, InHead: true}}
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
		outside, fragment, short, unusable := false, false, false, false
		for i := range f.canonicals {
			c := &f.canonicals[i]
			known := false
			for _, d := range distinct {
				known = known || d == cmp.Or(c.URL, c.Written)
			}
			if !known {
				distinct = append(distinct, cmp.Or(c.URL, c.Written))
			}
			outside = outside || !c.InHead && !c.InHeader
			fragment = fragment || strings.Contains(c.Written, "#")
			short = short || formOf(c.Written) < absoluteHTTP
			unusable = unusable || c.URL == ""
		}
		shown := ""
		if !f.quiet {
			for _, d := range distinct[:min(len(distinct), alternatesInMessage)] {
				shown = strings.TrimPrefix(shown+", "+f.show(d), ", ")
			}
		}
		v := f.pass("There is one canonical address, %s.", shown)
		switch {
		case len(distinct) > 1:
			v = f.fail("There are %d different canonical addresses: %s.", len(distinct), shown)
		case unusable:
			v = f.fail("The canonical address is no http or https address: %s.", shown)
		case outside:
			v = f.fail("A canonical link is outside the head.")
		case fragment:
			v = f.fail("The canonical address has a fragment: %s.", shown)
		case short:
			v = f.found(0.5, "The canonical address is a relative one: “%s”.", f.show(f.canonicals[0].Written)).as(Warning)
		}
		return v.fix("Keep one full canonical address in the head (found %s); several different ones are all "+
			"ignored:", shown).
			paste(f.link("canonical", withoutFragment(f.own())))
	},
	apply: func(f *facts) {
		own := withoutFragment(f.own())
		f.canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
})

func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

var _ = register(Rule{
	ID: "seo-canonical-target", Category: SEO, Severity: Warning, Weight: 4, Title: "Canonical points to this page",
	Needs: "seo-canonical-valid", Sources: []Source{GS, LH},
	When: "The canonical address is that of the page. 75 % of the points (info) when it is another page of the site " +
		"that returns 200, a quarter when it is one of another site; none when it is the front page, http instead of " +
		"https, another language version, or does not return 200 directly. Not judged on localhost for the address " +
		"of another host.",
	Fix: "Point the canonical address to this page, unless it is a deliberate duplicate.",
	check: func(f *facts) verdict {
		c := f.canonical()
		shown := f.show(c)
		var v verdict
		target := &f.site.Canonical
		switch same := comparableURL(c) == comparableURL(f.final); {
		case f.elsewhere(c):
			return unchecked(noPublic)
		case strings.HasPrefix(c, "http:") && strings.HasPrefix(f.final, "https:") && sameSite(c, f.final):
			v = f.fail("The canonical address is http instead of https: %s.", shown)
		case same:
			return f.pass("The canonical address is that of the page.")
		case isRoot(c) && !isRoot(f.final) && sameSite(c, f.final):
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
		case sameSite(c, f.final):
			v = f.found(0.75, "The canonical address is another page of the site: %s.", shown).as(Info)
		default:
			v = f.found(0.25, "The canonical address is on another site: %s.", shown)
		}
		return v.fix("Point the canonical address to %s (it points to %s), unless this page is a deliberate duplicate:",
			f.show(f.publicly(f.final)), shown).paste(f.link("canonical", f.final))
	},
	apply: func(f *facts) {
		f.canonicals = []scrape.Canonical{{Written: f.final, URL: f.final, InHead: true}}
	},
})

// isAlternate reports whether the address is that of another language version.
func (f *facts) isAlternate(address string) bool {
	for i := range f.page.Hreflang {
		u, ok := f.page.Resolve(f.page.Hreflang[i].Href)
		if ok && comparableURL(u) == comparableURL(address) && comparableURL(u) != comparableURL(f.final) &&
			!equalFold(f.page.Hreflang[i].Hreflang, "x-default") {
			return true
		}
	}
	return false
}

func equalFold(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), b) }
