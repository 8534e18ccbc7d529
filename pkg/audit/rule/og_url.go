package rule

import (
	"cmp"
	"net/url"

	"masthead/pkg/scrape"
)

var _ = register(Rule{
	ID: "og-url", Category: OG, Severity: Warning, Weight: 4, Title: "Open Graph URL", Sources: []Source{OGP, WA},
	When:  "og:url is not empty.",
	Fix:   "Add og:url with the canonical address; shares are counted under it.",
	opens: []string{"og-url-valid"},
	check: func(f *facts) verdict {
		if f.ogURL != "" {
			return f.pass("og:url is %s.", f.show(f.ogURL))
		}
		return f.fail("There is no og:url, so shares of different forms of the address are counted separately.").
			fix("Add og:url with the canonical address; shares are counted under it:").
			paste(f.urlOf(f.self()))
	},
	apply: func(f *facts) { f.ogURL, f.hasOG = cmp.Or(f.self(), withoutFragment(f.final)), true },
})

var _ = register(Rule{
	ID: "og-url-valid", Category: OG, Severity: Error, Weight: 3, Title: "Open Graph URL points to this page",
	Sources: []Source{FB},
	When: "og:url is a full http or https address without a fragment, of the same site, and not the front page unless " +
		"this is it. Not judged without og:url, nor on localhost for the address of another host.",
	Fix: "Set og:url to this page's own address; networks read the page at og:url instead of this one.",
	check: func(f *facts) verdict {
		if f.ogURL == "" {
			return inapplicable
		}
		v := f.pass("og:url is a full address of this site.")
		u, err := url.Parse(f.ogURL)
		switch {
		case formOf(f.ogURL) < absoluteHTTP || err != nil || u.Host == "":
			v = f.fail("og:url is “%s”, which is not a full address.", f.show(f.ogURL))
		case u.Fragment != "":
			v = f.fail("og:url has a fragment (#%s), which crawlers drop.", f.show(u.Fragment))
		case f.elsewhere(f.ogURL):
			return unchecked(f.noPublic())
		case !f.sameSite(f.ogURL, f.final):
			v = f.fail("og:url points to another site: %s.", f.show(f.ogURL))
		case isRoot(f.ogURL) && !isRoot(f.final) && !samePath(f.ogURL, f.final):
			v = f.fail("og:url points to the front page (%s), so networks show that one instead.", f.show(f.ogURL))
		}
		const fix = "Set %s to this page's own address (it is %s); networks read the page at og:url instead of this one:"
		if !f.canonicalFits() && f.comparable(f.ogURL) == f.comparable(f.canonical()) {
			return v.fix(fix, "og:url and the canonical address", f.name(f.ogURL)).paste(f.bothURLs())
		}
		return v.fix(fix, "og:url", f.name(f.ogURL)).paste(f.urlOf(f.self()))
	},
	apply: (*facts).fixURLs,
})

// urlOf returns an og:url to paste, or "" without an address.
func (f *facts) urlOf(address string) string {
	if address == "" {
		return ""
	}
	return f.address("property", "og:url", address)
}

// bothURLs returns a canonical link and an og:url with the page's own address: where both have the same wrong one,
// fixing one alone would make them contradict each other. "" if elements can't fix it.
func (f *facts) bothURLs() string {
	self := f.self()
	if self == "" || f.quiet || f.canonicalInHeader() {
		return ""
	}
	return f.link("canonical", self) + "\n" + f.urlOf(self)
}

// fixURLs makes the canonical address, if it is a wrong one, and the og:url that repeats it the page's own one.
func (f *facts) fixURLs() {
	self := cmp.Or(f.self(), withoutFragment(f.final))
	if !f.canonicalFits() {
		if f.comparable(f.ogURL) == f.comparable(f.canonical()) {
			f.ogURL = self
		}
		f.canonicals = []scrape.Canonical{{Written: self, URL: self, InHead: true}}
		return
	}
	f.ogURL = self
}

var _ = register(Rule{
	ID: "og-url-canonical-match", Category: OG, Severity: Warning, Weight: 2, Title: "Open Graph URL equals canonical",
	Sources: []Source{FB, GS},
	When: "og:url and rel=canonical name the same page, ignoring scheme, www, trailing slash and tracking parameters. " +
		"Not judged when either is missing, nor counted as good as long as the canonical address is a wrong one. On " +
		"localhost, one that is there counts as the public one.",
	Fix: "Use the same address in og:url and rel=canonical, so that shares and search agree.",
	check: func(f *facts) verdict {
		canonical := f.canonical()
		own, ok := f.page.Resolve(f.ogURL)
		if !ok || canonical == "" {
			return inapplicable
		}
		same := f.comparable(f.publicly(own)) == f.comparable(f.publicly(canonical))
		if !f.canonicalFits() && !same {
			return verdict{state: blocked}
		}
		if same {
			return f.pass("og:url and the canonical address are the same.")
		}
		return f.fail("og:url is %s, but the canonical address is %s.", f.show(own), f.show(canonical)).
			fix("Use the same address in og:url and rel=canonical (%s against %s), so that shares and search agree:",
				f.name(own), f.name(canonical)).paste(f.address("property", "og:url", canonical))
	},
	apply: func(f *facts) { f.ogURL = f.canonical() },
})
