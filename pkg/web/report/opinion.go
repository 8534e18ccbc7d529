package report

import (
	"slices"

	"masthead/pkg/audit"
	"masthead/pkg/humanize"
)

// Text is one of the suggested texts.
type Text struct{ Name, Text string }

// suggested returns the suggested texts, those for X only if they differ.
func suggested(a *audit.Analysis) []Text {
	og, x := a.Suggestions.OG, a.Suggestions.Twitter
	all := []Text{{"Suggested title", og.Title}, {"Suggested description", og.Description}}
	if x.Title != og.Title {
		all = append(all, Text{"Suggested title for X", x.Title})
	}
	if x.Description != og.Description {
		all = append(all, Text{"Suggested description for X", x.Description})
	}
	var some []Text
	for _, t := range all {
		if t.Text != "" {
			some = append(some, t)
		}
	}
	return some
}

// lacking returns what search engines miss, in sentences.
func lacking(a *audit.Analysis) []string {
	d := &a.Discoverability
	var all []string
	if len(d.MissingTypes) > 0 {
		all = append(all, "No structured data of the types "+humanize.And(d.MissingTypes)+".")
	}
	for _, f := range slices.Concat(d.Canonical, d.Hreflang) {
		all = append(all, f.Detail)
	}
	return all
}

// judgement returns severity and confidence as one line.
func judgement(a *audit.Analysis) string {
	switch {
	case a.Severity == "":
		return humanize.Capital(a.Confidence)
	case a.Confidence == "":
		return humanize.Capital(a.Severity)
	}
	return humanize.Capital(a.Severity) + ", " + a.Confidence
}
