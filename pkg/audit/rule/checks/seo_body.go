package checks

import (
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

var seoMetaRefresh = rule.Rule{
	ID: "seo-meta-refresh", Category: rule.SEO, Severity: rule.Error, Weight: 4, Title: "No meta refresh",
	Sources: []rule.Source{rule.GS, rule.LH},
	When:    "No meta refresh leads to another page. Half the points (a warning) for one that loads this page again.",
	Fix:     "Redirect with status 301 instead of a meta refresh.",
	Alone:   true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		refresh := f.Page.Refresh
		if refresh == nil {
			return f.Pass("There is no meta refresh.")
		}
		after := humanize.Count(refresh.Seconds, "second")
		target, ok := f.Page.Resolve(refresh.URL)
		if refresh.URL == "" || ok && f.Comparable(target) == f.Comparable(f.Final) {
			return f.Found(0.5, "A meta refresh loads the page again after %s, whatever its reader does.", after).
				As(rule.Warning).
				Fix("Remove the meta refresh; update the content with a script if it must be current.")
		}
		return f.Fail("A meta refresh leads to %s after %s: previews show this page, readers see another.",
			f.Show(refresh.URL), after).
			Fix("Redirect to %s with status 301 instead, or remove the meta refresh.", f.Show(refresh.URL))
	},
}

var seoTouchIcon = rule.Rule{
	ID: "seo-touch-icon", Category: rule.SEO, Severity: rule.Info, Weight: 1, Title: "Touch icon",
	Sources: []rule.Source{rule.AP},
	When:    "There is a link to an apple-touch-icon.",
	Fix:     "Add an apple-touch-icon of 180x180 pixels; iPhones show it on the home screen, Messages beside a title.",
	Alone:   true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		for i := range f.Page.Links {
			if l := &f.Page.Links[i]; l.Has("apple-touch-icon") || l.Has("apple-touch-icon-precomposed") {
				return f.Pass("There is a touch icon: %s.", f.Show(l.Href))
			}
		}
		return f.Fail("There is no apple-touch-icon.").
			Fix("Add <link rel=\"apple-touch-icon\" href=\"…\"> with an opaque picture of 180x180 pixels. masthead icons " +
				"draws one.")
	},
}

var seoCanonicalIndexable = rule.Rule{
	ID: "seo-canonical-indexable", Category: rule.SEO, Severity: rule.Warning, Weight: 2,
	Title:   "Canonical and noindex agree",
	Sources: []rule.Source{rule.GS},
	When: "The page doesn't say noindex and name another page as its canonical one at once. Not judged without a " +
		"canonical address.",
	Fix: "Remove noindex or the canonical address: one says to leave the page out, the other to merge it.",
	Check: func(f *rule.Facts) rule.Verdict {
		c := f.Canonical()
		if c == "" {
			return rule.Inapplicable
		}
		another := f.Comparable(c) != f.Comparable(f.Final) && !f.Elsewhere(c)
		for _, d := range f.Directives() {
			if another && !f.IndexFixed && (d.Text == "noindex" || d.Text == "none") {
				return f.Fail("%s says %s, and the canonical address is another page: %s.", humanize.Capital(d.Where), d.Text,
					f.Show(c)).
					Fix("Remove %s from %s, or the canonical address: one says to leave the page out, the other to count it as "+
						"the other page.", d.Text, d.Where)
			}
		}
		return f.Pass("The canonical address and the directives for search engines agree.")
	},
	Apply: func(f *rule.Facts) {
		own := rule.WithoutFragment(f.Final)
		f.Canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
}

// body judges what counts a part of the links or pictures of the body.
func body(f *rule.Facts) *page.Body { return &f.Page.Body }

var seoImageAlt = rule.Rule{
	ID: "seo-image-alt", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Pictures have alternative text",
	Sources: []rule.Source{rule.LH, rule.HTML},
	When: "Every img element has an alt, which is empty for decoration. Points in proportion to those that have. Not " +
		"judged without pictures.",
	Fix:   "Add alt to each img element: what the picture says, or nothing for decoration.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		b := body(f)
		if b.Pictures == 0 {
			return rule.Inapplicable
		}
		if b.Unlabeled == 0 {
			return f.Pass("Each of %s has an alt.", humanize.Count(b.Pictures, "picture"))
		}
		return f.Found(1-float64(b.Unlabeled)/float64(b.Pictures), "%d of %s %s no alt, the first is %s.", b.Unlabeled,
			humanize.Count(b.Pictures, "picture"), rule.Verb(b.Unlabeled, "has", "have"), addressOr(f.Show(b.NoAlt))).
			Fix("Add alt to %s: what each says, or alt=\"\" for decoration.", humanize.Count(b.Unlabeled, "img element"))
	},
}

// addressOr returns an address, or words for none.
func addressOr(address string) string {
	if address == "" {
		return "one without a src"
	}
	return address
}

var seoLinkText = rule.Rule{
	ID: "seo-link-text", Category: rule.SEO, Severity: rule.Info, Weight: 1, Title: "Links say where they lead",
	Sources: []rule.Source{rule.LH},
	When:    "No link has a text such as “read more” or “click here”. Points in proportion. Not judged without links.",
	Fix:     "Name the target in the text of each link.",
	Alone:   true,
	Check: func(f *rule.Facts) rule.Verdict {
		b := body(f)
		if b.Links == 0 {
			return rule.Inapplicable
		}
		if b.Vague == 0 {
			return f.Pass("The texts of %s say where they lead.", humanize.Count(b.Links, "link"))
		}
		return f.Found(1-float64(b.Vague)/float64(b.Links), "%d of %s %s nothing about the target, the first is “%s”.",
			b.Vague, humanize.Count(b.Links, "link"), rule.Verb(b.Vague, "says", "say"), f.Show(b.VagueText)).
			Fix("Name the target in the text of the link, or in its aria-label, instead of “%s”.", f.Show(b.VagueText))
	},
}

var seoLinksCrawlable = rule.Rule{
	ID: "seo-links-crawlable", Category: rule.SEO, Severity: rule.Warning, Weight: 1, Title: "Links are crawlable",
	Sources: []rule.Source{rule.LH, rule.GS},
	When:    "Each a element that leads somewhere has its address in href. Points in proportion. Not judged without any.",
	Fix:     "Write the address into href; search engines don't run what is in onclick or javascript:.",
	Alone:   true,
	Check: func(f *rule.Facts) rule.Verdict {
		b := body(f)
		all := b.Links + b.Uncrawlable
		if all == 0 {
			return rule.Inapplicable
		}
		if b.Uncrawlable == 0 {
			return f.Pass("The addresses of %s are in href.", humanize.Count(b.Links, "link"))
		}
		return f.Found(1-float64(b.Uncrawlable)/float64(all), "%d of %s can't be followed without scripts, the first has %s.",
			b.Uncrawlable, humanize.Count(all, "link"), f.Show(strings.TrimSpace(b.ScriptLink))).
			Fix("Write the address of the target into href; search engines don't run what is in onclick or javascript:.")
	},
}
