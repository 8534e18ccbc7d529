package checks

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"masthead/pkg/audit/rule"
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
func lastModified(f *rule.Facts) (time.Time, bool) {
	t, err := http.ParseTime(f.Document.Header.Get("Last-Modified"))
	return t, err == nil && f.Now.Sub(t) > rendered
}

var seoDatePresent = rule.Rule{
	ID: "seo-date-present", Category: rule.SEO, Severity: rule.Info, Weight: 1, Title: "Page date",
	Sources: []rule.Source{rule.GS},
	When: "The page has a machine-readable date, in ISO 8601, not more than 24 hours in the future, and modified " +
		"not more than a day before published. Half the points when it cannot be read or contradicts itself. Not judged " +
		"for front pages and pages without a specific type.",
	Fix:   "Add datePublished and dateModified in ISO 8601 with a time zone to the JSON-LD.",
	Opens: []string{"seo-freshness"},
	Check: func(f *rule.Facts) rule.Verdict {
		if t := rule.PageType(f.Page); t == rule.HomePage || t == rule.OtherPage {
			return rule.Inapplicable
		}
		if f.DatesFixed {
			return f.Pass("")
		}
		published, modified := f.Page.Published, f.Page.Modified
		_, byHeader := lastModified(f)
		v := f.Fail("The page has no machine-readable date.")
		switch {
		case published.Raw == "" && modified.Raw == "" && byHeader:
			return f.Pass("The Last-Modified header has the date of the page.")
		case published.Raw == "" && modified.Raw == "":
		case !iso(published) || !iso(modified):
			v = f.Found(0.5, "The date “%s” is not in ISO 8601.", f.Show(notISO(published, modified).Raw))
		case published.Time.After(f.Now.Add(tolerance)) || modified.Time.After(f.Now.Add(tolerance)):
			v = f.Found(0.5, "The date of the page lies in the future.")
		case !modified.Time.IsZero() && modified.Time.Before(published.Time.Add(-tolerance)):
			v = f.Found(0.5, "The page was modified (%s) before it was published (%s), by its own dates.", f.Show(modified.Raw),
				f.Show(published.Raw))
		default:
			return f.Pass("The page has the date %s.", f.Show(cmp.Or(modified.Raw, published.Raw)))
		}
		if published.Raw == "" && modified.Raw == "" {
			return v.Fix("Add datePublished and dateModified to the JSON-LD of the page: the real dates, in ISO 8601 with a " +
				"time zone.")
		}
		return v.Fix("Correct the dates of the page, in ISO 8601 with a time zone:").Paste(dates(f, published, modified))
	},
	Apply: func(f *rule.Facts) { f.DatesFixed = true },
}

// dates returns meta elements with the dates that the page has in other meta elements, in ISO 8601; "" if that doesn't
// settle it: dates in JSON-LD come first, and a date that contradicts another one may be right or wrong.
func dates(f *rule.Facts, published, modified page.Date) string {
	if f.Quiet || published.Time.After(f.Now) || modified.Time.After(f.Now) ||
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
		elements = append(elements, f.Property(d.key, d.Time.Format(time.RFC3339)))
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

var seoFreshness = rule.Rule{
	ID: "seo-freshness", Category: rule.SEO, Severity: rule.Info, Weight: 1, Title: "Freshness",
	Sources: []rule.Source{rule.IND},
	When: "The newest date of an article is at most 365 days old. Half the points up to 730 days. Not judged for other " +
		"pages, nor without a date.",
	Fix: "Review the content, and update dateModified only when it really changed.",
	Check: func(f *rule.Facts) rule.Verdict {
		if rule.PageType(f.Page) != rule.ArticlePage {
			return rule.Inapplicable
		}
		newest := time.Time{}
		header, ok := lastModified(f)
		if !ok {
			header = time.Time{}
		}
		for _, t := range [...]time.Time{f.Page.Published.Time, f.Page.Modified.Time, header} {
			if t.After(newest) && !t.After(f.Now) {
				newest = t
			}
		}
		if newest.IsZero() {
			if f.DatesFixed {
				return f.Pass("")
			}
			return rule.Inapplicable
		}
		days := int(f.Now.Sub(newest) / day)
		v := f.Fail("The last change was on %s, %s ago.", newest.Format(time.DateOnly), humanize.Count(days, "day"))
		switch {
		case days <= freshDays:
			return f.Pass("The last change was on %s, %s ago.", newest.Format(time.DateOnly), humanize.Count(days, "day"))
		case days <= oldDays:
			v.Credit = 0.5
		}
		return v.Fix("The last change was on %s (%s ago, at most %d are fresh): review the content, and update dateModified "+
			"only when it really changed.", newest.Format(time.DateOnly), humanize.Count(days, "day"), freshDays)
	},
}
