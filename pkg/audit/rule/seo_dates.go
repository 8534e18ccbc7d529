package rule

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"masthead/pkg/humanize"
	"masthead/pkg/page"
)

// Durations in the rules about dates.
const (
	day       = 24 * time.Hour
	tolerance = day       // by how much dates may differ, since zones are often omitted
	rendered  = time.Hour // a more recent Last-Modified is when the page was rendered
)

// lastModified returns the date of the HTTP header, unless it is only the time of rendering.
func (f *facts) lastModified() (time.Time, bool) {
	t, err := http.ParseTime(f.doc.Header.Get("Last-Modified"))
	return t, err == nil && f.now.Sub(t) > rendered
}

var _ = register(Rule{
	ID: "seo-date-present", Category: SEO, Severity: Info, Weight: 1, Title: "Page date", Sources: []Source{GS},
	When: "The page has a machine-readable date, in ISO 8601, not more than 24 hours in the future, and modified " +
		"not more than a day before published. Half the points when it cannot be read or contradicts itself. Not judged " +
		"for front pages and pages without a specific type.",
	Fix:   "Add datePublished and dateModified in ISO 8601 with a time zone to the JSON-LD.",
	opens: []string{"seo-freshness"},
	check: func(f *facts) verdict {
		if t := PageType(f.page); t == HomePage || t == OtherPage {
			return inapplicable
		}
		if f.datesFixed {
			return f.pass("")
		}
		published, modified := f.page.Published, f.page.Modified
		_, byHeader := f.lastModified()
		v := f.fail("The page has no machine-readable date.")
		switch {
		case published.Raw == "" && modified.Raw == "" && byHeader:
			return f.pass("The Last-Modified header has the date of the page.")
		case published.Raw == "" && modified.Raw == "":
		case !iso(published) || !iso(modified):
			v = f.found(0.5, "The date “%s” is not in ISO 8601.", f.show(notISO(published, modified).Raw))
		case published.Time.After(f.now.Add(tolerance)) || modified.Time.After(f.now.Add(tolerance)):
			v = f.found(0.5, "The date of the page lies in the future.")
		case !modified.Time.IsZero() && modified.Time.Before(published.Time.Add(-tolerance)):
			v = f.found(0.5, "The page was modified (%s) before it was published (%s), by its own dates.", f.show(modified.Raw),
				f.show(published.Raw))
		default:
			return f.pass("The page has the date %s.", f.show(cmp.Or(modified.Raw, published.Raw)))
		}
		if published.Raw == "" && modified.Raw == "" {
			return v.fix("Add datePublished and dateModified to the JSON-LD of the page: the real dates, in ISO 8601 with a " +
				"time zone.")
		}
		return v.fix("Correct the dates of the page, in ISO 8601 with a time zone:").paste(f.dates(published, modified))
	},
	apply: func(f *facts) { f.datesFixed = true },
})

// dates returns meta elements with the dates that the page has in other meta elements, in ISO 8601; "" if that doesn't
// settle it: dates in JSON-LD come first, and a date that contradicts another one may be right or wrong.
func (f *facts) dates(published, modified page.Date) string {
	if f.quiet || published.Time.After(f.now) || modified.Time.After(f.now) ||
		!modified.Time.IsZero() && modified.Time.Before(published.Time.Add(-tolerance)) {
		return ""
	}
	var elements []string
	for _, d := range [...]struct {
		page.Date
		key string
	}{{published, "article:published_time"}, {modified, "article:modified_time"}} {
		if iso(d.Date) {
			continue
		}
		if d.Time.IsZero() || d.Source == "json-ld" {
			return ""
		}
		elements = append(elements, f.property(d.key, d.Time.Format(time.RFC3339)))
	}
	return strings.Join(elements, "\n")
}

// iso reports whether a date is absent or written in ISO 8601.
func iso(d page.Date) bool {
	return d.Raw == "" || !d.Time.IsZero() && d.Raw[0] >= '0' && d.Raw[0] <= '9'
}

func notISO(a, b page.Date) page.Date {
	if !iso(a) {
		return a
	}
	return b
}

var _ = register(Rule{
	ID: "seo-freshness", Category: SEO, Severity: Info, Weight: 1, Title: "Freshness", Sources: []Source{IND},
	When: "The newest date of an article is at most 365 days old. Half the points up to 730 days. Not judged for other " +
		"pages, nor without a date.",
	Fix: "Review the content, and update dateModified only when it really changed.",
	check: func(f *facts) verdict {
		if PageType(f.page) != ArticlePage {
			return inapplicable
		}
		newest := time.Time{}
		header, ok := f.lastModified()
		if !ok {
			header = time.Time{}
		}
		for _, t := range [...]time.Time{f.page.Published.Time, f.page.Modified.Time, header} {
			if t.After(newest) && !t.After(f.now) {
				newest = t
			}
		}
		if newest.IsZero() {
			if f.datesFixed {
				return f.pass("")
			}
			return inapplicable
		}
		days := int(f.now.Sub(newest) / day)
		v := f.fail("The last change was on %s, %s ago.", newest.Format(time.DateOnly), humanize.Count(days, "day"))
		switch {
		case days <= freshDays:
			return f.pass("The last change was on %s, %s ago.", newest.Format(time.DateOnly), humanize.Count(days, "day"))
		case days <= oldDays:
			v.credit = 0.5
		}
		return v.fix("The last change was on %s (%s ago, at most %d are fresh): review the content, and update dateModified "+
			"only when it really changed.", newest.Format(time.DateOnly), humanize.Count(days, "day"), freshDays)
	},
})
