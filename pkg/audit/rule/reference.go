package rule

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// categoryTitles are the display names of the categories, in the order of [Categories].
var categoryTitles = [len(Categories)]string{"Open Graph", "X (Twitter)", "Search engines"}

// Title returns the display name of the category.
func (c Category) Title() string { return categoryTitles[c.index()] }

// Markdown returns the reference of the rules, which is docs/audit-rules.md.
func (s *Set) Markdown() string {
	var b strings.Builder
	b.WriteString(`# Audit rules

What an audit looks at, what each rule is worth, and where it comes from. This page is made from the rules of
` + "`pkg/audit/rule/checks`" + `: ` + "`go test ./pkg/audit/rule/checks -run Reference -update`" + ` rewrites it.

Every rule ends in one state. It passes with all its points, passes in part, or fails; it is blocked when a rule that it
needs failed, which costs all its points and is not listed; or it does not apply, and then counts nowhere. Lengths are
in columns of a screen (a wide character has two), KB are 1,000 bytes.

The score of a category is the part of its points that the page got, times 100. The whole is
`)
	for i, c := range Categories {
		if i > 0 {
			b.WriteString(" + ")
		}
		fmt.Fprintf(&b, "%.2f × %s", c.Share(), c)
	}
	b.WriteString(",\nfrom the exact scores; what is shown is rounded half up. These caps hold, and the lowest " +
		"counts:\n\n| When | At most |\n|---|---|\n")
	s.writeCaps(&b)
	b.WriteString("\n| Score | Grade |\n|---|---|\n")
	top := 100
	for _, g := range grades {
		fmt.Fprintf(&b, "| %d to %d | %s |\n", g.from, top, g.letter)
		top = g.from - 1
	}
	fmt.Fprintf(&b, "| 0 to %d | F |\n", top)
	for _, c := range Categories {
		fmt.Fprintf(&b, "\n## %s: `%s`\n\n| Rule | Points | Severity | Passes when | What to do | Sources |\n"+
			"|---|---|---|---|---|---|\n", c.Title(), c)
		for _, r := range s.byID {
			if r.Category == c {
				r.writeRow(&b)
			}
		}
	}
	b.WriteString("\n## Pages of a site\n\nThese compare the pages of a site with each other. They count for no score, " +
		"and stand in the report of a site alone.\n\n| Rule | Passes when | What to do |\n|---|---|---|\n")
	for _, r := range SiteRules {
		fmt.Fprintf(&b, "| `%s`<br>%s | %s | %s |\n", r.ID, r.Title, r.When, r.Fix)
	}
	b.WriteString("\n## Sources\n\n| Short | Source | What the rules take from it |\n|---|---|---|\n")
	for _, ref := range References {
		name := ref.Name
		if ref.URL != "" {
			name = "[" + name + "](" + ref.URL + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", ref.Source, name, ref.Says)
	}
	return b.String()
}

// writeRow writes the rule as a row of the reference.
func (r *Rule) writeRow(b *strings.Builder) {
	points := strconv.FormatFloat(r.Weight, 'f', -1, 64)
	if r.Conditional {
		points += ", where it applies"
	}
	passes := r.When
	if r.Needs != "" {
		passes += " Needs `" + r.Needs + "`."
	}
	var from []string
	for _, s := range r.Sources {
		from = append(from, string(s))
	}
	fmt.Fprintf(b, "| `%s`<br>%s | %s | %s | %s | %s | %s |\n", r.ID, r.Title, points, r.Severity, passes, r.Fix,
		strings.Join(from, ", "))
}

// writeCaps writes the limits of scores as rows of a table, and what they mean for gains.
func (s *Set) writeCaps(b *strings.Builder) {
	for _, c := range caps {
		r := s.byID[s.at[c.rule]]
		var most []string
		if c.most < 100 {
			most = append(most, fmt.Sprintf("%s %v", r.Category, c.most))
		}
		if c.overall < 100 {
			most = append(most, fmt.Sprintf("overall %v", c.overall))
		}
		fmt.Fprintf(b, "| %s | %s |\n", cmp.Or(c.words, "`"+c.rule+"` gets no points"), strings.Join(most, ", "))
	}
	for n, most := range mostHidden {
		if n > 0 {
			fmt.Fprintf(b, "| %s no picture, or nothing but the address | overall %v |\n",
				[...]string{"", "one large network shows", "two of them show", "all three show"}[n], most)
		}
	}
	fmt.Fprintf(b, "| any error | overall %v |\n| any finding of a rule with points | its category %v, overall %v |\n",
		mostWithError, mostWithFinding, mostWithFinding)
	b.WriteString(`
The large networks are Facebook (with WhatsApp), X and LinkedIn. A rule without points gives notes, which cost nothing.

The gain of a finding is what fixing it raises the overall score by, before it is rounded. Findings that only raise it
together, since each keeps the same cap, have one gain, at the one to begin with.
`)
}
