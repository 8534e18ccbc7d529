package rule

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

var _ = register(Rule{
	ID: "seo-title", Category: SEO, Severity: Error, Weight: 8, Title: "Page title", Sources: []Source{GS, LH},
	When: "There is exactly one title element with text. Half the points (a warning) for several.",
	Fix:  "Add one title element to the head.",
	check: func(f *facts) verdict {
		switch len(f.titles) {
		case 1:
			return f.pass("The title is “%s”.", f.show(f.titles[0]))
		case 0:
			code := ""
			if title := f.ownTitle(); title != "" && !f.quiet {
				code = "<title>" + html.EscapeString(cleantext.Clean(title, maxTag)) + "</title>"
			}
			return f.fail("The page has no title.").fix("Add one title element to the head:").paste(code)
		}
		return f.found(0.5, "The page has %d title elements; the first is “%s”.", len(f.titles), f.show(f.titles[0])).
			as(Warning).fix("Keep one title element (found %d).", len(f.titles))
	},
	apply: func(f *facts) {
		if f.titles = f.titles[:min(1, len(f.titles))]; len(f.titles) == 0 {
			f.titles = []string{sampleTitle}
		}
	},
})

var _ = register(Rule{
	ID: "seo-title-length", Category: SEO, Severity: Warning, Weight: 2, Title: "Page title length", Needs: "seo-title",
	Sources: []Source{IND},
	When:    "The title has 30 to 60 characters. 60 % of the points for 15 to 29 or 61 to 70, 30 % for 71 to 100.",
	Fix:     "Aim for 30 to 60 characters; results cut near 600 pixels, which is about 60.",
	check: func(f *facts) verdict {
		n, length, also := f.columns(f.titles[0]), f.length(f.titles[0]), ""
		if f.repeatsTitle() && !f.quiet {
			also = ", which is also og:title,"
		}
		v := f.fail("The title%s has %s; 30 to 60 are shown in full.", also, length)
		switch {
		case n >= pageTitleLow && n <= pageTitleHigh:
			return f.pass("The title has %s.", length)
		case n >= 15 && n <= 70:
			v.credit = 0.6
		case n >= 71 && n <= 100:
			v.credit = 0.3
		}
		return v.fix("Aim for %d to %d characters in the title (it has %s); results cut near 600 pixels, which is about 60.",
			pageTitleLow, pageTitleHigh, length)
	},
	apply: func(f *facts) {
		for _, same := range [...]*string{&f.ogTitle, &f.twTitle} {
			if *same == f.titles[0] {
				*same = f.shorter(*same)
			}
		}
		f.titles = append([]string{sampleTitle}, f.titles[1:]...)
	},
})

// capitalsLeast is the number of capitals from which a title without small letters isn't just an abbreviation.
const capitalsLeast = 12

var _ = register(Rule{
	ID: "seo-title-capitals", Category: SEO, Severity: Info, Title: "Title not all in capitals", Sources: []Source{IND},
	When: "The title and og:title have small letters, or several words with fewer than 12 capitals in all, or are in a " +
		"script without capitals.",
	Fix:   "Write the title as a sentence; capitals are read slowly and take a third more room, so they are cut sooner.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		for _, title := range append(slices.Clip(f.titles), f.ogTitle) {
			if inCapitals(title) {
				return f.fail("The title is in capitals: “%s”.", f.show(title)).
					fix("Write the title as a sentence; capitals are read slowly and take a third more room, so they are cut sooner.")
			}
		}
		return f.pass("The title is not all in capitals.")
	},
})

// inCapitals reports whether a text of several words is all in capitals.
func inCapitals(text string) bool {
	capitals := 0
	for _, r := range text {
		switch {
		case unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			capitals++
		}
	}
	return capitals >= capitalsLeast && strings.ContainsRune(text, ' ')
}

var _ = register(Rule{
	ID: "seo-meta-description", Category: SEO, Severity: Warning, Weight: 5, Title: "Meta description",
	Sources: []Source{GS, LH},
	When:    "There is one non-empty meta description. Half the points for several different ones.",
	Fix:     "Add a meta description.",
	check: func(f *facts) verdict {
		different := map[string]bool{}
		for _, d := range f.descriptions {
			different[d] = true
		}
		v := f.fail("There is no meta description; search engines pick a sentence from the page.")
		switch len(different) {
		case 0:
		case 1:
			return f.pass("The meta description is “%s”.", f.show(f.descriptions[0]))
		default:
			v = f.found(0.5, "There are %d different meta descriptions.", len(different))
		}
		advice := "Add a meta description:"
		if len(different) > 0 {
			advice = fmt.Sprintf("Keep one meta description of the %d:", len(different))
		}
		return v.fix("%s", advice).
			paste(f.filled("name", "description", cmp.Or(append(f.descriptions, f.ownDescription())...)))
	},
	apply: func(f *facts) {
		if f.descriptions = f.descriptions[:min(1, len(f.descriptions))]; len(f.descriptions) == 0 {
			f.descriptions = []string{sampleDescription}
		}
	},
})

var _ = register(Rule{
	ID: "seo-meta-description-length", Category: SEO, Severity: Warning, Weight: 2, Title: "Meta description length",
	Needs: "seo-meta-description", Sources: []Source{IND},
	When: "It has 70 to 160 characters. 60 % of the points for 50 to 69 or 161 to 200.",
	Fix:  "Aim for 70 to 160 characters.",
	check: func(f *facts) verdict {
		n, length := f.columns(f.descriptions[0]), f.length(f.descriptions[0])
		v := f.fail("The meta description has %s; 70 to 160 are shown in full.", length)
		switch {
		case n >= metaLow && n <= metaHigh:
			return f.pass("The meta description has %s.", length)
		case n >= 50 && n <= 200:
			v.credit = 0.6
		}
		return v.fix("Aim for %d to %d characters in the meta description (it has %s).", metaLow, metaHigh, length)
	},
	apply: func(f *facts) {
		fixed := slices.Clone(f.descriptions)
		for i := range fixed {
			if f.descriptions[i] == f.descriptions[0] { // a copy of the first changes with it
				fixed[i] = sampleDescription
			}
		}
		f.descriptions = fixed
	},
})

var _ = register(Rule{
	ID: "seo-h1", Category: SEO, Severity: Warning, Weight: 4, Title: "Main heading", Sources: []Source{IND},
	When:  "There is exactly one h1 with text or with a picture that has alternative text. Half the points for more.",
	Fix:   "Use exactly one h1 that names the page.",
	alone: true,
	check: func(f *facts) verdict {
		n, text := 0, ""
		for i := range f.headings {
			if h := &f.headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
				n++
				text = cmp.Or(text, h.Text, h.Alt)
			}
		}
		v := f.fail("The page has no main heading (h1).")
		switch n {
		case 0:
			if title := f.ownTitle(); title != "" && !f.quiet {
				return v.fix("Add one h1 that names the page at the beginning of its content:").
					paste("<h1>" + html.EscapeString(cleantext.Clean(title, maxShown)) + "</h1>")
			}
		case 1:
			return f.pass("The main heading is “%s”.", f.show(text))
		default:
			v = f.found(0.5, "The page has %d main headings (h1).", n)
		}
		return v.fix("Use exactly one h1 that names the page (found %d).", n)
	},
	apply: func(f *facts) {
		title, main := cmp.Or(cleantext.Clean(f.ownTitle(), maxShown), sampleTitle), 0
		for i := range f.headings {
			if h := &f.headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
				main++
			}
		}
		if main > 0 {
			return
		}
		f.headings = slices.Insert(slices.Clone(f.headings), 0, page.Heading{Level: 1, Text: title})
		for _, c := range title {
			if !unicode.IsSpace(c) {
				f.moreText++
			}
		}
	},
})

var _ = register(Rule{
	ID: "seo-heading-order", Category: SEO, Severity: Warning, Weight: 2, Title: "Heading " +
		"hierarchy", Sources: []Source{HTML},
	When: "The first heading is h1 or h2, and none is more than one level below the previous one. Half the points for " +
		"one or two skips. Headings in navigation don't count, nor, where there is a main element, those outside it but h1. " +
		"Not judged without headings.",
	Fix: "After h2 comes h3, not h4.",
	check: func(f *facts) verdict {
		skips, before, where := 0, 0, ""
		order, name := "", "" // which levels come in a row, and the text of the first heading that skips one
		main := slices.ContainsFunc(f.headings, func(h page.Heading) bool { return h.InMain && !h.InNav })
		for i := range f.headings {
			h := &f.headings[i]
			text := cmp.Or(h.Text, h.Alt)
			if text == "" || h.InNav || main && !h.InMain && h.Level > 1 {
				continue
			}
			if before == 0 && h.Level > 2 || before > 0 && h.Level > before+1 {
				if skips++; skips == 1 && !f.quiet {
					name = f.show(text)
					where = fmt.Sprintf("“%s” (h%d to h%d)", name, before, h.Level)
					order = fmt.Sprintf("After h%d comes h%d, not h%d", before, before+1, h.Level)
					if before == 0 {
						where = fmt.Sprintf("“%s” (the first is h%d)", name, h.Level)
						order = fmt.Sprintf("Begin with h1 or h2, not h%d", h.Level)
					}
				}
			}
			before = h.Level
		}
		switch {
		case before == 0:
			return inapplicable
		case skips == 0:
			return f.pass("The headings skip no level.")
		}
		v := f.found(0, "The headings skip a level %s, first at %s.", times(skips), where)
		if skips <= 2 {
			v.credit = 0.5
		}
		return v.fix("%s: fix “%s”, %s in total.", order, name, humanize.Count(skips, "skip"))
	},
})

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
