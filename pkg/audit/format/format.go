// Package format writes reports of audits for people and for machines: text for a terminal, JSON, SARIF 2.1.0 for code
// scanning, JUnit XML for the test views of CI, workflow commands of GitHub, Markdown, and JSON about all pages
// together. Each format has a file.
//
// To add a format, write its file and give it a line in [formats].
package format

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
)

// Page is an address with the result of its audit: a report, or an error.
type Page struct {
	URL    string
	Report *audit.Report
	Err    error
}

// Options are the options of the output.
type Options struct {
	// Version is that of the program.
	Version string
	// FailOn is "error" or "warning" if failed rules of that severity or a worse one count as findings, or "". A score
	// below MinScore is a finding.
	FailOn   string
	MinScore int
	// Ignore are IDs of rules that are never findings. Baseline, if not nil, is an earlier run whose findings don't count
	// again. Neither changes what is listed, or the scores.
	Ignore   []string
	Baseline *Baseline
	// Color colors the text for a terminal; All shows every fix and the passed rules.
	Color, All bool
	// Sitemap is the address of the sitemap that lists the pages, or "".
	Sitemap string
	// Now is the time of the whole output.
	Now time.Time
}

// formats are the formats by name.
var formats = map[string]func(io.Writer, []Page, Options) error{
	"text": writeText, "json": writeJSON, "sarif": writeSARIF, "junit": writeJUnit, "github": writeGitHub,
	"markdown": writeMarkdown, "site": writeSite,
}

// Names are the names of the formats, for a command line.
const Names = "text,json,sarif,junit,github,markdown,site"

// Write writes the reports of pages in a format, with values of pages escaped for it.
func Write(w io.Writer, format string, pages []Page, o Options) error {
	write := formats[format]
	if write == nil {
		return fmt.Errorf("there is no format %q, only %s", format, Names)
	}
	var b strings.Builder
	if err := write(&b, pages, o); err != nil {
		return fmt.Errorf("write the report as %s: %w", format, err)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// severities are those of issues, worst first.
var severities = []string{"error", "warning", "info"}

// Finding reports whether a failed rule counts as a finding on the page at url.
func (o *Options) Finding(url string, i *audit.Issue) bool {
	return !i.Pass && o.FailOn != "" && slices.Index(severities, i.Severity) <= slices.Index(severities, o.FailOn) &&
		!slices.Contains(o.Ignore, i.ID) && !o.Baseline.knows(url, i)
}

// Findings returns how many failed rules and how many scores are findings.
func (o *Options) Findings(pages []Page) (rules, scores int) {
	for _, p := range pages {
		if p.Report == nil {
			continue
		}
		for i := range p.Report.Issues {
			if o.Finding(p.URL, &p.Report.Issues[i]) {
				rules++
			}
		}
		if o.lowScore(&p) {
			scores++
		}
	}
	return rules, scores
}

func (o *Options) lowScore(p *Page) bool {
	score := p.Report.Overall.Score
	return score < o.MinScore && !o.Baseline.knowsScore(p.URL, score)
}

// ByGain returns the failed issues of a report by the gain of fixing each, also of reports stored in another order.
func ByGain(r *audit.Report) []audit.Issue {
	sorted := slices.Clone(r.Failed())
	slices.SortStableFunc(sorted, func(a, b audit.Issue) int {
		return cmp.Compare(b.Gain, a.Gain)
	})
	return sorted
}

// category returns the title of a category.
func category(name string) string { return rule.Category(name).Title() }

// gain formats points: "+3.0", and "" for none.
func gain(points float64) string {
	if points <= 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f", points)
}
