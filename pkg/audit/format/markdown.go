package format

import (
	"fmt"
	"io"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
)

// writeMarkdown writes the reports as a document, for a comment or a job summary.
func writeMarkdown(w io.Writer, pages []Page, _ Options) error {
	var b strings.Builder
	for i, p := range pages {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.Err != nil {
			fmt.Fprintf(&b, "# %s\n\nThere is no report: %s\n", inline(p.URL), inline(p.Err.Error()))
			continue
		}
		b.WriteString(Markdown(p.Report))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// titlesOf lists the titles of issues: “Card title” and “Card image”.
func titlesOf(issues []audit.Issue) string {
	titles := make([]string, len(issues))
	for i := range issues {
		titles[i] = "“" + issues[i].Title + "”"
	}
	return humanize.And(titles)
}

// writeFixes writes how to fix each step, as sections.
func writeFixes(b *strings.Builder, r *audit.Report, failed []audit.Issue) {
	for _, f := range audit.Grouped(failed) {
		fmt.Fprintf(b, "### %s\n\n", inline(f.Title))
		if needed := r.Needed(&f.Issue); needed != "" {
			fmt.Fprintf(b, "%s\n\n", inline(needed))
		}
		fmt.Fprintf(b, "%s\n", inline(f.Advice))
		if f.Code != "" {
			fence := strings.Repeat("`", max(3, longestRun(f.Code)+1))
			fmt.Fprintf(b, "\n%s\n%s\n%s\n", fence, f.Code, fence)
		}
		if also := titlesOf(f.Also); also != "" {
			fmt.Fprintf(b, "\nThis also fixes %s.\n", inline(also))
		}
		b.WriteString("\n")
	}
}

// Markdown returns a report as a document.
func Markdown(r *audit.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<%s>\n\n", r.Headline(), link(r.FinalURL))
	fmt.Fprintf(&b, "**%d of 100, %s**: Open Graph %d %s, X %d %s, search engines %d %s.\n\n", r.Overall.Score,
		r.Overall.Letter, r.Categories.OG.Score, r.Categories.OG.Letter, r.Categories.Twitter.Score,
		r.Categories.Twitter.Letter, r.Categories.SEO.Score, r.Categories.SEO.Letter)
	failed := ByGain(r)
	if len(failed) > 0 {
		b.WriteString("## What to fix\n\n| | Gain | | What was found |\n|---|---|---|---|\n")
		for i := range failed {
			f := &failed[i]
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", word(f.Severity), gain(f.Gain), inline(f.Title), inline(f.Message))
		}
		b.WriteString("\n")
		writeFixes(&b, r, failed)
	}
	b.WriteString("## As others see it\n\n| Platform | | Why |\n|---|---|---|\n")
	for _, s := range platform.ShowAll(r.Shared) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", s.Name, s.Verdict, inline(strings.Join(s.Notes, " ")))
	}
	if r.Lens != nil && !r.Lens.Derived {
		b.WriteString("\n## As each crawler receives it\n\n| Crawler | | Why | What to change |\n|---|---|---|---|\n")
		for i := range r.Lens.Views {
			v := &r.Lens.Views[i]
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", inline(v.Name), humanize.Capital(string(v.Access)),
				inline(strings.Join(v.Why, " ")), inline(v.Fix))
		}
	}
	if r.Agents != nil {
		fmt.Fprintf(&b, "\n## As AI agents see it\n\n%d of 100, %s, which counts for none of the scores above.\n\n"+
			"| | | |\n|---|---|---|\n", r.Agents.Grade.Score, r.Agents.Grade.Letter)
		for _, f := range r.Agents.Findings {
			state := "Missing"
			if f.Pass {
				state = "Passed"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", state, inline(f.Title), inline(strings.TrimSpace(f.Message+" "+f.Fix)))
		}
	}
	if len(r.NotChecked) > 0 {
		b.WriteString("\n## Not checked\n\n| | Why |\n|---|---|\n")
		for _, n := range r.NotChecked {
			fmt.Fprintf(&b, "| %s | %s |\n", inline(n.Title), inline(n.Reason))
		}
	}
	fmt.Fprintf(&b, "\n%s passed. Read at %s.\n", humanize.Count(len(r.Issues)-len(failed), "check"),
		r.FetchedAt.UTC().Format("2006-01-02 15:04 UTC"))
	return b.String()
}

// special are the characters with a meaning in Markdown or HTML within a line.
const special = "\\`*_{}[]<>|#!~&"

// inline escapes a text for a line of Markdown, so that it is shown literally.
func inline(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// link escapes an address for angle brackets.
func link(address string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "", "\r", "").Replace(address)
}

// longestRun returns the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// word returns the name of a severity for people.
func word(severity string) string {
	switch severity {
	case "error":
		return "Error"
	case "warning":
		return "Warning"
	default:
		return "Note"
	}
}
