package rule

import (
	"strings"

	"masthead/pkg/humanize"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

var _ = register(Rule{
	ID: "seo-meta-refresh", Category: SEO, Severity: Error, Weight: 4, Title: "No meta refresh", Sources: []Source{GS, LH},
	When:  "No meta refresh leads to another page. Half the points (a warning) for one that loads this page again.",
	Fix:   "Redirect with status 301 instead of a meta refresh.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		refresh := f.page.Refresh
		if refresh == nil {
			return f.pass("There is no meta refresh.")
		}
		after := humanize.Count(refresh.Seconds, "second")
		target, ok := f.page.Resolve(refresh.URL)
		if refresh.URL == "" || ok && f.comparable(target) == f.comparable(f.final) {
			return f.found(0.5, "A meta refresh loads the page again after %s, whatever its reader does.", after).as(Warning).
				fix("Remove the meta refresh; update the content with a script if it must be current.")
		}
		return f.fail("A meta refresh leads to %s after %s: previews show this page, readers see another.",
			f.show(refresh.URL), after).
			fix("Redirect to %s with status 301 instead, or remove the meta refresh.", f.show(refresh.URL))
	},
})

var _ = register(Rule{
	ID: "seo-touch-icon", Category: SEO, Severity: Info, Weight: 1, Title: "Touch icon", Sources: []Source{AP},
	When:  "There is a link to an apple-touch-icon.",
	Fix:   "Add an apple-touch-icon of 180x180 pixels; iPhones show it on the home screen, Messages beside a title.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		for i := range f.page.Links {
			if l := &f.page.Links[i]; l.Has("apple-touch-icon") || l.Has("apple-touch-icon-precomposed") {
				return f.pass("There is a touch icon: %s.", f.show(l.Href))
			}
		}
		return f.fail("There is no apple-touch-icon.").
			fix("Add <link rel=\"apple-touch-icon\" href=\"…\"> with an opaque picture of 180x180 pixels. masthead icons " +
				"draws one.")
	},
})

var _ = register(Rule{
	ID: "seo-canonical-indexable", Category: SEO, Severity: Warning, Weight: 2, Title: "Canonical and noindex agree",
	Sources: []Source{GS},
	When: "The page doesn't say noindex and name another page as its canonical one at once. Not judged without a " +
		"canonical address.",
	Fix: "Remove noindex or the canonical address: one says to leave the page out, the other to merge it.",
	check: func(f *facts) verdict {
		c := f.canonical()
		if c == "" {
			return inapplicable
		}
		another := f.comparable(c) != f.comparable(f.final) && !f.elsewhere(c)
		for _, d := range f.directives() {
			if another && !f.indexFixed && (d.text == "noindex" || d.text == "none") {
				return f.fail("%s says %s, and the canonical address is another page: %s.", humanize.Capital(d.where), d.text,
					f.show(c)).
					fix("Remove %s from %s, or the canonical address: one says to leave the page out, the other to count it as "+
						"the other page.", d.text, d.where)
			}
		}
		return f.pass("The canonical address and the directives for search engines agree.")
	},
	apply: func(f *facts) {
		own := withoutFragment(f.final)
		f.canonicals = []scrape.Canonical{{Written: own, URL: own, InHead: true}}
	},
})

// body judges what counts a part of the links or pictures of the body.
func (f *facts) body() *page.Body { return &f.page.Body }

var _ = register(Rule{
	ID: "seo-image-alt", Category: SEO, Severity: Warning, Weight: 2, Title: "Pictures have alternative text",
	Sources: []Source{LH, HTML},
	When: "Every img element has an alt, which is empty for decoration. Points in proportion to those that have. Not " +
		"judged without pictures.",
	Fix:   "Add alt to each img element: what the picture says, or nothing for decoration.",
	alone: true,
	check: func(f *facts) verdict {
		b := f.body()
		if b.Pictures == 0 {
			return inapplicable
		}
		if b.Unlabeled == 0 {
			return f.pass("Each of %s has an alt.", humanize.Count(b.Pictures, "picture"))
		}
		return f.found(1-float64(b.Unlabeled)/float64(b.Pictures), "%d of %s %s no alt, the first is %s.", b.Unlabeled,
			humanize.Count(b.Pictures, "picture"), verb(b.Unlabeled, "has", "have"), addressOr(f.show(b.NoAlt))).
			fix("Add alt to %s: what each says, or alt=\"\" for decoration.", humanize.Count(b.Unlabeled, "img element"))
	},
})

// addressOr returns an address, or words for none.
func addressOr(address string) string {
	if address == "" {
		return "one without a src"
	}
	return address
}

var _ = register(Rule{
	ID: "seo-link-text", Category: SEO, Severity: Info, Weight: 1, Title: "Links say where they lead",
	Sources: []Source{LH},
	When:    "No link has a text such as “read more” or “click here”. Points in proportion. Not judged without links.",
	Fix:     "Name the target in the text of each link.",
	alone:   true,
	check: func(f *facts) verdict {
		b := f.body()
		if b.Links == 0 {
			return inapplicable
		}
		if b.Vague == 0 {
			return f.pass("The texts of %s say where they lead.", humanize.Count(b.Links, "link"))
		}
		return f.found(1-float64(b.Vague)/float64(b.Links), "%d of %s %s nothing about the target, the first is “%s”.",
			b.Vague, humanize.Count(b.Links, "link"), verb(b.Vague, "says", "say"), f.show(b.VagueText)).
			fix("Name the target in the text of the link, or in its aria-label, instead of “%s”.", f.show(b.VagueText))
	},
})

var _ = register(Rule{
	ID: "seo-links-crawlable", Category: SEO, Severity: Warning, Weight: 1, Title: "Links are crawlable",
	Sources: []Source{LH, GS},
	When:    "Each a element that leads somewhere has its address in href. Points in proportion. Not judged without any.",
	Fix:     "Write the address into href; search engines don't run what is in onclick or javascript:.",
	alone:   true,
	check: func(f *facts) verdict {
		b := f.body()
		all := b.Links + b.Uncrawlable
		if all == 0 {
			return inapplicable
		}
		if b.Uncrawlable == 0 {
			return f.pass("The addresses of %s are in href.", humanize.Count(b.Links, "link"))
		}
		return f.found(1-float64(b.Uncrawlable)/float64(all), "%d of %s can't be followed without scripts, the first has %s.",
			b.Uncrawlable, humanize.Count(all, "link"), f.show(strings.TrimSpace(b.ScriptLink))).
			fix("Write the address of the target into href; search engines don't run what is in onclick or javascript:.")
	},
})
