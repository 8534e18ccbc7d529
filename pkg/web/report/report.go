// Package report draws the page of a report: its words, its numbers and its frames, from values alone. The service
// serves it, and the command line writes it as a self-contained file.
//
// Files: report.go the input and the whole; fixed.go what is written once; lead.go headline, deck and score lines;
// findings.go issues and what to paste; frames.go the platforms; facts.go what was read; crawlers.go what crawlers
// receive; opinion.go the analysis; words.go numbers in words. site.go is the page of a whole site.
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
	"masthead/pkg/platform"
	"masthead/pkg/web/ui"
)

// Source is the content of the page.
type Source struct {
	Report *audit.Report
	// Card is our own card for the page, or nil.
	Card *Card
	// Opinion is the analysis, or nil for viewers who may not see it.
	Opinion *audit.AI
	// Deleted is the day on which the report is deleted, or zero.
	Deleted time.Time
	// Picture returns the address of one of the report's pictures by its name, or "" if it doesn't exist. In a file it is
	// a data: address.
	Picture func(name string) string
	// Own are the report's addresses; all of them are empty in a file.
	Own Addresses
	// Field is the state of the field for another address.
	Field ui.Field
	// Age is how long ago the page was read; nil if unknown, as in a file.
	Age *time.Duration
	// Crawlers is how far reading the page by the names of crawlers is; nil in a file.
	Crawlers *Crawlers
	// Example means that the report wasn't requested, so it can't be repeated.
	Example bool
	// Fixed is what [FixedOf] returned for this report, or nil.
	Fixed *FixedPart
}

// Addresses are those of a served report.
type Addresses struct {
	// Page is the report's own absolute address. The others are paths: JSON and Markdown are the report in other formats,
	// Opinion is polled until the analysis is available.
	Page, JSON, Markdown, Opinion string
	// Rules and Platforms are the paths of the pages with all rules and all platforms.
	Rules, Platforms string
}

// Card is our own card for the page.
type Card struct {
	URL           string
	Format        string // "png" or "jpeg"
	Width, Height int
	Bytes         int64
	Alt           string
	// Texts are where its texts are; nil if that isn't known.
	Texts []platform.PictureText
}

//go:embed report.html report.css frames.html frames.css others.css site.html site.css
var files embed.FS

// sheets are the ui sheets of the page.
var sheets = []string{"tokens", "type", "controls", "code", "chrome"}

var parsed = sync.OnceValue(func() *template.Template {
	t := ui.Templates(template.FuncMap{
		"verdicts": verdicts, "capital": humanize.Capital, "add": func(a, b int) int { return a + b },
		"own": own, "suggested": suggested, "lacking": lacking, "judgement": judgement,
	})
	template.Must(t.New("frames").Parse(read("frames.html")))
	return template.Must(t.New("report").Parse(read("report.html")))
})

// Style is the style of the page as served.
var Style = sync.OnceValue(func() template.CSS { return ui.Style(ownStyle(), sheets...) })

// ownStyle is the style of this package: the previews, then the rest, since it may adapt them.
func ownStyle() string { return read("frames.css") + read("report.css") }

// own marks a picture's address as safe, because it is ours: a path, or in a file a data: address.
func own(address string) template.URL { return template.URL(address) } //nolint:gosec // none is of a page

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("report: " + err.Error())
	}
	return string(data)
}

// Write writes the page as served. head has the nonce, and the picture that the page is shared with.
func Write(w io.Writer, s *Source, head ui.Head) error {
	head.Style = Style()
	return write(w, s, head)
}

// WriteFile writes the page as a self-contained file: fonts and pictures are embedded, and what requires the service is
// omitted.
func WriteFile(w io.Writer, s *Source) error {
	alone := *s
	alone.Own, alone.Age, alone.Crawlers, alone.Fixed = Addresses{}, nil, nil, nil
	if alone.Picture == nil {
		alone.Picture = s.inline
	}
	return write(w, &alone, ui.Head{Inline: true, Nonce: "file", Style: ui.InlineStyle(ownStyle(), sheets...)})
}

func write(w io.Writer, s *Source, head ui.Head) (err error) {
	v := view(s)
	v.Head = head
	if v.FixedPart = s.Fixed; v.FixedPart == nil {
		if v.FixedPart, err = fixedOf(s, head.Inline); err != nil {
			return err
		}
	}
	v.Head.Title, v.Head.Description, v.Head.Canonical = v.FixedPart.title, v.FixedPart.plain, s.Own.Page
	v.Head.NoIndex = true
	return draw(w, "report", v)
}

// WriteOpinion writes only the section of the analysis, for a page that waits for it.
func WriteOpinion(w io.Writer, s *Source) error { return draw(w, "opinion", view(s)) }

// CrawlersID is the ID of the part of the page about crawlers.
const CrawlersID = "crawlers"

// WriteCrawlers writes only the part about crawlers, for a page that shows how far it is.
func WriteCrawlers(w io.Writer, s *Source) error { return draw(w, "crawlers", view(s)) }

func draw(w io.Writer, name string, v any) error {
	if err := parsed().ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("draw the page of a report: %w", err)
	}
	return nil
}

// page is the data of the template.
type page struct {
	Head ui.Head
	*Source
	*FixedPart
	// Checked says how long ago the page was read; "" if the report may be shown at any time, or is old.
	Checked string
	// Read is the part about crawlers; nil for none.
	Read *crawlers
	// Reading means that the page is being read by their names.
	Reading bool
	// Waiting means that the analysis is still being written.
	Waiting bool
	Until   string
}

// view returns the data without what is fixed.
func view(s *Source) *page {
	v := &page{Source: s, Read: crawlersOf(s)}
	if s.Age != nil && *s.Age < time.Hour {
		v.Checked = Checked(*s.Age)
	}
	v.Reading = v.Read != nil && v.Read.Running
	v.Waiting = s.Opinion != nil && s.Opinion.Status == audit.Pending
	if !s.Deleted.IsZero() {
		v.Until = s.Deleted.UTC().Format("2 January 2006")
	}
	return v
}

// response describes the page's response.
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
