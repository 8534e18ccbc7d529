// Package rule judges pages by rules: the facts of a page that rules read, verdicts, scores, and what following the
// advice of a rule would gain. All of it is pure functions of a [scrape.Result] and a time: the same input gives the
// same [Report]. The rules themselves are in package checks.
package rule

import (
	"slices"
	"strings"
)

// Category is a group of rules with its own score.
type Category string

// The categories: what all link previews read, what X reads, what search engines read.
const (
	OG      Category = "og"
	Twitter Category = "twitter"
	SEO     Category = "seo"
)

// Categories are all categories in display order.
var Categories = [...]Category{OG, Twitter, SEO}

// index returns the index of the category in [Categories].
func (c Category) index() int { return slices.Index(Categories[:], c) }

// Severity is how much a failed rule matters. Lower is worse.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Info
)

// String returns the severity as written in reports.
func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// Rule is one check of an audit.
type Rule struct {
	// ID is the stable name of the rule.
	ID string
	// Category is the score that the rule counts for, Weight its points: those of the unconditional rules of a category
	// add up to 100.
	Category Category
	Weight   float64
	// Conditional means that the rule doesn't apply to most pages.
	Conditional bool
	// Severity is that of a plain failure.
	Severity Severity
	// Title names what is checked.
	Title string
	// When says when the rule passes and what earns part of its points.
	When string
	// Fix says what to do if it doesn't pass.
	Fix string
	// Sources are the sources of the rule and its numbers.
	Sources []Source
	// Needs names the rule without which this one can't be judged, or "".
	Needs string
	// Opens are rules that apply once this one is fixed, and then pass.
	Opens []string
	// Alone means that the rule doesn't depend on anything that fixing another one changes, so it needn't be judged again.
	// Tags means that this holds only until elements are pasted into the head.
	Alone, Tags bool

	// Check judges facts. It doesn't change them.
	Check func(*Facts) Verdict
	// Apply changes facts as following the fix would, unless that is to paste elements into the head, which is judged as
	// a page with them. It is nil if no other rule depends on the changes.
	Apply func(*Facts)
}

// State is the outcome of a rule.
type State uint8

// The states.
const (
	NotApplicable State = iota
	Blocked             // it can't be judged because another rule failed; it counts by its credit and isn't listed
	Judged
)

// Verdict is the result of a rule.
type Verdict struct {
	State    State
	Credit   float64 // 0 to 1; what a blocked rule got nonetheless
	Severity Severity
	// Message says what was found, Advice what to do, and Code is code to paste; "" if unnecessary.
	Message, Advice, Code string
	// Reason says why a rule that doesn't apply couldn't be checked; "" if there was nothing to check.
	Reason string
	// Weight replaces that of the rule if it isn't 0. Hidden are the networks that show no picture, or nothing but the
	// address, because of this. Leftover means that the title is a placeholder of a template.
	Weight   float64
	Hidden   Networks
	Leftover bool

	plain bool // with the rule's own severity
	quiet bool
}

// failed reports whether the rule was judged and got nothing, which matters to caps and dependent rules.
func (v *Verdict) failed() bool { return v.State == Judged && v.Credit == 0 }

// Set is a set of rules, in the order in which they are judged.
type Set struct {
	byID []*Rule
	// order has the indexes into byID such that each rule comes after the one that it needs.
	order []int
	// needs has, for each index into byID, that of the rule it needs, or -1; opens those of the rules it opens.
	needs []int
	opens [][]int
	at    map[string]int
}

// NewSet returns a set of rules. It panics for a duplicate ID, an incomplete rule, or an ID that is named but missing:
// bugs that show at the first start.
func NewSet(rules ...*Rule) *Set {
	s := &Set{byID: slices.Clone(rules), at: map[string]int{}}
	slices.SortFunc(s.byID, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	for i, r := range s.byID {
		if _, taken := s.at[r.ID]; taken {
			panic("rule: two rules are called " + r.ID)
		}
		r.mustBeComplete()
		s.at[r.ID] = i
	}
	for _, c := range caps {
		s.place(c.rule, "a cap")
	}
	s.needs, s.opens = make([]int, len(s.byID)), make([][]int, len(s.byID))
	for i, r := range s.byID {
		s.needs[i] = -1
		if r.Needs != "" {
			s.needs[i] = s.place(r.Needs, r.ID)
		}
		for _, id := range r.Opens {
			s.opens[i] = append(s.opens[i], s.place(id, r.ID))
		}
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return s.depth(a, 0) - s.depth(b, 0) })
	return s
}

// mustBeComplete panics for a rule that lacks something.
func (r *Rule) mustBeComplete() {
	switch {
	case r.Category.index() < 0 || !strings.HasPrefix(r.ID, string(r.Category)+"-"):
		panic("rule: the category or ID of " + r.ID + " differ")
	case r.Check == nil || r.Weight < 0 || r.Title == "" || r.When == "" || r.Fix == "" || len(r.Sources) == 0:
		panic("rule: " + r.ID + " is incomplete")
	}
}

// place returns the index of the rule with an ID, which by names.
func (s *Set) place(id, by string) int {
	i, ok := s.at[id]
	if !ok {
		panic("rule: " + by + " names " + id + ", which isn't a rule")
	}
	return i
}

// depth returns how many rules a rule needs, directly or indirectly, and above.
func (s *Set) depth(i, above int) int {
	if above > len(s.byID) {
		panic("rule: " + s.byID[i].ID + " needs itself")
	}
	if s.needs[i] < 0 {
		return above
	}
	return s.depth(s.needs[i], above+1)
}

// All returns all rules, sorted by ID.
func (s *Set) All() []Rule {
	all := make([]Rule, len(s.byID))
	for i, r := range s.byID {
		all[i] = *r
	}
	return all
}

// judge returns the verdict on each rule, by its index in byID. before, if not nil, has the verdicts before one was
// fixed; pasted means by elements in the head.
func (s *Set) judge(f *Facts, before []Verdict, pasted bool) []Verdict {
	verdicts := make([]Verdict, len(s.byID))
	for _, i := range s.order {
		if n := s.needs[i]; n >= 0 {
			switch need := &verdicts[n]; {
			case need.State == NotApplicable:
				continue
			case need.State == Blocked || need.failed():
				verdicts[i].State = Blocked
				continue
			}
		}
		if before != nil && s.byID[i].Alone && !(pasted && s.byID[i].Tags) {
			verdicts[i] = before[i]
			continue
		}
		v := s.byID[i].Check(f)
		if v.plain {
			v.Severity = s.byID[i].Severity
		}
		verdicts[i] = v
	}
	return verdicts
}
