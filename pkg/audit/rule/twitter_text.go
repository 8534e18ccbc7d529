package rule

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
	When: "The title that X uses has at most 70 characters. Half the points up to 100. One that is also og:title is " +
		"reported by og-title-length or seo-title-length.",
	Fix: "Shorten it to 70 characters, or set a shorter twitter:title.",
	check: func(f *facts) verdict {
		value, tag := f.titleOfX()
		v := f.atMost(tag, value, titleX, titleXMost)
		if v.credit < 1 && f.sameTitleFails(value, tag) {
			return v.because()
		}
		return v.fix("Shorten %s to %d characters (it has %s), or set a shorter twitter:title.", tag, titleX,
			f.length(value))
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
		return f.atMost(tag, value, descriptionX, descriptionXMost).
			fix("Keep %s within %d characters (it has %s).", tag, descriptionX, f.length(value))
	},
	apply: func(f *facts) { f.twDescription = sampleDescription },
})

// atMost judges the length of a text: all points up to best characters, half up to most.
func (f *facts) atMost(tag, text string, best, most int) verdict {
	switch n := f.columns(text); {
	case n <= best:
		return f.pass("%s has %s.", tag, f.length(text))
	case n <= most:
		return f.found(0.5, "%s has %s; X cuts it at %d.", tag, f.length(text), best)
	}
	return f.fail("%s has %s; X cuts it at %d.", tag, f.length(text), best)
}

// because makes a finding one of another rule, which names the cause of both: it isn't listed, and keeps its points.
func (v verdict) because() verdict {
	if v.credit == 1 {
		return v
	}
	return verdict{state: blocked, credit: v.credit}
}

// repeatsTitle reports whether og:title is the text of the title element.
func (f *facts) repeatsTitle() bool {
	return f.ogTitle != "" && len(f.titles) > 0 && f.titles[0] == f.ogTitle
}

// titleFits reports whether the title element has a length that results show in full.
func (f *facts) titleFits() bool {
	n := f.columns(f.titles[0])
	return n >= pageTitleLow && n <= pageTitleHigh
}

// sameTitleFails reports whether the title of X is a text whose length another rule finds wrong.
func (f *facts) sameTitleFails(value, tag string) bool {
	n := f.columns(f.ogTitle)
	return (tag == "og:title" || value == f.ogTitle) && (n < titleBest || n > titleFull)
}
