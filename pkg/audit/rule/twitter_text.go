package rule

import (
	"masthead/pkg/humanize"
)

var _ = register(Rule{
	ID: "twitter-title", Category: Twitter, Severity: Error, Weight: 9, Title: "Card title", Sources: []Source{X},
	When: "There is a twitter:title, or an og:title that X uses instead.",
	Fix:  "Add og:title or twitter:title; X does not use the title element.",
	check: func(f *facts) verdict {
		if value, tag := f.titleOfX(); value != "" {
			return f.pass("X uses the title from %s: “%s”.", tag, f.show(value))
		}
		return f.fail("There is neither twitter:title nor og:title; X does not use the title element.").hides(onX).
			fix("Add twitter:title, or og:title, which X also uses:").paste(f.filled("name", "twitter:title", f.ownTitle()))
	},
	apply: func(f *facts) { f.twTitle = sampleTitle },
})

var _ = register(Rule{
	ID: "twitter-title-length", Category: Twitter, Severity: Warning, Weight: 3, Title: "Card title length",
	Needs: "twitter-title", Sources: []Source{X},
	When: "The title that X uses has at most 70 characters. Half the points up to 100.",
	Fix:  "Shorten it to 70 characters, or set a shorter twitter:title.",
	check: func(f *facts) verdict {
		value, tag := f.titleOfX()
		return f.atMost(tag, f.columns(value), titleX, titleXMost).
			fix("Shorten %s to %d characters (it has %d), or set a shorter twitter:title.", tag, titleX, f.columns(value))
	},
	apply: func(f *facts) { f.twTitle = sampleTitle },
})

var _ = register(Rule{
	ID: "twitter-description", Category: Twitter, Severity: Warning, Weight: 7, Title: "Card description",
	Sources: []Source{X},
	When:    "There is a twitter:description, or an og:description that X uses instead.",
	Fix:     "Add og:description or twitter:description.",
	check: func(f *facts) verdict {
		if value, tag := f.descriptionOfX(); value != "" {
			return f.pass("X uses the description from %s: “%s”.", tag, f.show(value))
		}
		return f.fail("There is neither twitter:description nor og:description.").
			fix("Add twitter:description, or og:description, which X also uses:").
			paste(f.filled("name", "twitter:description", f.ownDescription()))
	},
	apply: func(f *facts) { f.twDescription = sampleDescription },
})

var _ = register(Rule{
	ID: "twitter-description-length", Category: Twitter, Severity: Info, Weight: 3, Title: "Card description length",
	Needs: "twitter-description", Sources: []Source{X},
	When: "The description that X uses has at most 200 characters. Half the points up to 300.",
	Fix:  "Keep it within 200 characters.",
	check: func(f *facts) verdict {
		value, tag := f.descriptionOfX()
		return f.atMost(tag, f.columns(value), descriptionX, descriptionXMost).
			fix("Keep %s within %d characters (it has %d).", tag, descriptionX, f.columns(value))
	},
	apply: func(f *facts) { f.twDescription = sampleDescription },
})

// atMost judges a length of n characters: all points up to best, half up to most.
func (f *facts) atMost(tag string, n, best, most int) verdict {
	switch {
	case n <= best:
		return f.pass("%s has %s.", tag, humanize.Count(n, "character"))
	case n <= most:
		return f.found(0.5, "%s has %d characters; X cuts it at %d.", tag, n, best)
	}
	return f.fail("%s has %d characters; X cuts it at %d.", tag, n, best)
}
