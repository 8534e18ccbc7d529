package checks

import (
	"cmp"
	"net/url"

	"masthead/pkg/audit/rule"
	"masthead/pkg/scrape"
)

var ogURL = rule.Rule{
	ID: "og-url", Category: rule.OG, Severity: rule.Warning, Weight: 4, Title: "Open Graph URL",
	Sources: []rule.Source{rule.OGP, rule.WA},
	When:    "og:url is not empty.",
	Fix:     "Add og:url with the canonical address; shares are counted under it.",
	Opens:   []string{"og-url-valid"},
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGURL != "" {
			return f.Pass("og:url is %s.", f.Show(f.OGURL))
		}
		return f.Fail("There is no og:url, so shares of different forms of the address are counted separately.").
			Fix("Add og:url with the canonical address; shares are counted under it:").
			Paste(urlOf(f, f.Self()))
	},
	Apply: func(f *rule.Facts) { f.OGURL, f.HasOG = cmp.Or(f.Self(), rule.WithoutFragment(f.Final)), true },
}

var ogURLValid = rule.Rule{
	ID: "og-url-valid", Category: rule.OG, Severity: rule.Error, Weight: 3, Title: "Open Graph URL points to this page",
	Sources: []rule.Source{rule.FB},
	When: "og:url is a full http or https address without a fragment, of the same site, and not the front page unless " +
		"this is it. Not judged without og:url, nor on localhost for the address of another host.",
	Fix: "Set og:url to this page's own address; networks read the page at og:url instead of this one.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGURL == "" {
			return rule.Inapplicable
		}
		v := f.Pass("og:url is a full address of this site.")
		u, err := url.Parse(f.OGURL)
		switch {
		case rule.FormOf(f.OGURL) < rule.AbsoluteHTTP || err != nil || u.Host == "":
			v = f.Fail("og:url is “%s”, which is not a full address.", f.Show(f.OGURL))
		case u.Fragment != "":
			v = f.Fail("og:url has a fragment (#%s), which crawlers drop.", f.Show(u.Fragment))
		case f.Elsewhere(f.OGURL):
			return rule.Unchecked(f.NoPublic())
		case !f.SameSite(f.OGURL, f.Final):
			v = f.Fail("og:url points to another site: %s.", f.Show(f.OGURL))
		case rule.IsRoot(f.OGURL) && !rule.IsRoot(f.Final) && !rule.SamePath(f.OGURL, f.Final):
			v = f.Fail("og:url points to the front page (%s), so networks show that one instead.", f.Show(f.OGURL))
		}
		const fix = "Set %s to this page's own address (it is %s); networks read the page at og:url instead of this one:"
		if !f.CanonicalFits() && f.Comparable(f.OGURL) == f.Comparable(f.Canonical()) {
			return v.Fix(fix, "og:url and the canonical address", f.ShowURL(f.OGURL)).Paste(bothURLs(f))
		}
		return v.Fix(fix, "og:url", f.ShowURL(f.OGURL)).Paste(urlOf(f, f.Self()))
	},
	Apply: fixURLs,
}

// urlOf returns an og:url to paste, or "" without an address.
func urlOf(f *rule.Facts, address string) string {
	if address == "" {
		return ""
	}
	return f.Address("property", "og:url", address)
}

// bothURLs returns a canonical link and an og:url with the page's own address: where both have the same wrong one,
// fixing one alone would make them contradict each other. "" if elements can't fix it.
func bothURLs(f *rule.Facts) string {
	self := f.Self()
	if self == "" || f.Quiet || f.CanonicalInHeader() {
		return ""
	}
	return f.Link("canonical", self) + "\n" + urlOf(f, self)
}

// fixURLs makes the canonical address, if it is a wrong one, and the og:url that repeats it the page's own one.
func fixURLs(f *rule.Facts) {
	self := cmp.Or(f.Self(), rule.WithoutFragment(f.Final))
	if !f.CanonicalFits() {
		if f.Comparable(f.OGURL) == f.Comparable(f.Canonical()) {
			f.OGURL = self
		}
		f.Canonicals = []scrape.Canonical{{Written: self, URL: self, InHead: true}}
		return
	}
	f.OGURL = self
}

var ogURLCanonicalMatch = rule.Rule{
	ID: "og-url-canonical-match", Category: rule.OG, Severity: rule.Warning, Weight: 2,
	Title:   "Open Graph URL equals canonical",
	Sources: []rule.Source{rule.FB, rule.GS},
	When: "og:url and rel=canonical name the same page, ignoring scheme, www, trailing slash and tracking parameters. " +
		"Not judged when either is missing, nor counted as good as long as the canonical address is a wrong one. On " +
		"localhost, one that is there counts as the public one.",
	Fix: "Use the same address in og:url and rel=canonical, so that shares and search agree.",
	Check: func(f *rule.Facts) rule.Verdict {
		canonical := f.Canonical()
		own, ok := f.Page.Resolve(f.OGURL)
		if !ok || canonical == "" {
			return rule.Inapplicable
		}
		same := f.Comparable(f.Publicly(own)) == f.Comparable(f.Publicly(canonical))
		if !f.CanonicalFits() && !same {
			return rule.Verdict{State: rule.Blocked}
		}
		if same {
			return f.Pass("og:url and the canonical address are the same.")
		}
		return f.Fail("og:url is %s, but the canonical address is %s.", f.Show(own), f.Show(canonical)).
			Fix("Use the same address in og:url and rel=canonical (%s against %s), so that shares and search agree:",
				f.ShowURL(own), f.ShowURL(canonical)).Paste(f.Address("property", "og:url", canonical))
	},
	Apply: func(f *rule.Facts) { f.OGURL = f.Canonical() },
}
