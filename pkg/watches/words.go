package watches

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
)

// words are what a finding is called, without a period.
type words struct {
	Now   string `json:"now"`   // "og:image returns 404"
	Since string `json:"since"` // "og:image has returned 404"
	Fixed string `json:"fixed"` // "og:image loads again"
	// Detail is a sentence; "" for none.
	Detail string `json:"detail,omitempty"`
	// Before is the grade before it dropped.
	Before string `json:"before,omitempty"`
}

const (
	maxDetail = 300 // characters
	// maxLine is the maximum length of a sentence in an event, in characters, and maxLines that of all, as JSON in bytes.
	maxLine, maxLines = 200, 4000
)

func ofPicture(name string, p *audit.PageImage) words {
	w := words{Fixed: name + " loads again"}
	switch {
	case p == nil:
		w.Now, w.Since = name+" is missing", name+" has been missing"
	case p.Status != 0 && p.Status != 200:
		status := strconv.Itoa(p.Status)
		w.Now, w.Since = name+" returns "+status, name+" has returned "+status
	default:
		w.Now, w.Since, w.Detail = name+" can't be shown", name+" couldn't be shown", sentence(p.Fault)
	}
	return w
}

func ofIssue(i *audit.Issue) words {
	name := "“" + i.Title + "”"
	w := words{Now: name + " fails", Since: name + " has failed", Fixed: name + " passes again", Detail: sentence(i.Message)}
	if i.Severity != severityError {
		w.Now, w.Since = name+" loses points", name+" has lost points"
	}
	return w
}

func ofGrade(letter, before string) words {
	return words{
		Now:   fmt.Sprintf("The grade dropped from %s to %s", before, letter),
		Since: "The grade has been below " + before,
		Fixed: fmt.Sprintf("The grade is %s again", before), Before: before,
	}
}

func ofPage(detail string) words {
	return words{
		Now: "The page can't be loaded", Since: "The page couldn't be loaded", Fixed: "The page loads again",
		Detail: sentence(detail),
	}
}

func ofSitemap(detail string) words {
	return words{
		Now: "The sitemap can't be read", Since: "The sitemap couldn't be read", Fixed: "The sitemap can be read again",
		Detail: sentence(detail),
	}
}

// sentence returns a text from outside as a sentence.
func sentence(text string) string {
	text = cleantext.Clean(text, maxDetail)
	// og:image and robots.txt stay as they are.
	if first, _, _ := strings.Cut(text, " "); !strings.ContainsAny(first, ":./") {
		text = humanize.Capital(text)
	}
	if text != "" && text[len(text)-1] != '.' {
		text += "."
	}
	return text
}

// ending ends a sentence that has a detail.
func ending(detail string) string {
	if detail == "" {
		return "."
	}
	return ": " + detail
}

// dayOf says on which day something began, as of now.
func dayOf(since, now time.Time) string {
	since, now = since.UTC(), now.UTC()
	days := now.Truncate(24*time.Hour).Sub(since.Truncate(24*time.Hour)) / (24 * time.Hour)
	switch {
	case days <= 0:
		return "today"
	case days < 7:
		return since.Weekday().String()
	case since.Year() == now.Year():
		return since.Format("2 January")
	}
	return since.Format("2 January 2006")
}

// scoreChange says how the score changed; "" if it didn't.
func scoreChange(before, after int) string {
	switch {
	case after < before:
		return fmt.Sprintf("The score fell from %d to %d.", before, after)
	case after > before:
		return fmt.Sprintf("The score rose from %d to %d.", before, after)
	}
	return ""
}

// lines returns sentences for an event: cut, and as many as there is room for.
func lines(all []string) []string {
	kept, left := []string{}, maxLines
	for i, line := range all {
		line = cleantext.Clean(line, maxLine)
		text, err := json.Marshal(line)
		if left -= len(text); err != nil || left < 0 || len(kept) == maxShown {
			return append(kept, fmt.Sprintf("And %d more.", len(all)-i))
		}
		kept = append(kept, line)
	}
	return kept
}

// maxShown is how many sentences an event has.
const maxShown = 19
