package checks

import (
	"cmp"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/scrape"
)

var seoCanonical = rule.Rule{
	ID: "seo-canonical", Category: rule.SEO, Severity: rule.Warning, Weight: 5, Title: "Canonical URL",
	Sources: []rule.Source{rule.GS},
	When:    "There is a rel=canonical with an address, in the head or in the HTTP header Link.",
	Fix:     "Add a canonical link with the address of the page.",
	Check: func(f *rule.Facts) rule.Verdict {
		for i := range f.Canonicals {
			if c := &f.Canonicals[i]; c.InHead || c.InHeader {
				return f.Pass("The canonical address is %s.", f.Show(c.Written))
			}
		}
		if len(f.Canonicals) > 0 {
			return rule.Verdict{State: rule.Blocked} // by seo-head-integrity: a second one would not help
		}
		v := f.Fail("There is no canonical address.")
		self := f.Self()
		if f.IsError() {
			return v.Fix("Add the canonical address once the page returns status 200.")
		}
		if self == "" {
			return v.Fix("Add the canonical address to the head: that of the page without the parameters that do not change " +
				"its content.")
		}
		return v.Fix("Add the canonical address to the head:").Paste(f.Link("canonical", self))
	},
	Apply: func(f *rule.Facts) { // with parameters it has no code: without them the page is most often the same
		own, _, _ := strings.Cut(rule.WithoutFragment(f.Final), "?")
		f.Canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
}

var seoCanonicalValid = rule.Rule{
	ID: "seo-canonical-valid", Category: rule.SEO, Severity: rule.Error, Weight: 3, Title: "Canonical is well formed",
	Needs: "seo-canonical", Sources: []rule.Source{rule.GS, rule.LH},
	When: "Link elements and header have one value in total, which is a full http or https address in the head " +
		"without a fragment. Half the points (a warning) for a relative one.",
	Fix: "Keep one full canonical address; several different ones are all ignored.",
	Check: func(f *rule.Facts) rule.Verdict {
		var distinct []string
		fragment, short, unusable := false, false, false
		for i := range f.Canonicals {
			c := &f.Canonicals[i]
			known := false
			for _, d := range distinct {
				known = known || d == cmp.Or(c.URL, c.Written)
			}
			if !known {
				distinct = append(distinct, cmp.Or(c.URL, c.Written))
			}
			fragment = fragment || strings.Contains(c.Written, "#")
			short = short || rule.FormOf(c.Written) < rule.AbsoluteHTTP
			unusable = unusable || c.URL == ""
		}
		shown, named := "", ""
		if !f.Quiet {
			for _, d := range distinct[:min(len(distinct), alternatesInMessage)] {
				shown = strings.TrimPrefix(shown+", "+f.Show(d), ", ")
				named = strings.TrimPrefix(named+", "+f.ShowURL(d), ", ")
			}
		}
		v := f.Pass("There is one canonical address, %s.", shown)
		why := ""
		switch {
		case len(distinct) > 1:
			v = f.Fail("There are %d different canonical addresses: %s.", len(distinct), shown)
			why = "Keep one full canonical address in the head (found " + named + "); several different ones are all ignored:"
		case unusable:
			v = f.Fail("The canonical address is no http or https address: %s.", shown)
			why = "Write the full address of the page, with https://, into the canonical link:"
		case fragment:
			v = f.Fail("The canonical address has a fragment: %s.", shown)
			why = "Leave out what begins with #; search engines know no parts of pages:"
		case short:
			v = f.Found(0.5, "The canonical address is a relative one: “%s”.", f.Show(f.Canonicals[0].Written)).As(rule.Warning)
			why = "Write the full address, with https://, into the canonical link:"
		}
		code := ""
		if own := keptCanonical(f); own != "" && !f.CanonicalInHeader() {
			code = f.Link("canonical", own)
		}
		return v.Fix("%s", why).Paste(code)
	},
	Apply: func(f *rule.Facts) {
		own := cmp.Or(keptCanonical(f), f.Self(), rule.WithoutFragment(f.Final))
		f.Canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
}

// keptCanonical returns which of the page's canonical addresses to keep: its only one, otherwise the page's own.
func keptCanonical(f *rule.Facts) string {
	first := f.Canonical()
	for i := range f.Canonicals {
		if c := f.Canonicals[i].URL; c != "" && rule.WithoutFragment(c) != rule.WithoutFragment(first) {
			return f.Self()
		}
	}
	return cmp.Or(rule.WithoutFragment(first), f.Self())
}

var seoCanonicalTarget = rule.Rule{
	ID: "seo-canonical-target", Category: rule.SEO, Severity: rule.Warning, Weight: 4,
	Title: "Canonical points to this page",
	Needs: "seo-canonical-valid", Sources: []rule.Source{rule.GS, rule.LH},
	When: "The canonical address is that of the page, with or without its parameters. 75 % of the points (info) when " +
		"it is another page of the site that returns 200, a quarter when it is one of another site; none when it is the front page, http instead of " +
		"https, another language version, or does not return 200 directly. Not judged on localhost for the address " +
		"of another host.",
	Fix: "Point the canonical address to this page, unless it is a deliberate duplicate.",
	Check: func(f *rule.Facts) rule.Verdict {
		c := f.Canonical()
		shown := f.Show(c)
		var v rule.Verdict
		target := &f.Site.Canonical
		switch same := f.Comparable(c) == f.Comparable(f.Final); {
		case f.Elsewhere(c):
			return rule.Unchecked(f.NoPublic())
		case strings.HasPrefix(c, "http:") && strings.HasPrefix(f.Final, "https:") && f.SameSite(c, f.Final):
			v = f.Fail("The canonical address is http instead of https: %s.", shown)
		case same:
			return f.Pass("The canonical address is that of the page.")
		case rule.SamePath(c, f.Final) && f.CanonicalFits():
			return f.Pass("The canonical address is that of the page without its parameters: %s.", shown)
		case rule.IsRoot(c) && !rule.IsRoot(f.Final) && f.SameSite(c, f.Final) && !rule.SamePath(c, f.Final):
			v = f.Fail("The canonical address is the front page (%s), so search engines leave this page out.", shown)
		case f.IsAlternate(c):
			v = f.Fail("The canonical address is another language version (%s), so this one is left out.", shown)
		case target.State == scrape.Failed || target.State == scrape.Refused:
			v = f.Fail("The canonical address %s does not return a page.", shown)
			if n := target.Value.Status; n != 0 {
				v = f.Fail("The canonical address %s returns status %s.", shown, rule.Status(n))
			}
		case target.Got() && (target.Value.Status != 200 || target.Value.Final != target.Value.URL):
			v = f.Fail("The canonical address %s does not return status 200 directly.", shown)
		case f.SameSite(c, f.Final):
			v = f.Found(0.75, "The canonical address is another page of the site: %s.", shown).As(rule.Info)
		default:
			v = f.Found(0.25, "The canonical address is on another site: %s.", shown)
		}
		unless := ", unless this page is a deliberate duplicate"
		if strings.HasPrefix(c, "http:") && f.Comparable(c) == f.Comparable(f.Final) {
			unless = ""
		}
		own := pageAddress(f)
		repeated := f.Comparable(f.OGURL) == f.Comparable(c)
		if repeated && urlWrong(f) {
			return rule.Verdict{State: rule.Blocked} // by og-url-valid: both are fixed together
		}
		code := ""
		if own != "" && !f.CanonicalInHeader() {
			if code = f.Link("canonical", own); repeated && !f.Quiet {
				code += "\n" + urlOf(f, own)
			}
		}
		return v.Fix("Point the canonical address to %s (it points to %s)%s:",
			f.ShowURL(cmp.Or(own, f.Final)), f.ShowURL(c), unless).Paste(code)
	},
	Apply: func(f *rule.Facts) {
		own := cmp.Or(pageAddress(f), rule.WithoutFragment(f.Final))
		if f.Comparable(f.OGURL) == f.Comparable(f.Canonical()) {
			f.OGURL = own
		}
		f.Canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
}

// pageAddress is [rule.Facts.Self] of a page without a canonical address.
func pageAddress(f *rule.Facts) string {
	bare := *f
	bare.Canonicals = nil
	return bare.Self()
}

// urlWrong reports whether og:url names another site or another page, the front page.
func urlWrong(f *rule.Facts) bool {
	return f.OGURL != "" && !f.Elsewhere(f.OGURL) && (!f.SameSite(f.OGURL, f.Final) ||
		rule.IsRoot(f.OGURL) && !rule.IsRoot(f.Final) && !rule.SamePath(f.OGURL, f.Final))
}
