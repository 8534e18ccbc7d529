package format

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/site"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
)

// openIssues is how many issues are shown with their fix, in addition to all errors.
const openIssues = 5

// paint colors texts for a terminal, or leaves them unchanged.
type paint bool

func (p paint) in(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p paint) bold(text string) string  { return p.in("1", text) }
func (p paint) faint(text string) string { return p.in("2", text) }

// severity colors a word by severity.
func (p paint) severity(severity, text string) string {
	switch severity {
	case "error":
		return p.in("31", text)
	case "warning":
		return p.in("33", text)
	default:
		return p.in("36", text)
	}
}

// verdict colors the verdict of a platform.
func (p paint) verdict(v platform.Verdict, text string) string {
	switch {
	case v.Severity() == 0:
		return p.in("32", text)
	case v.Severity() >= platform.NoPicture.Severity():
		return p.in("31", text)
	default:
		return p.in("33", text)
	}
}

// pad pads a text with spaces to a number of columns.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-uniseg.StringWidth(text)))
}

// writeText writes the reports for people: a single one in full, several as a table.
func writeText(w io.Writer, pages []Page, o Options) error {
	var b strings.Builder
	if len(pages) == 1 {
		writeOne(&b, pages[0], o)
	} else {
		writeSummary(&b, pages, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeOne(b *strings.Builder, page Page, o Options) {
	p := paint(o.Color)
	if page.Err != nil {
		fmt.Fprintf(b, "%s\n%s %s\n", page.URL, p.severity("error", "No report:"), page.Err)
		return
	}
	r := page.Report
	fmt.Fprintf(b, "%s\n", p.faint(dateline(r)))
	fmt.Fprintf(b, "%s\n", p.bold(r.Headline()))
	fmt.Fprintf(b, "%s of 100, %s\n", p.bold(strconv.Itoa(r.Overall.Score)), p.bold(r.Overall.Letter))
	for _, c := range rule.Categories {
		g := r.Categories.Of(c)
		fmt.Fprintf(b, "  %s %3d  %s\n", pad(c.Title(), 16), g.Score, g.Letter)
	}
	if a := r.Agents; a != nil {
		fmt.Fprintf(b, "  %s %3d  %s  %s\n", pad("AI agents", 16), a.Grade.Score, pad(a.Grade.Letter, 2),
			p.faint("beside the score"))
	}
	writeIssues(b, page, o)
	writeAgents(b, p, r.Agents, o.All)
	b.WriteString("\n" + p.bold("As others see it") + "\n")
	for _, s := range platform.ShowAll(r.Shared) {
		fmt.Fprintf(b, "  %s %s %s\n", pad(s.Name, 10), p.verdict(s.Verdict, pad(string(s.Verdict), 14)),
			p.faint(strings.Join(s.Notes, " ")))
	}
	writeLens(b, p, r.Lens)
}

// writeLens writes which crawlers receive the page, and what keeps the others from it.
func writeLens(b *strings.Builder, p paint, l *audit.Lens) {
	if l == nil || l.Derived {
		return
	}
	b.WriteString("\n" + p.bold("As each crawler receives it") + "\n")
	var received []string
	for i := range l.Views {
		v := &l.Views[i]
		if v.Access == audit.Received {
			received = append(received, v.Name)
			continue
		}
		code := "33"
		if v.Access == audit.Refused {
			code = "31"
		}
		fmt.Fprintf(b, "  %s %s %s\n", pad(v.Name, 16), p.in(code, pad(humanize.Capital(string(v.Access)), 10)),
			strings.Join(v.Why, " "))
		if v.Fix != "" {
			fmt.Fprintf(b, "  %s%s\n", pad("", 28), p.faint(v.Fix))
		}
	}
	if len(received) > 0 {
		fmt.Fprintf(b, "  %s %s %s\n", pad(fmt.Sprintf("%d of %d", len(received), len(l.Views)), 16),
			p.in("32", pad("Received", 10)), humanize.And(received))
	}
}

// writeAgents writes what AI agents miss, or all that they look for.
func writeAgents(b *strings.Builder, p paint, a *audit.Agents, all bool) {
	if a == nil {
		return
	}
	began := false
	for _, f := range a.Findings {
		if f.Pass && !all {
			continue
		}
		if !began {
			began = true
			b.WriteString("\n" + p.bold("As AI agents see it") + "\n")
		}
		state := p.in("33", "Missing ")
		if f.Pass {
			state = p.in("32", "Passed  ")
		}
		fmt.Fprintf(b, "  %s %s %s\n", state, pad(f.Title, 22), p.faint(strings.TrimSpace(f.Message+" "+f.Fix)))
	}
}

// dateline describes the report: when and where it was made.
func dateline(r *audit.Report) string {
	parts := []string{r.FinalURL, fmt.Sprintf("status %d", r.Status)}
	if n := len(r.Redirects); n > 0 {
		parts = append(parts, humanize.Count(n, "redirect"))
	}
	parts = append(parts, humanize.Bytes(r.Size),
		"read in "+r.Timings.Total.Round(time.Millisecond).String())
	return strings.Join(parts, "  ")
}

// writeIssues writes the fixes: the first ones and every error with details, the rest as one line each.
func writeIssues(b *strings.Builder, page Page, o Options) {
	r := page.Report
	p := paint(o.Color)
	failed := ByGain(r)
	if len(failed) > 0 {
		fmt.Fprintf(b, "\n%s  %s\n", p.bold("What to fix"), p.faint("and by how many points that raises the score"))
	}
	var folded []audit.Issue
	for i, group := range audit.Grouped(failed) {
		f := &group.Issue
		if !o.All && i >= openIssues && f.Severity != "error" {
			folded = append(append(folded, *f), group.Also...)
			continue
		}
		fmt.Fprintf(b, "\n  %s\n", issueLine(p, f, o.Baseline.state(page.URL, f)))
		needed := r.Needed(f)
		for _, line := range append([]string{f.Message, needed, f.Advice}, strings.Split(f.Code, "\n")...) {
			switch line {
			case "":
			case f.Message:
				fmt.Fprintf(b, "           %s\n", line)
			case f.Advice, needed:
				fmt.Fprintf(b, "           %s\n", p.faint(line))
			default:
				fmt.Fprintf(b, "             %s\n", p.in("34", line))
			}
		}
		writeAlso(b, p, page, &group, o)
	}
	if len(folded) > 0 {
		fmt.Fprintf(b, "\n  %s\n", p.faint(fmt.Sprintf("and %s (--all shows how to fix them)",
			humanize.Count(len(folded), "more finding"))))
		for i := range folded {
			fmt.Fprintf(b, "  %s\n", issueLine(p, &folded[i], o.Baseline.state(page.URL, &folded[i])))
		}
	}
	passed := r.Issues[len(failed):]
	fmt.Fprintf(b, "\n%s passed", humanize.Count(len(passed), "check"))
	if !o.All {
		b.WriteString("\n")
		writeNotChecked(b, p, r)
		return
	}
	b.WriteString(":\n")
	defer writeNotChecked(b, p, r)
	for i := range passed {
		fmt.Fprintf(b, "  %s %s %s\n", p.in("32", "Passed  "), pad(passed[i].Title, 34), p.faint(passed[i].Message))
	}
}

// writeAlso writes the findings that the change for a group's first one also fixes.
func writeAlso(b *strings.Builder, p paint, page Page, group *audit.Group, o Options) {
	if len(group.Also) > 0 {
		fmt.Fprintf(b, "           %s\n", p.faint("This also fixes:"))
	}
	for i := range group.Also {
		also := &group.Also[i]
		fmt.Fprintf(b, "           %s\n           %s %s\n", issueLine(p, also, o.Baseline.state(page.URL, also)), pad("", 8),
			also.Message)
	}
}

// writeNotChecked writes what couldn't be checked in the page's location.
func writeNotChecked(b *strings.Builder, p paint, r *audit.Report) {
	if len(r.NotChecked) == 0 {
		return
	}
	fmt.Fprintf(b, "%s not made:\n", humanize.Count(len(r.NotChecked), "check"))
	for _, n := range r.NotChecked {
		fmt.Fprintf(b, "  %s %s\n", pad(n.Title, 34), p.faint(n.Reason))
	}
}

// issueLine is a finding in one line: words first, then the gain, the ID for --ignore, and its baseline state.
func issueLine(p paint, f *audit.Issue, state string) string {
	line := fmt.Sprintf("%s %s %s ", p.severity(f.Severity, pad(word(f.Severity), 8)), p.bold(pad(f.Title, 34)),
		p.faint(pad(category(f.Category), 15)))
	if points := gain(f.Gain); points != "" {
		line += p.bold(points) + " "
	}
	line += p.faint(f.ID)
	if state == "new" {
		line += " " + p.bold("new")
	}
	return line
}

// writeSummary writes a table of pages, worst first, and what they have in common.
func writeSummary(b *strings.Builder, pages []Page, o Options) {
	p := paint(o.Color)
	together := Site(o.Sitemap, pages)
	reports := map[string]*audit.Report{}
	for i := range pages {
		reports[pages[i].URL] = pages[i].Report
	}
	for i := range together.Pages {
		page := &together.Pages[i]
		if page.Error != "" {
			fmt.Fprintf(b, "%s  %s  %s\n", p.severity("error", pad("no report", 25)), page.URL, p.faint(page.Error))
			continue
		}
		worst, _ := page.Worst()
		verdict := cmp.Or(worst.Verdict, platform.Whole)
		fmt.Fprintf(b, "%s %s  %s %s  %s\n", p.bold(fmt.Sprintf("%3d", page.Overall.Score)),
			p.bold(pad(page.Overall.Letter, 2)), countOf(p, reports[page.URL], "error"),
			p.verdict(verdict, pad(string(verdict), 11)), page.URL)
	}
	fmt.Fprintf(b, "\n%s read", humanize.Count(together.Read, "page"))
	if together.Read > 0 {
		fmt.Fprintf(b, ", %d of 100 on average", together.Overall.Score)
	}
	if together.Unread > 0 {
		fmt.Fprintf(b, ", %d could not be read", together.Unread)
	}
	b.WriteString("\n")
	writeCommon(b, p, together)
	writeRepeated(b, p, together)
	writeNotCheckedOn(b, p, pages)
}

// writeNotCheckedOn writes what couldn't be checked on several pages, each rule once.
func writeNotCheckedOn(b *strings.Builder, p paint, pages []Page) {
	on := map[string]int{}
	var all []audit.UncheckedRule
	for i := range pages {
		if pages[i].Report == nil {
			continue
		}
		for _, n := range pages[i].Report.NotChecked {
			if on[n.ID]++; on[n.ID] == 1 {
				all = append(all, n)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", p.bold("Not checked"))
	for _, n := range all {
		fmt.Fprintf(b, "  %s %s  %s\n", pad(n.Title, 34), "on "+humanize.Count(on[n.ID], "page"), p.faint(n.Reason))
	}
}

func countOf(p paint, r *audit.Report, severity string) string {
	n := 0
	for _, f := range r.Failed() {
		if f.Severity == severity {
			n++
		}
	}
	text := pad(humanize.Count(n, severity), 9)
	if n == 0 {
		return p.faint(text)
	}
	return p.severity(severity, text)
}

// commonIssues is how many rules the summary of several pages lists.
const commonIssues = 10

// writeCommon writes the rules that fail on most pages: an error in a template is on all its pages.
func writeCommon(b *strings.Builder, p paint, together *site.Report) {
	if len(together.Faults) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", p.bold("What to fix on these pages, by what it gains on them together"))
	for i := range together.Faults[:min(len(together.Faults), commonIssues)] {
		f := &together.Faults[i]
		fmt.Fprintf(b, "  %s %s %s\n", p.severity(f.Severity, pad(word(f.Severity), 8)), p.bold(pad(f.Title, 34)),
			p.faint(pad("on "+humanize.Count(f.Pages, "page"), 12)+" "+f.ID))
	}
}

// writeRepeated writes what pages repeat from each other.
func writeRepeated(b *strings.Builder, p paint, together *site.Report) {
	began := false
	for i := range together.Findings {
		f := &together.Findings[i]
		if f.Pass {
			continue
		}
		if !began {
			began = true
			b.WriteString("\n" + p.bold("What these pages repeat") + "\n")
		}
		fmt.Fprintf(b, "  %s %s %s\n           %s\n", p.severity(f.Severity, pad(word(f.Severity), 8)),
			p.bold(pad(f.Title, 34)), p.faint(f.ID), f.Message)
		for _, g := range f.Groups[:min(len(f.Groups), repeatedShown)] {
			fmt.Fprintf(b, "           %s  %s\n", p.faint("on "+humanize.Count(g.Count, "page")),
				cleantext.Clean(g.Value, repeatedChars))
		}
	}
}

// repeatedShown is how many repeated values the text lists for each check, repeatedChars their maximum length.
const repeatedShown, repeatedChars = 3, 80
