package rule

import "net/url"

var _ = register(Rule{
	ID: "og-url", Category: OG, Severity: Warning, Weight: 5, Title: "Open Graph URL", Sources: []Source{OGP, WA},
	When:  "og:url is not empty.",
	Fix:   "Add og:url with the canonical address; shares are counted under it.",
	opens: []string{"og-url-valid"},
	check: func(f *facts) verdict {
		if f.ogURL != "" {
			return f.pass("og:url is %s.", f.show(f.ogURL))
		}
		return f.fail("There is no og:url, so shares of different forms of the address are counted separately.").
			fix("Add og:url with the canonical address; shares are counted under it:").
			paste(f.address("property", "og:url", f.own()))
	},
	apply: func(f *facts) { f.ogURL, f.hasOG = f.own(), true },
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
		v := f.pass("og:url belongs to this page.")
		u, err := url.Parse(f.ogURL)
		switch {
		case formOf(f.ogURL) < absoluteHTTP || err != nil || u.Host == "":
			v = f.fail("og:url is “%s”, which is not a full address.", f.show(f.ogURL))
		case u.Fragment != "":
			v = f.fail("og:url has a fragment (#%s), which crawlers drop.", f.show(u.Fragment))
		case f.elsewhere(f.ogURL):
			return unchecked(noPublic)
		case !sameSite(f.ogURL, f.final):
			v = f.fail("og:url points to another site: %s.", f.show(f.ogURL))
		case isRoot(f.ogURL) && !isRoot(f.final):
			v = f.fail("og:url points to the front page (%s), so networks show that one instead.", f.show(f.ogURL))
		}
		return v.fix("Set og:url to this page's own address (it is %s); networks read the page at og:url instead of this "+
			"one:",
			f.show(f.ogURL)).paste(f.address("property", "og:url", f.final))
	},
	apply: func(f *facts) { f.ogURL = f.final },
})

var _ = register(Rule{
	ID: "og-url-canonical-match", Category: OG, Severity: Warning, Weight: 3, Title: "Open Graph URL equals canonical",
	Sources: []Source{FB, GS},
	When: "og:url and rel=canonical name the same page, ignoring scheme, www, trailing slash and tracking parameters. " +
		"Not judged when either is missing.",
	Fix: "Use the same address in og:url and rel=canonical, so that shares and search agree.",
	check: func(f *facts) verdict {
		canonical := f.canonical()
		own, ok := f.page.Resolve(f.ogURL)
		if !ok || canonical == "" {
			return inapplicable
		}
		if comparableURL(own) == comparableURL(canonical) {
			return f.pass("og:url and the canonical address are the same.")
		}
		return f.fail("og:url is %s, but the canonical address is %s.", f.show(own), f.show(canonical)).
			fix("Use the same address in og:url and rel=canonical (%s against %s), so that shares and search agree:",
				f.show(own), f.show(canonical)).paste(f.address("property", "og:url", canonical))
	},
	apply: func(f *facts) { f.ogURL = f.canonical() },
})
