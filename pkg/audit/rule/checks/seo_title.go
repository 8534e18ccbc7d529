package checks

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

var seoTitle = rule.Rule{
	ID: "seo-title", Category: rule.SEO, Severity: rule.Error, Weight: 8, Title: "Page title",
	Sources: []rule.Source{rule.GS, rule.LH},
	When:    "There is exactly one title element with text. Half the points (a warning) for several.",
	Fix:     "Add one title element to the head.",
	Check: func(f *rule.Facts) rule.Verdict {
		switch len(f.Titles) {
		case 1:
			return f.Pass("The title is “%s”.", f.Show(f.Titles[0]))
		case 0:
			code := ""
			if title := f.OwnTitle(); title != "" && !f.Quiet {
				code = "<title>" + html.EscapeString(cleantext.Clean(title, rule.MaxTag)) + "</title>"
			}
			return f.Fail("The page has no title.").Fix("Add one title element to the head:").Paste(code)
		}
		return f.Found(0.5, "The page has %d title elements; the first is “%s”.", len(f.Titles), f.Show(f.Titles[0])).
			As(rule.Warning).Fix("Keep one title element (found %d).", len(f.Titles))
	},
	Apply: func(f *rule.Facts) {
		if f.Titles = f.Titles[:min(1, len(f.Titles))]; len(f.Titles) == 0 {
			f.Titles = []string{rule.SampleTitle}
		}
	},
}

var seoTitleLength = rule.Rule{
	ID: "seo-title-length", Category: rule.SEO, Severity: rule.Warning, Weight: 2,
	Title: "Page title length", Needs: "seo-title",
	Sources: []rule.Source{rule.IND},
	When:    "The title has 30 to 60 characters. 60 % of the points for 15 to 29 or 61 to 70, 30 % for 71 to 100.",
	Fix:     "Aim for 30 to 60 characters; results cut near 600 pixels, which is about 60.",
	Check: func(f *rule.Facts) rule.Verdict {
		n, length, also := f.Columns(f.Titles[0]), f.Length(f.Titles[0]), ""
		if repeatsTitle(f) && !f.Quiet {
			also = ", which is also og:title,"
		}
		v := f.Fail("The title%s has %s; 30 to 60 are shown in full.", also, length)
		switch {
		case n >= pageTitleLow && n <= pageTitleHigh:
			return f.Pass("The title has %s.", length)
		case n >= 15 && n <= 70:
			v.Credit = 0.6
		case n >= 71 && n <= 100:
			v.Credit = 0.3
		}
		return v.Fix("Aim for %d to %d characters in the title (it has %s); results cut near 600 pixels, which is about 60.",
			pageTitleLow, pageTitleHigh, length)
	},
	Apply: func(f *rule.Facts) {
		for _, same := range [...]*string{&f.OGTitle, &f.TwitterTitle} {
			if *same == f.Titles[0] {
				*same = shorter(f, *same)
			}
		}
		f.Titles = append([]string{rule.SampleTitle}, f.Titles[1:]...)
	},
}

// capitalsLeast is the number of capitals from which a title without small letters isn't just an abbreviation.
const capitalsLeast = 12

var seoTitleCapitals = rule.Rule{
	ID: "seo-title-capitals", Category: rule.SEO, Severity: rule.Info, Title: "Title not all in capitals",
	Sources: []rule.Source{rule.IND},
	When: "The title and og:title have small letters, or several words with fewer than 12 capitals in all, or are in a " +
		"script without capitals.",
	Fix:   "Write the title as a sentence; capitals are read slowly and take a third more room, so they are cut sooner.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		for _, title := range append(slices.Clip(f.Titles), f.OGTitle) {
			if inCapitals(title) {
				return f.Fail("The title is in capitals: “%s”.", f.Show(title)).
					Fix("Write the title as a sentence; capitals are read slowly and take a third more room, so they are cut sooner.")
			}
		}
		return f.Pass("The title is not all in capitals.")
	},
}

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

var seoMetaDescription = rule.Rule{
	ID: "seo-meta-description", Category: rule.SEO, Severity: rule.Warning, Weight: 5, Title: "Meta description",
	Sources: []rule.Source{rule.GS, rule.LH},
	When:    "There is one non-empty meta description. Half the points for several different ones.",
	Fix:     "Add a meta description.",
	Check: func(f *rule.Facts) rule.Verdict {
		different := map[string]bool{}
		for _, d := range f.Descriptions {
			different[d] = true
		}
		v := f.Fail("There is no meta description; search engines pick a sentence from the page.")
		switch len(different) {
		case 0:
		case 1:
			return f.Pass("The meta description is “%s”.", f.Show(f.Descriptions[0]))
		default:
			v = f.Found(0.5, "There are %d different meta descriptions.", len(different))
		}
		advice := "Add a meta description:"
		if len(different) > 0 {
			advice = fmt.Sprintf("Keep one meta description of the %d:", len(different))
		}
		return v.Fix("%s", advice).
			Paste(f.Filled("name", "description", cmp.Or(append(f.Descriptions, f.OwnDescription())...)))
	},
	Apply: func(f *rule.Facts) {
		if f.Descriptions = f.Descriptions[:min(1, len(f.Descriptions))]; len(f.Descriptions) == 0 {
			f.Descriptions = []string{rule.SampleDescription}
		}
	},
}

var seoMetaDescriptionLength = rule.Rule{
	ID: "seo-meta-description-length", Category: rule.SEO, Severity: rule.Warning, Weight: 2,
	Title: "Meta description length",
	Needs: "seo-meta-description", Sources: []rule.Source{rule.IND},
	When: "It has 70 to 160 characters. 60 % of the points for 50 to 69 or 161 to 200.",
	Fix:  "Aim for 70 to 160 characters.",
	Check: func(f *rule.Facts) rule.Verdict {
		n, length := f.Columns(f.Descriptions[0]), f.Length(f.Descriptions[0])
		v := f.Fail("The meta description has %s; 70 to 160 are shown in full.", length)
		switch {
		case n >= metaLow && n <= metaHigh:
			return f.Pass("The meta description has %s.", length)
		case n >= 50 && n <= 200:
			v.Credit = 0.6
		}
		return v.Fix("Aim for %d to %d characters in the meta description (it has %s).", metaLow, metaHigh, length)
	},
	Apply: func(f *rule.Facts) {
		fixed := slices.Clone(f.Descriptions)
		for i := range fixed {
			if f.Descriptions[i] == f.Descriptions[0] { // a copy of the first changes with it
				fixed[i] = rule.SampleDescription
			}
		}
		f.Descriptions = fixed
	},
}

var seoH1 = rule.Rule{
	ID: "seo-h1", Category: rule.SEO, Severity: rule.Warning, Weight: 4, Title: "Main heading",
	Sources: []rule.Source{rule.IND},
	When:    "There is exactly one h1 with text or with a picture that has alternative text. Half the points for more.",
	Fix:     "Use exactly one h1 that names the page.",
	Alone:   true,
	Check: func(f *rule.Facts) rule.Verdict {
		n, text := 0, ""
		for i := range f.Headings {
			if h := &f.Headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
				n++
				text = cmp.Or(text, h.Text, h.Alt)
			}
		}
		v := f.Fail("The page has no main heading (h1).")
		switch n {
		case 0:
			if title := f.OwnTitle(); title != "" && !f.Quiet {
				return v.Fix("Add one h1 that names the page at the beginning of its content:").
					Paste("<h1>" + html.EscapeString(cleantext.Clean(title, rule.MaxShown)) + "</h1>")
			}
		case 1:
			return f.Pass("The main heading is “%s”.", f.Show(text))
		default:
			v = f.Found(0.5, "The page has %d main headings (h1).", n)
		}
		return v.Fix("Use exactly one h1 that names the page (found %d).", n)
	},
	Apply: func(f *rule.Facts) {
		title, main := cmp.Or(cleantext.Clean(f.OwnTitle(), rule.MaxShown), rule.SampleTitle), 0
		for i := range f.Headings {
			if h := &f.Headings[i]; h.Level == 1 && cmp.Or(h.Text, h.Alt) != "" {
				main++
			}
		}
		if main > 0 {
			return
		}
		f.Headings = slices.Insert(slices.Clone(f.Headings), 0, page.Heading{Level: 1, Text: title})
		for _, c := range title {
			if !unicode.IsSpace(c) {
				f.MoreText++
			}
		}
	},
}

var seoHeadingOrder = rule.Rule{
	ID: "seo-heading-order", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Heading " +
		"hierarchy", Sources: []rule.Source{rule.HTML},
	When: "The first heading is h1 or h2, and none is more than one level below the previous one. Half the points for " +
		"one or two skips. Headings in navigation don't count, nor, where there is a main element, those outside it but h1. " +
		"Not judged without headings.",
	Fix: "After h2 comes h3, not h4.",
	Check: func(f *rule.Facts) rule.Verdict {
		skips, before, where := 0, 0, ""
		order, name := "", "" // which levels come in a row, and the text of the first heading that skips one
		main := slices.ContainsFunc(f.Headings, func(h page.Heading) bool { return h.InMain && !h.InNav })
		for i := range f.Headings {
			h := &f.Headings[i]
			text := cmp.Or(h.Text, h.Alt)
			if text == "" || h.InNav || main && !h.InMain && h.Level > 1 {
				continue
			}
			if before == 0 && h.Level > 2 || before > 0 && h.Level > before+1 {
				if skips++; skips == 1 && !f.Quiet {
					name = f.Show(text)
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
			return rule.Inapplicable
		case skips == 0:
			return f.Pass("The headings skip no level.")
		}
		v := f.Found(0, "The headings skip a level %s, first at %s.", times(skips), where)
		if skips <= 2 {
			v.Credit = 0.5
		}
		return v.Fix("%s: fix “%s”, %s in total.", order, name, humanize.Count(skips, "skip"))
	},
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
