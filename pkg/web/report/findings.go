package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
)

// openIssues is how many issues are expanded, however little they cost; errors always are.
const openIssues = 5

// findings are the issues on the page.
type findings struct {
	// Remark counts the findings.
	Remark string
	// Pastes reports whether any of them has code to paste.
	Pastes bool
	// Open are the expanded issues, Folded the others, Passed those that passed.
	Open, Folded []issue
	Passed       []issue
	// FoldedMost is the gain of the first folded one, or "".
	FoldedMost string
}

// issue is one of them, as shown.
type issue struct {
	audit.Issue
	// Points is the gain, or ""; Needed says what must be fixed as well.
	Points, Word, In, Needed string
	// Also are those that the same change fixes.
	Also []issue
}

func findingsOf(s *Source) findings {
	var m findings
	failed := s.Report.Failed()
	for i := range s.Report.Issues[len(failed):] {
		m.Passed = append(m.Passed, shownIssue(s.Report, s.Report.Issues[len(failed)+i]))
	}
	sorted := slices.Clone(failed)
	slices.SortStableFunc(sorted, func(a, b audit.Issue) int { return cmp.Compare(b.Gain, a.Gain) })
	counts := map[string]int{}
	for i := range sorted {
		counts[sorted[i].Severity]++
		m.Pastes = m.Pastes || sorted[i].Code != ""
	}
	for i, group := range audit.Grouped(sorted) {
		shown := shownIssue(s.Report, group.Issue)
		for _, also := range group.Also {
			shown.Also = append(shown.Also, shownIssue(s.Report, also))
		}
		if i < openIssues || group.Severity == "error" {
			m.Open = append(m.Open, shown)
		} else {
			m.Folded = append(m.Folded, shown)
		}
	}
	if len(m.Folded) > 0 && m.Folded[0].Gain > 0 {
		m.FoldedMost = fmt.Sprintf("%.1f", m.Folded[0].Gain)
	}
	m.Remark = "Every rule that applies to this page passed."
	if n := len(sorted); n > 0 {
		m.Remark = fmt.Sprintf("%s: %s, %s, %s. Largest gain first; errors always open.", humanize.Count(n, "finding"),
			humanize.Count(counts["error"], "error"), humanize.Count(counts["warning"], "warning"),
			humanize.Count(counts["info"], "note"))
	}
	return m
}

func shownIssue(r *audit.Report, i audit.Issue) issue {
	needed := r.Needed(&i)
	i.Code = indented(i.Code)
	return issue{
		Issue: i, Points: points(i.Gain), Word: severityWord(i.Severity), In: categoryNames[i.Category], Needed: needed,
	}
}

// indented formats a block of JSON-LD with one member per line; other code is unchanged.
func indented(code string) string {
	const open, end = `<script type="application/ld+json">`, `</script>`
	body, ok := strings.CutPrefix(strings.TrimSpace(code), open)
	if body, found := strings.CutSuffix(body, end); ok && found {
		var b bytes.Buffer
		if json.Indent(&b, []byte(strings.TrimSpace(body)), "", "  ") == nil {
			return open + "\n" + b.String() + "\n" + end
		}
	}
	return code
}

func severityWord(severity string) string {
	switch severity {
	case "error":
		return "Error"
	case "warning":
		return "Warning"
	default:
		return "Note"
	}
}
