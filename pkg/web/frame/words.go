package frame

import (
	"html/template"
	"time"

	"masthead/pkg/humanize"
	"masthead/pkg/web/ui"
)

// Day and Month are lengths of time, as words have them.
const (
	Day   = 24 * time.Hour
	Month = 30 * Day
)

// Ago is a time in [AgoWords], with the moment for those who look closer.
func Ago(t, now time.Time) template.HTML { return ui.Time(t, AgoWords(t, now)) }

// Text is escaped, for texts with times.
func Text(s string) template.HTML { return template.HTML(template.HTMLEscapeString(s)) } //nolint:gosec // see there

// AgoWords says how long before now a time was: "3 minutes ago", "yesterday", "9 months ago".
func AgoWords(t, now time.Time) string {
	switch age := now.Sub(t); {
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return humanize.Count(int(age/time.Minute), "minute") + " ago"
	case age < Day:
		return humanize.Count(int(age/time.Hour), "hour") + " ago"
	case age < 2*Day:
		return "yesterday"
	case age < 2*Month:
		return humanize.Count(int(age/Day), "day") + " ago"
	case age < 24*Month:
		return humanize.Count(int(age/Month), "month") + " ago"
	default:
		return humanize.Count(int(age/(365*Day)), "year") + " ago"
	}
}

// DateWords is the day of a time: "3 March 2026".
func DateWords(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Date is DateWords, which scripts turn into the day where the reader is.
func Date(t time.Time) template.HTML { return ui.LocalTime(t, "date", DateWords(t)) }

// ClockTime is a time of the last days, in UTC; scripts turn it into the reader's.
func ClockTime(t time.Time) template.HTML { return ui.LocalTime(t, "clock", ClockWords(t)) }

// ClockWords is ClockTime as text.
func ClockWords(t time.Time) string { return t.UTC().Format("2 Jan, 15:04:05") }
