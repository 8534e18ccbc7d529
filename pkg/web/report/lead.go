package report

import (
	"fmt"
	"net/url"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
)

// lead is the beginning of the page.
type lead struct {
	// Host is the page's host, Address its address without the scheme, shortened if it is too long.
	Host, Address string
	// Headline is the verdict in a few words, Deck the damage, and Gain the effect of pasting the fixes.
	Headline, Deck, Gain string
	// plain is both without markup, for previews of the report's link.
	plain string
	// Bars are the scores on one axis, the overall one first.
	Bars []bar
	// Worst is the most damaged frame; nil if none is.
	Worst *frame
}

// bar is one score.
type bar struct {
	Name, Letter string
	Score        int
	// Cuts are the marks of the axis, 60 to 90; those below the score cut the bar.
	Cuts []cut
}

type cut struct {
	At   int
	Over bool // the bar extends beyond it
}

// Host returns the host of the page in readable form.
func Host(r *audit.Report) string {
	u, err := url.Parse(r.FinalURL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}

func leadOf(s *Source, o *others) lead {
	r := s.Report
	l := lead{Headline: r.Headline(), Address: r.FinalURL}
	if u, err := url.Parse(r.FinalURL); err == nil {
		l.Host = strings.TrimPrefix(u.Host, "www.")
		l.Address = shortAddress(u)
	}
	l.Deck = deck(r, o.shown)
	// For a page that returns an error, missing tags aren't the first problem.
	if m := r.Patch; m != nil && m.Overall.Score > r.Overall.Score && r.Status < 400 {
		tags := humanize.Capital(spelled(m.Tags)) + " tags"
		if m.Tags == 1 {
			tags = "One tag"
		}
		verb := "take"
		if m.Tags == 1 {
			verb = "takes"
		}
		l.Gain = fmt.Sprintf("%s, ready to paste below, %s it from %d to %d.", tags, verb, r.Overall.Score, m.Overall.Score)
	}
	l.plain = strings.TrimSpace(l.Headline + ". " + l.Deck)
	l.Bars = append(l.Bars, barOf("Overall", r.Overall))
	for _, c := range rule.Categories {
		l.Bars = append(l.Bars, barOf(categoryNames[string(c)], r.Categories.Of(c)))
	}
	if worst := platform.Worst(o.shown); worst >= 0 && o.shown[worst].Verdict.Severity() > 0 {
		l.Worst = &o.Frames[worst]
	}
	return l
}

// categoryNames are the names of the categories on the page.
var categoryNames = map[string]string{"og": "Open Graph", "twitter": "X / Twitter", "seo": "Search"}

func barOf(name string, g audit.Grade) bar {
	b := bar{Name: name, Letter: g.Letter, Score: g.Score}
	for at := 60; at <= 90; at += 10 {
		b.Cuts = append(b.Cuts, cut{at, g.Score > at})
	}
	return b
}

// shortAddress returns an address without its scheme, shortened to a line.
func shortAddress(u *url.URL) string {
	const most = 100
	text := strings.TrimSuffix(strings.TrimPrefix(u.Host, "www.")+u.EscapedPath(), "/")
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	if u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// deck says in a sentence what each platform shows: up to three that lost the most.
func deck(r *audit.Report, all []platform.Preview) string {
	if r.Status >= 400 {
		return "No platform shows a preview of such a page. It was audited anyway."
	}
	const most = 3
	var damaged []*platform.Preview
	for severity := platform.BareLink.Severity(); severity > 0; severity-- {
		for i := range all {
			if all[i].Verdict.Severity() == severity {
				damaged = append(damaged, &all[i])
			}
		}
	}
	switch {
	case len(damaged) == 0:
		return "Complete, with its picture, on all " + spelled(len(all)) + " platforms."
	case len(damaged) == len(all) && sameHarm(damaged):
		return humanize.Capital(harm(damaged[0])) + " all " + spelled(len(all)) + " platforms."
	}
	named := damaged[:min(most, len(damaged))]
	var parts []string
	for i := 0; i < len(named); {
		names := []string{named[i].Name}
		j := i + 1
		for ; j < len(named) && harm(named[j]) == harm(named[i]); j++ {
			names = append(names, named[j].Name)
		}
		parts = append(parts, harm(named[i])+" "+humanize.And(names))
		i = j
	}
	text := humanize.Capital(strings.Join(parts, ", "))
	if more := len(damaged) - len(named); more > 0 {
		text += ", and harmed on " + spelled(more) + " more"
	}
	return text + "."
}

func sameHarm(all []*platform.Preview) bool {
	for _, s := range all {
		if harm(s) != harm(all[0]) {
			return false
		}
	}
	return true
}

// harm describes the damage on a platform, up to its name.
func harm(s *platform.Preview) string {
	switch s.Verdict {
	case platform.BareLink:
		return "a bare link on"
	case platform.NoPicture:
		return "without a picture on"
	case platform.SmallCard:
		if s.Lost > 0.1 {
			return "small and cropped on"
		}
		return "small on"
	case platform.PictureCut:
		return "cropped on"
	default:
		return "with its title cut on"
	}
}
