package checks

import (
	"slices"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/page"
)

var ogCleanValues = rule.Rule{
	ID: "og-clean-values", Category: rule.OG, Severity: rule.Warning, Weight: 1, Title: "Clean Open Graph " +
		"values", Sources: []rule.Source{rule.IND},
	When: "No og: value is escaped twice, has HTML tags or template placeholders ({{, }}, ${, [object Object]), " +
		"or is undefined, null or NaN, or what a generator of projects wrote (React App). Neither is the title element or " +
		"the meta description a placeholder, nor are these or the texts for X escaped twice, except on pages about markup. " +
		"Counts as much as og-title where a title or a description is a placeholder.",
	Fix:   "Escape each value once, and fill in the template.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		if tag, value, of := placeholder(f); tag != "" {
			v := f.Fail("%s is “%s”, which a template left there.", tag, f.Show(value)).
				Fix("Write the %s of the page in place of “%s”.", of, f.Show(value))
			if v.Weight = titleWeight; of == "title" {
				v.Leftover = true
			}
			return v
		}
		for i := range f.Page.Meta {
			pair := &f.Page.Meta[i]
			if !strings.HasPrefix(pair.Key, "og:") {
				continue
			}
			if what, remedy := rule.Unclean(pair.Value); what != "" {
				return f.Fail("%s %s: “%s”.", f.Show(pair.Key), what, f.Show(pair.Value)).
					Fix("%s: %s is “%s”.", remedy, f.Show(pair.Key), f.Show(pair.Value))
			}
		}
		if twice := f.EscapedTwice(); len(twice) > 0 {
			names, code := make([]string, len(twice)), make([]string, len(twice))
			for i := range twice {
				names[i], code[i] = twice[i].Name, twice[i].Code
			}
			if slices.Contains(code, "") || len(code) > rule.MaxEscaped {
				code = nil // it would not be the whole remedy
			}
			return f.Fail("%s %s escaped twice: “%s”.", f.Show(rule.List(names)), rule.Verb(len(twice), "is", "are"),
				f.Show(twice[0].Written)).
				Fix("Escape %s once, so that readers see “%s”:", rule.Verb(len(twice), "the value", "each value"),
					f.Show(twice[0].Meant)).Paste(strings.Join(slices.Compact(code), "\n"))
		}
		return f.Pass("The values of Open Graph are clean.")
	},
	Apply: func(f *rule.Facts) {
		fill := func(value *string, sample string) {
			if page.Leftover(*value) {
				*value = sample
			}
		}
		f.Titles, f.Descriptions = slices.Clone(f.Titles), slices.Clone(f.Descriptions)
		for i := range f.Titles {
			fill(&f.Titles[i], rule.SampleTitle)
		}
		for i := range f.Descriptions {
			fill(&f.Descriptions[i], rule.SampleDescription)
		}
		fill(&f.OGTitle, rule.SampleTitle)
		fill(&f.OGDescription, rule.SampleDescription)
	},
}

// placeholder returns a title, or else a description, that a template left unfilled: its tag, its value, and which of
// the two it is.
func placeholder(f *rule.Facts) (tag, value, of string) {
	for _, t := range [...]struct{ of, tag, value string }{
		{"title", "og:title", f.OGTitle}, {"title", "The title", rule.First(f.Titles)},
		{"description", "og:description", f.OGDescription},
		{"description", "The meta description", rule.First(f.Descriptions)},
	} {
		if page.Leftover(t.value) {
			return t.tag, t.value, t.of
		}
	}
	return "", "", ""
}
