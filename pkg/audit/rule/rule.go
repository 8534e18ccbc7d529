// Package rule has the rules of audits: what each checks, its weight, its messages, and how the results become scores.
// Rules are pure functions of a [scrape.Site] and a time: the same input gives the same [Report].
//
// To add a rule, register a [Rule] in a file of this package, next to similar ones. The report, the score, and the
// reference in docs/audit-rules.md follow automatically; tests require that each rule has a page that passes and one
// that fails. An ID is never renamed or reused.
package rule

import (
	"slices"
	"strings"
	"sync"
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
	// opens are rules that apply once this one is fixed, and then pass.
	opens []string
	// alone means that the rule doesn't depend on anything that fixing another one changes, so it needn't be judged again.
	// tags means that this holds only until elements are pasted into the head.
	alone, tags bool

	check func(*facts) verdict
	// apply changes facts as following the fix would, unless that is to paste elements into the head, which is judged as
	// a page with them. It is nil if no other rule depends on the changes.
	apply func(*facts)
}

// state is the outcome of a rule.
type state uint8

const (
	notApplicable state = iota
	blocked             // it can't be judged because another rule failed; it counts by its credit and isn't listed
	judged
)

// verdict is the result of a rule.
type verdict struct {
	state    state
	credit   float64 // 0 to 1; what a blocked rule got nonetheless
	severity Severity
	// message says what was found, advice what to do, and code is code to paste; "" if unnecessary.
	message, advice, code string
	// reason says why a rule that doesn't apply couldn't be checked; "" if there was nothing to check.
	reason string
	// weight replaces that of the rule if it isn't 0. hidden are the networks that show no picture, or nothing but the
	// address, because of this. leftover means that the title is a placeholder of a template.
	weight   float64
	hidden   networks
	leftover bool

	plain bool // with the rule's own severity
	quiet bool
}

// failed reports whether the rule was judged and got nothing, which matters to caps and dependent rules.
func (v *verdict) failed() bool { return v.state == judged && v.credit == 0 }

// registry has the rules by ID until [registered] closes it.
var registry = map[string]*Rule{}

// register adds a rule. It panics for a duplicate ID or an incomplete rule: bugs that show at the first start.
func register(r Rule) *Rule {
	switch {
	case registry[r.ID] != nil:
		panic("rule: two rules are called " + r.ID)
	case r.Category.index() < 0 || !strings.HasPrefix(r.ID, string(r.Category)+"-"):
		panic("rule: the category or ID of " + r.ID + " differ")
	case r.check == nil || r.Weight < 0 || r.Title == "" || r.When == "" || r.Fix == "" || len(r.Sources) == 0:
		panic("rule: " + r.ID + " is incomplete")
	}
	registry[r.ID] = &r
	return &r
}

// All returns all rules, sorted by ID.
func All() []Rule {
	ordered := registered().byID
	all := make([]Rule, len(ordered))
	for i, r := range ordered {
		all[i] = *r
	}
	return all
}

// set is the registry in judging order.
type set struct {
	byID []*Rule
	// order has the indexes into byID such that each rule comes after the one that it needs.
	order []int
	// needs has, for each index into byID, that of the rule it needs, or -1; opens those of the rules it opens.
	needs []int
	opens [][]int
	at    map[string]int
}

// registered closes the registry.
var registered = sync.OnceValue(func() *set {
	s := &set{at: map[string]int{}}
	for _, r := range registry {
		s.byID = append(s.byID, r)
	}
	slices.SortFunc(s.byID, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	for i, r := range s.byID {
		s.at[r.ID] = i
	}
	place := func(r *Rule, id string) int {
		i, ok := s.at[id]
		if !ok {
			panic("rule: " + r.ID + " names " + id + ", which isn't a rule")
		}
		return i
	}
	s.needs, s.opens = make([]int, len(s.byID)), make([][]int, len(s.byID))
	for i, r := range s.byID {
		s.needs[i] = -1
		if r.Needs != "" {
			s.needs[i] = place(r, r.Needs)
		}
		for _, id := range r.opens {
			s.opens[i] = append(s.opens[i], place(r, id))
		}
	}
	var depth func(i, above int) int
	depth = func(i, above int) int {
		if above > len(s.byID) {
			panic("rule: " + s.byID[i].ID + " needs itself")
		}
		if s.needs[i] < 0 {
			return above
		}
		return depth(s.needs[i], above+1)
	}
	for i := range s.byID {
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return depth(a, 0) - depth(b, 0) })
	return s
})

// judge returns the verdict on each rule, by its index in byID. before, if not nil, has the verdicts before one was
// fixed; pasted means by elements in the head.
func (s *set) judge(f *facts, before []verdict, pasted bool) []verdict {
	verdicts := make([]verdict, len(s.byID))
	for _, i := range s.order {
		if n := s.needs[i]; n >= 0 {
			switch need := &verdicts[n]; {
			case need.state == notApplicable:
				continue
			case need.state == blocked || need.failed():
				verdicts[i].state = blocked
				continue
			}
		}
		if before != nil && s.byID[i].alone && !(pasted && s.byID[i].tags) {
			verdicts[i] = before[i]
			continue
		}
		v := s.byID[i].check(f)
		if v.plain {
			v.severity = s.byID[i].Severity
		}
		verdicts[i] = v
	}
	return verdicts
}
