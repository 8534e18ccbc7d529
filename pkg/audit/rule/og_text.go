package rule

// titleWeight is also that of a title which is none: a placeholder of a template.
const titleWeight = 9

var _ = register(Rule{
	ID: "og-title", Category: OG, Severity: Error, Weight: titleWeight, Title: "Open Graph title", Sources: []Source{OGP, FB, WA},
	When: "og:title is not empty. Half the points (a warning) when there is only a title element.",
	Fix:  "Add og:title to the head; without it each network guesses from the title element.",
	check: func(f *facts) verdict {
		if f.ogTitle != "" {
			return f.pass("og:title is “%s”.", f.show(f.ogTitle))
		}
		v := f.fail("There is neither og:title nor a title element, so a shared link shows its bare address.").
			hides(onFacebooks)
		if len(f.titles) > 0 {
			v = f.found(0.5, "There is no og:title; networks guess from the title element.").as(Warning)
		}
		return v.fix("Add og:title to the head of the page:").paste(f.filled("property", "og:title", f.ownTitle()))
	},
	apply: func(f *facts) { f.ogTitle, f.hasOG = sampleTitle, true },
})

var _ = register(Rule{
	ID: "og-title-length", Category: OG, Severity: Warning, Weight: 1, Title: "Open Graph title length",
	Needs: "og-title", Sources: []Source{X, IND},
	When: "og:title has 10 to 60 characters. Half the points for 61 to 90 or 5 to 9. One that repeats the title element " +
		"is reported by seo-title-length.",
	Fix: "Keep og:title between 10 and 60 characters; X cuts at 70.",
	check: func(f *facts) verdict {
		if f.ogTitle == "" {
			return inapplicable
		}
		n, length := f.columns(f.ogTitle), f.length(f.ogTitle)
		v := f.found(0, "og:title has %s; 10 to 60 are shown in full nearly everywhere.", length)
		switch {
		case n >= titleBest && n <= titleFull:
			return f.pass("og:title has %s.", length)
		case n >= titleLeast && n <= titleMost:
			v.credit = 0.5
		}
		if f.repeatsTitle() && !f.titleFits() {
			return v.because() // by seo-title-length: it is the same text
		}
		return v.fix("Keep og:title between %d and %d characters (it has %s); X cuts at %d.",
			titleBest, titleFull, length, titleX)
	},
	apply: func(f *facts) {
		shorter := f.shorter(f.ogTitle)
		if f.twTitle == f.ogTitle {
			f.twTitle = shorter
		}
		f.ogTitle = shorter
	},
})

// shorter returns a text of a good length instead of a title. It repeats the site's name if the title does, which is a
// finding of its own.
func (f *facts) shorter(title string) string {
	name := f.page.Meta.Get("og:site_name")
	if _, repeats := withoutBrand(title, name); name == "" || !repeats {
		return sampleTitle
	}
	return sampleTitle[:len(sampleTitle)/2] + " | " + name
}

var _ = register(Rule{
	ID: "og-description", Category: OG, Severity: Error, Weight: 7, Title: "Open Graph description",
	Sources: []Source{OGP, WA},
	When:    "og:description is not empty. 40 % of the points (a warning) when there is only a meta description.",
	Fix:     "Add og:description with one or two sentences; WhatsApp needs it.",
	check: func(f *facts) verdict {
		if f.ogDescription != "" {
			return f.pass("og:description is “%s”.", f.show(f.ogDescription))
		}
		v := f.fail("There is no og:description and no meta description.")
		if len(f.descriptions) > 0 {
			without := "WhatsApp does not"
			if f.twDescription == "" {
				without = "WhatsApp and X do not"
			}
			v = f.found(0.4, "There is no og:description; some networks take the meta description, %s.", without).as(Warning)
		}
		return v.fix("Add og:description with one or two sentences (50 to 200 characters):").
			paste(f.filled("property", "og:description", f.ownDescription()))
	},
	apply: func(f *facts) { f.ogDescription, f.hasOG = sampleDescription, true },
})

var _ = register(Rule{
	ID: "og-description-length", Category: OG, Severity: Warning, Weight: 1, Title: "Open Graph description length",
	Needs: "og-description", Sources: []Source{X, DC, IND},
	When: "og:description has 50 to 200 characters. Half the points for 30 to 49 or 201 to 300.",
	Fix:  "Use 50 to 200 characters; X stops at 200, chat apps near 300.",
	check: func(f *facts) verdict {
		if f.ogDescription == "" {
			return inapplicable
		}
		n, length := f.columns(f.ogDescription), f.length(f.ogDescription)
		v := f.found(0, "og:description has %s; 50 to 200 are best.", length)
		switch {
		case n >= descriptionBest && n <= descriptionX:
			return f.pass("og:description has %s.", length)
		case n >= descriptionLeast && n <= descriptionMost:
			v.credit = 0.5
		}
		return v.fix("Use %d to %d characters in og:description (it has %s); X stops at %d, chat apps near %d.",
			descriptionBest, descriptionX, length, descriptionX, descriptionMost)
	},
	apply: func(f *facts) { f.ogDescription = sampleDescription },
})
