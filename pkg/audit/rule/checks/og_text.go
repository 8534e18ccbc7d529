package checks

import (
	"masthead/pkg/audit/rule"
)

// titleWeight is also that of a title which is none: a placeholder of a template.
const titleWeight = 9

var ogTitle = rule.Rule{
	ID: "og-title", Category: rule.OG, Severity: rule.Error, Weight: titleWeight, Title: "Open Graph title",
	Sources: []rule.Source{rule.OGP, rule.FB, rule.WA},
	When:    "og:title is not empty. Half the points (a warning) when there is only a title element.",
	Fix:     "Add og:title to the head; without it each network guesses from the title element.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGTitle != "" {
			return f.Pass("og:title is “%s”.", f.Show(f.OGTitle))
		}
		v := f.Fail("There is neither og:title nor a title element, so a shared link shows its bare address.").
			Hides(rule.OnFacebooks)
		if len(f.Titles) > 0 {
			v = f.Found(0.5, "There is no og:title; networks guess from the title element.").As(rule.Warning)
		}
		return v.Fix("Add og:title to the head of the page:").Paste(f.Filled("property", "og:title", f.OwnTitle()))
	},
	Apply: func(f *rule.Facts) { f.OGTitle, f.HasOG = rule.SampleTitle, true },
}

var ogTitleLength = rule.Rule{
	ID: "og-title-length", Category: rule.OG, Severity: rule.Warning, Weight: 1, Title: "Open Graph title length",
	Needs: "og-title", Sources: []rule.Source{rule.X, rule.IND},
	When: "og:title has 10 to 60 characters. Half the points for 61 to 90 or 5 to 9. One that repeats the title element " +
		"is reported by seo-title-length.",
	Fix: "Keep og:title between 10 and 60 characters; X cuts at 70.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGTitle == "" {
			return rule.Inapplicable
		}
		n, length := f.Columns(f.OGTitle), f.Length(f.OGTitle)
		v := f.Found(0, "og:title has %s; 10 to 60 are shown in full nearly everywhere.", length)
		switch {
		case n >= titleBest && n <= titleFull:
			return f.Pass("og:title has %s.", length)
		case n >= titleLeast && n <= titleMost:
			v.Credit = 0.5
		}
		if repeatsTitle(f) && !titleFits(f) {
			return because(v) // by seo-title-length: it is the same text
		}
		return v.Fix("Keep og:title between %d and %d characters (it has %s); X cuts at %d.",
			titleBest, titleFull, length, titleX)
	},
	Apply: func(f *rule.Facts) {
		shorter := shorter(f, f.OGTitle)
		if f.TwitterTitle == f.OGTitle {
			f.TwitterTitle = shorter
		}
		f.OGTitle = shorter
	},
}

// shorter returns a text of a good length instead of a title. It repeats the site's name if the title does, which is a
// finding of its own.
func shorter(f *rule.Facts, title string) string {
	name := f.Page.Meta.Get("og:site_name")
	if _, repeats := withoutBrand(title, name); name == "" || !repeats {
		return rule.SampleTitle
	}
	return rule.SampleTitle[:len(rule.SampleTitle)/2] + " | " + name
}

var ogDescription = rule.Rule{
	ID: "og-description", Category: rule.OG, Severity: rule.Error, Weight: 7, Title: "Open Graph description",
	Sources: []rule.Source{rule.OGP, rule.WA},
	When:    "og:description is not empty. 40 % of the points (a warning) when there is only a meta description.",
	Fix:     "Add og:description with one or two sentences; WhatsApp needs it.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGDescription != "" {
			return f.Pass("og:description is “%s”.", f.Show(f.OGDescription))
		}
		v := f.Fail("There is no og:description and no meta description.")
		if len(f.Descriptions) > 0 {
			without := "WhatsApp does not"
			if f.TwitterDescription == "" {
				without = "WhatsApp and X do not"
			}
			v = f.Found(0.4, "There is no og:description; some networks take the meta description, %s.", without).
				As(rule.Warning)
		}
		return v.Fix("Add og:description with one or two sentences (50 to 200 characters):").
			Paste(f.Filled("property", "og:description", f.OwnDescription()))
	},
	Apply: func(f *rule.Facts) { f.OGDescription, f.HasOG = rule.SampleDescription, true },
}

var ogDescriptionLength = rule.Rule{
	ID: "og-description-length", Category: rule.OG, Severity: rule.Warning, Weight: 1,
	Title: "Open Graph description length",
	Needs: "og-description", Sources: []rule.Source{rule.X, rule.DC, rule.IND},
	When: "og:description has 50 to 200 characters. Half the points for 30 to 49 or 201 to 300.",
	Fix:  "Use 50 to 200 characters; X stops at 200, chat apps near 300.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OGDescription == "" {
			return rule.Inapplicable
		}
		n, length := f.Columns(f.OGDescription), f.Length(f.OGDescription)
		v := f.Found(0, "og:description has %s; 50 to 200 are best.", length)
		switch {
		case n >= descriptionBest && n <= descriptionX:
			return f.Pass("og:description has %s.", length)
		case n >= descriptionLeast && n <= descriptionMost:
			v.Credit = 0.5
		}
		return v.Fix("Use %d to %d characters in og:description (it has %s); X stops at %d, chat apps near %d.",
			descriptionBest, descriptionX, length, descriptionX, descriptionMost)
	},
	Apply: func(f *rule.Facts) { f.OGDescription = rule.SampleDescription },
}
