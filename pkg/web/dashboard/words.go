package dashboard

import (
	"html/template"
	"time"

	"masthead/pkg/humanize"
	"masthead/pkg/web/ui"
)

const (
	day   = 24 * time.Hour
	month = 30 * day
)

// ago is a time in [agoWords], with the moment for those who look closer.
func ago(t, now time.Time) template.HTML { return ui.Time(t, agoWords(t, now)) }

// text is escaped, for texts with times.
func text(s string) template.HTML { return template.HTML(template.HTMLEscapeString(s)) } //nolint:gosec // see there

// agoWords says how long before now a time was: "3 minutes ago", "yesterday", "9 months ago".
func agoWords(t, now time.Time) string {
	switch age := now.Sub(t); {
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return humanize.Count(int(age/time.Minute), "minute") + " ago"
	case age < day:
		return humanize.Count(int(age/time.Hour), "hour") + " ago"
	case age < 2*day:
		return "yesterday"
	case age < 2*month:
		return humanize.Count(int(age/day), "day") + " ago"
	case age < 24*month:
		return humanize.Count(int(age/month), "month") + " ago"
	default:
		return humanize.Count(int(age/(365*day)), "year") + " ago"
	}
}

// dateWords is the day of a time: "3 March 2026".
func dateWords(t time.Time) string { return t.UTC().Format("2 January 2006") }

// date is dateWords, which scripts turn into the day where the reader is.
func date(t time.Time) template.HTML { return ui.LocalTime(t, "date", dateWords(t)) }

// clockTime is a time of the last days, in UTC; scripts turn it into the reader's.
func clockTime(t time.Time) template.HTML { return ui.LocalTime(t, "clock", clockWords(t)) }

func clockWords(t time.Time) string { return t.UTC().Format("2 Jan, 15:04:05") }
