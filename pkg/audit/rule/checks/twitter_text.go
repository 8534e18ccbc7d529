package checks

import (
	"masthead/pkg/audit/rule"
)

var twitterTitle = rule.Rule{
	ID: "twitter-title", Category: rule.Twitter, Severity: rule.Error, Weight: 9, Title: "Card title",
	Sources: []rule.Source{rule.X},
	When:    "There is a twitter:title, or an og:title that X uses instead.",
	Fix:     "Add og:title or twitter:title; X does not use the title element.",
	Check: func(f *rule.Facts) rule.Verdict {
		if value, tag := f.TitleOfX(); value != "" {
			return f.Pass("X uses the title from %s: “%s”.", tag, f.Show(value))
		}
		return f.Fail("There is neither twitter:title nor og:title; X does not use the title element.").Hides(rule.OnX).
			Fix("Add twitter:title, or og:title, which X also uses:").Paste(f.Filled("name", "twitter:title", f.OwnTitle()))
	},
	Apply: func(f *rule.Facts) { f.TwitterTitle = rule.SampleTitle },
}

var twitterTitleLength = rule.Rule{
	ID: "twitter-title-length", Category: rule.Twitter, Severity: rule.Warning, Weight: 3, Title: "Card title length",
	Needs: "twitter-title", Sources: []rule.Source{rule.X},
	When: "The title that X uses has at most 70 characters. Half the points up to 100. One that is also og:title is " +
		"reported by og-title-length or seo-title-length.",
	Fix: "Shorten it to 70 characters, or set a shorter twitter:title.",
	Check: func(f *rule.Facts) rule.Verdict {
		value, tag := f.TitleOfX()
		v := atMost(f, tag, value, titleX, titleXMost)
		if v.Credit < 1 && sameTitleFails(f, value, tag) {
			return because(v)
		}
		return v.Fix("Shorten %s to %d characters (it has %s), or set a shorter twitter:title.", tag, titleX,
			f.Length(value))
	},
	Apply: func(f *rule.Facts) { f.TwitterTitle = rule.SampleTitle },
}

var twitterDescription = rule.Rule{
	ID: "twitter-description", Category: rule.Twitter, Severity: rule.Warning, Weight: 7, Title: "Card description",
	Sources: []rule.Source{rule.X},
	When:    "There is a twitter:description, or an og:description that X uses instead.",
	Fix:     "Add og:description or twitter:description.",
	Check: func(f *rule.Facts) rule.Verdict {
		if value, tag := f.DescriptionOfX(); value != "" {
			return f.Pass("X uses the description from %s: “%s”.", tag, f.Show(value))
		}
		return f.Fail("There is neither twitter:description nor og:description.").
			Fix("Add twitter:description, or og:description, which X also uses:").
			Paste(f.Filled("name", "twitter:description", f.OwnDescription()))
	},
	Apply: func(f *rule.Facts) { f.TwitterDescription = rule.SampleDescription },
}

var twitterDescriptionLength = rule.Rule{
	ID: "twitter-description-length", Category: rule.Twitter, Severity: rule.Info, Weight: 3,
	Title: "Card description length",
	Needs: "twitter-description", Sources: []rule.Source{rule.X},
	When: "The description that X uses has at most 200 characters. Half the points up to 300.",
	Fix:  "Keep it within 200 characters.",
	Check: func(f *rule.Facts) rule.Verdict {
		value, tag := f.DescriptionOfX()
		return atMost(f, tag, value, descriptionX, descriptionXMost).
			Fix("Keep %s within %d characters (it has %s).", tag, descriptionX, f.Length(value))
	},
	Apply: func(f *rule.Facts) { f.TwitterDescription = rule.SampleDescription },
}

// atMost judges the length of a text: all points up to best characters, half up to most.
func atMost(f *rule.Facts, tag, text string, best, most int) rule.Verdict {
	switch n := f.Columns(text); {
	case n <= best:
		return f.Pass("%s has %s.", tag, f.Length(text))
	case n <= most:
		return f.Found(0.5, "%s has %s; X cuts it at %d.", tag, f.Length(text), best)
	}
	return f.Fail("%s has %s; X cuts it at %d.", tag, f.Length(text), best)
}

// because makes a finding one of another rule, which names the cause of both: it isn't listed, and keeps its points.
func because(v rule.Verdict) rule.Verdict {
	if v.Credit == 1 {
		return v
	}
	return rule.Verdict{State: rule.Blocked, Credit: v.Credit}
}

// repeatsTitle reports whether og:title is the text of the title element.
func repeatsTitle(f *rule.Facts) bool {
	return f.OGTitle != "" && len(f.Titles) > 0 && f.Titles[0] == f.OGTitle
}

// titleFits reports whether the title element has a length that results show in full.
func titleFits(f *rule.Facts) bool {
	n := f.Columns(f.Titles[0])
	return n >= pageTitleLow && n <= pageTitleHigh
}

// sameTitleFails reports whether the title of X is a text whose length another rule finds wrong.
func sameTitleFails(f *rule.Facts, value, tag string) bool {
	n := f.Columns(f.OGTitle)
	return (tag == "og:title" || value == f.OGTitle) && (n < titleBest || n > titleFull)
}
