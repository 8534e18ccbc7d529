package rule

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

// directive is a directive for search engines and its source.
type directive struct{ text, where string }

// directives returns the page's directives for all search engines and for Google, in lower case.
func (f *facts) directives() []directive {
	var all []directive
	for _, name := range [...]string{"robots", "googlebot"} {
		for _, d := range f.page.Meta.Robots(name) {
			all = append(all, directive{d, "the meta element " + name})
		}
	}
	for _, line := range f.doc.Header.Values("X-Robots-Tag") {
		for _, d := range robotsHeader(line) {
			all = append(all, directive{d, "the header X-Robots-Tag"})
		}
	}
	return all
}

// valued are the directives with a value after a colon, as opposed to names of crawlers.
var valued = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// robotsHeader returns the directives of an X-Robots-Tag for all crawlers and for Google. A name before a colon says
// which crawler the following ones are for.
func robotsHeader(line string) []string {
	var out []string
	ours := true
	for _, part := range strings.Split(strings.ToLower(line), ",") {
		part = strings.TrimSpace(part)
		if name, rest, ok := strings.Cut(part, ":"); ok && !slices.Contains(valued, strings.TrimSpace(name)) &&
			!strings.ContainsAny(strings.TrimSpace(name), " 0123456789") {
			ours = strings.TrimSpace(name) == "googlebot"
			part = strings.TrimSpace(rest)
		}
		if ours && part != "" {
			out = append(out, part)
		}
	}
	return out
}

var _ = register(Rule{
	ID: "seo-indexable", Category: SEO, Severity: Error, Weight: 10, Title: "Page may be " +
		"indexed", Sources: []Source{GS, LH},
	When: "Neither a robots or googlebot meta element nor an X-Robots-Tag header says noindex or none, and no " +
		"unavailable_after has passed.",
	Fix:   "Remove noindex if search engines should find this page.",
	alone: true,
	check: func(f *facts) verdict {
		all := f.directives()
		for i, d := range all {
			if d.text == "noindex" || d.text == "none" {
				return f.fail("%s says %s: search engines leave the page out.", humanize.Capital(d.where), d.text).
					fix("Remove %s from %s if search engines should find this page.", d.text, d.where)
			}
			date, ok := strings.CutPrefix(d.text, "unavailable_after:")
			if !ok {
				continue
			}
			if i+1 < len(all) { // a date with a comma after the weekday was split there
				date += ", " + all[i+1].text
			}
			if t, ok := expiry(date); ok && t.Before(f.now) {
				return f.fail("%s says unavailable_after %s, which has passed.",
					humanize.Capital(d.where), t.Format(time.DateOnly)).
					fix("Remove unavailable_after from %s if search engines should find this page.", d.where)
			}
		}
		return f.pass("Search engines may index the page.")
	},
	apply: func(f *facts) { f.indexFixed = true },
})

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
func (f *facts) robotsWithoutBlocks(where string) string {
	var kept []string
	for _, d := range f.directives() {
		switch blocks := slices.Contains(snippetBlocks, strings.ReplaceAll(d.text, " ", "")); {
		case blocks && d.where != "the meta element robots":
			return ""
		case !blocks && d.where == where && !strings.HasPrefix(d.text, "max-image-preview"):
			kept = append(kept, d.text)
		}
	}
	return f.named("robots", strings.Join(append(kept, "max-image-preview:large"), ", "))
}

// snippetBlocks are the directives that remove texts or pictures from results.
var snippetBlocks = []string{"nosnippet", "max-snippet:0", "noimageindex", "max-image-preview:none"}

var _ = register(Rule{
	ID: "seo-snippet-allowed", Category: SEO, Severity: Warning, Weight: 1, Title: "Search snippet allowed",
	Sources: []Source{GS},
	When:    "Nothing says nosnippet, max-snippet:0, noimageindex or max-image-preview:none.",
	Fix:     "Use max-image-preview:large, so that results may show the large image.",
	alone:   true, tags: true,
	check: func(f *facts) verdict {
		large := false
		for _, d := range f.directives() {
			text := strings.ReplaceAll(d.text, " ", "")
			if slices.Contains(snippetBlocks, text) {
				return f.fail("%s says %s, so results show less of the page.", humanize.Capital(d.where), text).
					fix("Remove %s from %s; max-image-preview:large lets results show the large image:", text, d.where).
					paste(f.robotsWithoutBlocks(d.where))
			}
			large = large || text == "max-image-preview:large"
		}
		if !large {
			return f.pass("Results may show texts and images. With max-image-preview:large they may show the large image.")
		}
		return f.pass("Results may show texts and large images.")
	},
})
