package ui

import (
	"html/template"
	"time"
)

// Time returns words for a moment, such as "3 minutes ago", with the moment in UTC as title. A script turns that into
// the reader's zone.
func Time(t time.Time, words string) template.HTML { return timeElement(t, "", words) }

// LocalTime returns words for a moment in UTC. A script writes them in the reader's zone, and leaves UTC as title, in a
// form: "date" is a day, "time" the time of a day, "clock" both in short, and "moment" both with the zone.
func LocalTime(t time.Time, form, words string) template.HTML {
	return timeElement(t, ` data-form="`+template.HTMLEscapeString(form)+`"`, words)
}

// Moment returns a moment: "27 November 2026, 16:00 UTC".
func Moment(t time.Time) template.HTML { return LocalTime(t, "moment", momentWords(t)) }

func momentWords(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04") + " UTC" }

func timeElement(t time.Time, more, words string) template.HTML {
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339) + //nolint:gosec // escaped
		`" title="` + momentWords(t) + `"` + more + `>` + template.HTMLEscapeString(words) + `</time>`)
}
