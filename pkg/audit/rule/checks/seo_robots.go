package checks

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

var seoIndexable = rule.Rule{
	ID: "seo-indexable", Category: rule.SEO, Severity: rule.Error, Weight: 10, Title: "Page may be " +
		"indexed", Sources: []rule.Source{rule.GS, rule.LH},
	When: "Neither a robots or googlebot meta element nor an X-Robots-Tag header says noindex or none, and no " +
		"unavailable_after has passed.",
	Fix:   "Remove noindex if search engines should find this page.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		all := f.Directives()
		for i, d := range all {
			if d.Text == "noindex" || d.Text == "none" {
				return f.Fail("%s says %s: search engines leave the page out.", humanize.Capital(d.Where), d.Text).
					Fix("Remove %s from %s if search engines should find this page.", d.Text, d.Where)
			}
			date, ok := strings.CutPrefix(d.Text, "unavailable_after:")
			if !ok {
				continue
			}
			if i+1 < len(all) { // a date with a comma after the weekday was split there
				date += ", " + all[i+1].Text
			}
			if t, ok := expiry(date); ok && t.Before(f.Now) {
				return f.Fail("%s says unavailable_after %s, which has passed.",
					humanize.Capital(d.Where), t.Format(time.DateOnly)).
					Fix("Remove unavailable_after from %s if search engines should find this page.", d.Where)
			}
		}
		return f.Pass("Search engines may index the page.")
	},
	Apply: func(f *rule.Facts) { f.IndexFixed = true },
}

// expiry parses the date of unavailable_after, which may be followed by another directive.
func expiry(text string) (time.Time, bool) {
	alone, _, _ := strings.Cut(text, ",")
	for _, s := range [...]string{alone, text} {
		s = strings.ToUpper(strings.TrimSpace(s))
		if t, ok := page.ParseDate(s); ok {
			return t, true
		}
		for _, layout := range [...]string{
			"2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", "2 Jan 2006", "2-Jan-2006 15:04:05 MST", "2-Jan-2006",
		} {
			if t, err := time.Parse(layout, s); err == nil {
				return t, true
			}
		}
		if t, err := http.ParseTime(s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// robotsWithoutBlocks returns the meta element robots with all its directives but those that block snippets, or "" if
// they are elsewhere, too.
func robotsWithoutBlocks(f *rule.Facts, where string) string {
	var kept []string
	for _, d := range f.Directives() {
		switch blocks := slices.Contains(snippetBlocks, strings.ReplaceAll(d.Text, " ", "")); {
		case blocks && d.Where != "the meta element robots":
			return ""
		case !blocks && d.Where == where && !strings.HasPrefix(d.Text, "max-image-preview"):
			kept = append(kept, d.Text)
		}
	}
	return f.Named("robots", strings.Join(append(kept, "max-image-preview:large"), ", "))
}

// snippetBlocks are the directives that remove texts or pictures from results.
var snippetBlocks = []string{"nosnippet", "max-snippet:0", "noimageindex", "max-image-preview:none"}

var seoSnippetAllowed = rule.Rule{
	ID: "seo-snippet-allowed", Category: rule.SEO, Severity: rule.Warning, Weight: 1, Title: "Search snippet allowed",
	Sources: []rule.Source{rule.GS},
	When:    "Nothing says nosnippet, max-snippet:0, noimageindex or max-image-preview:none.",
	Fix:     "Use max-image-preview:large, so that results may show the large image.",
	Alone:   true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		large := false
		for _, d := range f.Directives() {
			text := strings.ReplaceAll(d.Text, " ", "")
			if slices.Contains(snippetBlocks, text) {
				return f.Fail("%s says %s, so results show less of the page.", humanize.Capital(d.Where), text).
					Fix("Remove %s from %s; max-image-preview:large lets results show the large image:", text, d.Where).
					Paste(robotsWithoutBlocks(f, d.Where))
			}
			large = large || text == "max-image-preview:large"
		}
		if !large {
			return f.Pass("Results may show texts and images. With max-image-preview:large they may show the large image.")
		}
		return f.Pass("Results may show texts and large images.")
	},
}
