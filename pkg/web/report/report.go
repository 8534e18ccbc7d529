// Package report owns the page of a report: its words, its figures and its frames, from values alone. It is drawn for
// the service, which serves it, and for the command line, which writes it into a file that holds all it needs.
//
// What each file owns: report.go the input and the whole; lead.go headline, deck and score line; findings.go issues and
// what to paste; frames.go the platforms; facts.go what was read; opinion.go the analysis; words.go figures in words.
package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
	"masthead/pkg/web/ui"
)

// Source is what the page is made of.
type Source struct {
	Report *audit.Report
	// Card is our own card for the page; nil for none.
	Card *Card
	// Opinion is the analysis; nil for who may not see it.
	Opinion *audit.AI
	// Deleted is the day on which the report goes; zero for none.
	Deleted time.Time
	// Picture returns the address of one of the report's pictures by its name, "" for one that there is not. In a file
	// it is an address that holds the picture.
	Picture func(name string) string
	// Own are the addresses around the report; all of them are empty in a file.
	Own Addresses
	// Field is the state of the field for another address.
	Field ui.Field
	// Age is how long ago the page was read; nil where that is not known, as in a file.
	Age *time.Duration
	// Example says that nobody asked for the report: there is nothing to run again.
	Example bool
}

// Addresses are those around a report that is served.
type Addresses struct {
	// Page is the report's own, absolute. JSON and Markdown are the report in other forms, Opinion is where the analysis
	// is asked for until it is there; paths.
	Page, JSON, Markdown, Opinion string
	// Rules and Platforms are the pages with all rules, and with what is known of the platforms; paths.
	Rules, Platforms string
}

// Card is our own card for the page.
type Card struct {
	URL           string
	Format        string // "png" or "jpeg"
	Width, Height int
	Bytes         int64
	Alt           string
}

//go:embed report.html report.css
var files embed.FS

// sheets are the sheets of ui that the page is drawn with.
var sheets = []string{"tokens", "type", "controls", "code", "chrome"}

var parsed = sync.OnceValue(func() *template.Template {
	t := ui.Templates(template.FuncMap{
		"verdicts": verdicts, "capital": capital, "add": func(a, b int) int { return a + b },
		"own": own, "suggested": suggested, "lacking": lacking, "judgement": judgement,
	})
	return template.Must(t.New("report").Parse(read("report.html")))
})

// Style is the style of the page as it is served.
var Style = sync.OnceValue(func() template.CSS { return ui.Style(read("report.css"), sheets...) })

// own lets the address of a picture through, which is of ours: a path, or in a file what holds the picture.
func own(address string) template.URL { return template.URL(address) } //nolint:gosec // none is of a page

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("report: " + err.Error())
	}
	return string(data)
}

// Write writes the page as it is served. head brings the nonce, and the picture that the page is shared with.
func Write(w io.Writer, s *Source, head ui.Head) error {
	v := view(s)
	head.Title, head.Description, head.Canonical, head.NoIndex = v.Title, v.Plain, s.Own.Page, true
	head.Style = Style()
	v.Head = head
	return draw(w, "report", v)
}

// WriteFile writes the page as a file that needs nothing else: faces and pictures are in it, and what only a service
// can do is left out.
func WriteFile(w io.Writer, s *Source) error {
	alone := *s
	alone.Own, alone.Age = Addresses{}, nil
	if alone.Picture == nil {
		alone.Picture = s.inline
	}
	v := view(&alone)
	v.Head = ui.Head{
		Title: v.Title, Description: v.Plain, NoIndex: true, Inline: true, Nonce: "file",
		Style: ui.InlineStyle(read("report.css"), sheets...),
	}
	return draw(w, "report", v)
}

// WriteOpinion writes the section of the analysis alone, for a page that waits for it.
func WriteOpinion(w io.Writer, s *Source) error { return draw(w, "opinion", view(s)) }

func draw(w io.Writer, name string, v *page) error {
	if err := parsed().ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("draw the page of a report: %w", err)
	}
	return nil
}

// page is what the template shows.
type page struct {
	Head ui.Head
	*Source
	Title string // of the document
	// Taken is when the page was read, Response what it said, ID the report's short name.
	Taken, Response, ID string
	// Checked says how long ago that was; "" for a report that may be shown at any time, or is old.
	Checked string
	lead
	findings
	Others others
	Facts  facts
	// Waiting says that the analysis is still being written.
	Waiting bool
	Until   string
}

func view(s *Source) *page {
	r := s.Report
	v := &page{Source: s, Taken: r.FetchedAt.UTC().Format("2 January 2006, 15:04") + " UTC", Response: response(r)}
	if s.Age != nil && *s.Age < time.Hour {
		v.Checked = Checked(*s.Age)
	}
	v.ID = r.ID[:min(8, len(r.ID))]
	v.Others = frames(s)
	v.lead = leadOf(s, &v.Others)
	v.findings = findingsOf(s)
	v.Facts = factsOf(s)
	v.Title = fmt.Sprintf("%d %s: %s", r.Overall.Score, r.Overall.Letter, v.Host)
	v.Waiting = s.Opinion != nil && s.Opinion.Status == audit.Pending
	if !s.Deleted.IsZero() {
		v.Until = s.Deleted.UTC().Format("2 January 2006")
	}
	return v
}

// response says in words what the page answered.
func response(r *audit.Report) string {
	parts := []string{fmt.Sprintf("%d %s", r.Status, statusText(r.Status))}
	if n := len(r.Redirects); n > 0 {
		parts = append(parts, humanize.Count(n, "redirect"))
	}
	if r.Timings.Total > 0 {
		parts = append(parts, "read in "+seconds(r.Timings.Total))
	}
	return strings.TrimSpace(strings.Join(parts, ", "))
}
