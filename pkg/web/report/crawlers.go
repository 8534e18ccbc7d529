package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
)

// Crawlers is how far reading a page by the names of crawlers is, on a served report.
type Crawlers struct {
	// Lens has what is known: while Running, the crawlers so far.
	Lens *audit.Lens
	// Running means that it waits or runs.
	Running bool
	// Fault is why it failed or can't begin, as a sentence; "" otherwise.
	Fault string
	// Owner means that the viewer may have the page read. Path is the address of the form and of the part.
	Owner bool
	Path  string
}

// crawlers is the part of the page.
type crawlers struct {
	Crawlers
	Says  string
	Open  bool
	Done  int
	Total int
	// Share is Done as a percentage.
	Share string
	// Rows are the crawlers that don't receive the page as we do; Received are the names of the others.
	Rows          []crawlerRow
	Received      string
	ReceivedCount string
}

// crawlerRow is what one crawler receives, or several alike.
type crawlerRow struct {
	Names, Mark, Verdict, Text, Fix, Kind string
}

// crawlersOf returns the part of a report, or nil if nothing is known.
func crawlersOf(s *Source) *crawlers {
	v := &crawlers{Total: len(platform.Visitors())}
	if s.Crawlers != nil {
		v.Crawlers = *s.Crawlers
	} else {
		v.Lens = s.Report.Lens
	}
	if v.Lens == nil && !v.Owner {
		return nil
	}
	v.Says = fmt.Sprintf("what %d crawlers find, by robots.txt and by one reading", v.Total)
	if v.Lens != nil && !v.Lens.Derived {
		v.Says = fmt.Sprintf("read by the names of %d crawlers", v.Total)
		v.Open = true
	}
	v.Open = v.Open || v.Running || v.Fault != ""
	if v.Lens == nil {
		return v
	}
	if v.Running && !v.Lens.Derived {
		v.Done = len(v.Lens.Views)
	}
	v.Share = fmt.Sprintf("%.1f", 100*float64(v.Done)/float64(v.Total))
	if v.Running && v.Lens.Derived { // what is derived comes to nothing soon
		return v
	}
	v.Rows = crawlerRows(v.Lens.Views)
	var received []string
	for i := range v.Lens.Views {
		if v.Lens.Views[i].Access == audit.Received {
			received = append(received, v.Lens.Views[i].Name)
		}
	}
	if len(received) > 0 {
		v.Received = humanize.And(received)
		v.ReceivedCount = fmt.Sprintf("%d of %d", len(received), len(v.Lens.Views))
	}
	return v
}

// group are crawlers of which the same is said, but for their names.
type group struct {
	said  string
	views []*audit.LensView
}

// crawlerRows returns the crawlers that don't receive the page, those alike together.
func crawlerRows(views []audit.LensView) []crawlerRow {
	names := map[string]string{}
	for _, c := range platform.Visitors() {
		names[c.ID] = cmp.Or(c.Token, c.Name)
	}
	var groups []*group
	for i := range views {
		v := &views[i]
		if v.Access == audit.Received {
			continue
		}
		said := string(v.Access) + strings.Join(v.Why, "\n") + "\n\n" + v.Fix
		if name := names[v.ID]; name != "" {
			said = strings.ReplaceAll(said, name, "\x00")
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.said == said })
		if at < 0 {
			groups, at = append(groups, &group{said: said}), len(groups)
		}
		groups[at].views = append(groups[at].views, v)
	}
	rows := make([]crawlerRow, len(groups))
	for i, g := range groups {
		rows[i] = g.row()
	}
	return rows
}

func (g *group) row() crawlerRow {
	first := g.views[0]
	row := crawlerRow{
		Mark: "warning", Verdict: string(first.Access), Text: strings.Join(first.Why, " "), Fix: first.Fix,
	}
	if first.Access == audit.Refused {
		row.Mark = "error"
	}
	var names []string
	agents, byName := 0, strings.Contains(g.said, "\x00")
	for _, v := range g.views {
		names = append(names, v.Name)
		if v.Agent {
			agents++
		}
	}
	row.Names = humanize.And(names)
	switch agents {
	case 0:
		row.Kind = "Previews"
	case len(g.views):
		row.Kind = "AI agents"
		if agents == 1 {
			row.Kind = "AI agent"
		}
	default:
		row.Kind = "Both kinds"
	}
	if more := len(g.views) - 1; more > 0 && byName {
		row.Fix += " The same goes for the other"
		if more > 1 {
			row.Fix += fmt.Sprintf(" %d, each", more)
		}
		row.Fix += " by its own name."
	}
	return row
}
