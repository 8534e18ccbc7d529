// Package format writes reports of audits for people and for machines: text for a terminal, JSON, SARIF 2.1.0 for code
// scanning, JUnit XML for the test views of CI, workflow commands of GitHub, and Markdown. One file each.
//
// To add a format, write its file and give it a line in [formats].
package format

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
)

// Page is an address with what came of its audit: a report, or an error.
type Page struct {
	URL    string
	Report *audit.Report
	Err    error
}

// Options are what whoever asks for a report decides.
type Options struct {
	// Version is that of the program.
	Version string
	// FailOn is "error" or "warning" when failed rules of that severity, or a worse one, count as findings; "" when none
	// does. MinScore is the least overall score that is no finding.
	FailOn   string
	MinScore int
	// Ignore are ids of rules that are never findings. Baseline, unless it is nil, is an earlier run: what it has is no
	// finding. Neither changes what is listed, nor the scores.
	Ignore   []string
	Baseline *Baseline
	// Color has the text coloured for a terminal; All has it show every fix, and what passed.
	Color, All bool
	// Now is the time of the reports as a whole.
	Now time.Time
}

// formats are the formats by name.
var formats = map[string]func(io.Writer, []Page, Options) error{
	"text": writeText, "json": writeJSON, "sarif": writeSARIF, "junit": writeJUnit, "github": writeGitHub,
	"markdown": writeMarkdown,
}

// Names are the names of the formats, for a command line.
const Names = "text,json,sarif,junit,github,markdown"

// Write writes the reports of pages in a format. Values of pages are escaped for it.
func Write(w io.Writer, format string, pages []Page, o Options) error {
	write := formats[format]
	if write == nil {
		return fmt.Errorf("there is no format %q; there are %s", format, Names)
	}
	var b strings.Builder
	if err := write(&b, pages, o); err != nil {
		return fmt.Errorf("write the report as %s: %w", format, err)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// severities are those of issues, the worst first.
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

// ByGain returns the failed issues of a report by what fixing each would gain.
func ByGain(r *audit.Report) []audit.Issue {
	sorted := slices.Clone(r.Failed())
	slices.SortStableFunc(sorted, func(a, b audit.Issue) int {
		switch {
		case a.Gain > b.Gain:
			return -1
		case a.Gain < b.Gain:
			return 1
		}
		return 0
	})
	return sorted
}

// category returns the title of a category.
func category(name string) string { return rule.Category(name).Title() }

// gain writes points as they are shown: "+3.0".
func gain(points float64) string { return fmt.Sprintf("%+.1f", max(0, points)) }
