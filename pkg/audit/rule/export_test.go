package rule

import (
	"time"

	"masthead/pkg/scrape"
)

// StateOf returns what comes of one rule: "pass", "partial", "fail", "blocked" or "not applicable".
func StateOf(site *scrape.Site, now time.Time, id string) string {
	s := registered()
	switch v := s.judge(newFacts(site, now, newMemo()), nil, false)[s.at[id]]; {
	case v.state == blocked:
		return "blocked"
	case v.state == notApplicable:
		return "not applicable"
	case v.credit == 1:
		return "pass"
	case v.credit == 0:
		return "fail"
	}
	return "partial"
}

// Register is register, for the test of its panics.
var Register = register

// AddCheck gives a rule the check that Register wants.
func AddCheck(r *Rule) { r.check = func(f *facts) verdict { return f.pass("") } }

// ComparableURL is comparableURL.
var ComparableURL = comparableURL

// Credits returns the credit of each rule that applies to a site, by ID: 0 for a blocked one.
func Credits(site *scrape.Site, now time.Time) map[string]float64 {
	s := registered()
	credits := map[string]float64{}
	for i, v := range s.judge(newFacts(site, now, newMemo()), nil, false) {
		if v.state != notApplicable {
			credits[s.byID[i].ID] = v.credit
		}
	}
	return credits
}

// Hidden returns how many of the large networks limit the score of a site.
func Hidden(site *scrape.Site, now time.Time) int {
	hidden := nowhere
	for _, v := range registered().judge(newFacts(site, now, newMemo()), nil, false) {
		if v.state == judged && v.credit < 1 {
			hidden |= v.hidden
		}
	}
	return hidden.count()
}
