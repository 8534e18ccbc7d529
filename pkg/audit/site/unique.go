package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
)

// This file finds what pages repeat from each other.

// Finding is the result of a check of the pages against each other: its ID begins with "site-".
type Finding struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Severity string `json:"severity"` // always warning
	Pass     bool   `json:"pass"`
	Message  string `json:"message"`
	// Fix says what to do, and Groups are the repeated values, those on most pages first, at most [MaxGroups]. Both are
	// empty if Pass.
	Fix    string  `json:"fix,omitempty"`
	Groups []Group `json:"groups,omitempty"`
}

// Group is a value that several pages have.
type Group struct {
	Value string `json:"value"`
	// Count is the number of pages, URLs are the first of them, at most [MaxExamples].
	Count int      `json:"count"`
	URLs  []string `json:"urls"`
}

// MaxGroups is the maximum number of groups in a finding.
const MaxGroups = 10

// shared are the checks: the value of each, and how messages call it.
var shared = [...]struct {
	rule.SiteRule
	noun  string
	value func(*Page) string
}{
	{rule.SiteTitles, "title", func(p *Page) string { return p.Title }},
	{rule.SiteDescriptions, "description", func(p *Page) string { return p.Description }},
	{rule.SitePictures, "share image", func(p *Page) string { return p.Image }},
}

// compare checks the pages against each other. Only pages that can be found are compared: addresses with the same
// canonical one are one page, and versions in other languages may share what they have.
func compare(pages []Page) []Finding {
	var distinct []*Page
	seen := map[string]bool{}
	for i := range pages {
		p := &pages[i]
		if p.Error != "" || p.Status >= 300 || p.Hidden || seen[p.identity()] {
			continue
		}
		seen[p.identity()] = true
		distinct = append(distinct, p)
	}
	if len(distinct) < 2 {
		return nil
	}
	findings := make([]Finding, 0, len(shared))
	for i := range shared {
		check := &shared[i]
		f := Finding{ID: check.ID, Title: check.Title, Severity: "warning"}
		groups, repeated := groupsOf(distinct, check.value)
		if len(groups) == 0 {
			f.Pass = true
			f.Message = fmt.Sprintf("No %s is on more than one of %s.", check.noun, humanize.Count(len(distinct), "page"))
		} else {
			f.Fix, f.Groups = check.Fix, groups[:min(len(groups), MaxGroups)]
			f.Message = fmt.Sprintf("%d of %s have the same %s as another page", repeated,
				humanize.Count(len(distinct), "page"), check.noun)
			if n := len(groups); n > 1 {
				f.Message += fmt.Sprintf("; %d %ss are on several pages", n, check.noun)
			}
			f.Message += "."
		}
		findings = append(findings, f)
	}
	return findings
}

// groupsOf returns the values that several pages in the same language have, and how many pages have one of them.
func groupsOf(pages []*Page, value func(*Page) string) (groups []Group, repeated int) {
	type key struct{ lang, value string }
	at := map[key]int{}
	var all []Group
	for _, p := range pages {
		v := value(p)
		if v == "" {
			continue
		}
		k := key{strings.ToLower(p.Lang), strings.ToLower(v)}
		i, known := at[k]
		if !known {
			i = len(all)
			at[k] = i
			all = append(all, Group{Value: v})
		}
		all[i].Count++
		if len(all[i].URLs) < MaxExamples {
			all[i].URLs = append(all[i].URLs, p.URL)
		}
	}
	for _, g := range all {
		if g.Count > 1 {
			groups = append(groups, g)
			repeated += g.Count
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return groups, repeated
}
