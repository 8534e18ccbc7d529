package dashboard

import (
	"time"

	"masthead/pkg/humanize"
)

const (
	day   = 24 * time.Hour
	month = 30 * day
)

// ago says how long before now a time was: "3 minutes ago", "yesterday", "9 months ago".
func ago(t, now time.Time) string {
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

// date is the day of a time: "3 March 2026".
func date(t time.Time) string { return t.UTC().Format("2 January 2006") }
