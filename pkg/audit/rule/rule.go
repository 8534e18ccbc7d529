// Package rule owns the rules of audits: what each looks at, what it is worth, what it tells, and how the results
// become scores. Rules are pure functions over a [scrape.Site] and a time: the same two give the same [Report].
//
// To add a rule, register a [Rule] in a file of this package, beside those like it. The report, the score, and the
// reference in docs/audit-rules.md follow by themselves; tests hold that each rule has a page that passes and one that
// fails. An id is never renamed and never used again.
package rule

import (
	"slices"
	"strings"
	"sync"
)

// Category is a group of rules that has a score of its own.
type Category string

// The categories: what all link previews read, what X reads, what search engines read.
const (
	OG      Category = "og"
	Twitter Category = "twitter"
	SEO     Category = "seo"
)

// Categories are all categories, in the order in which they are shown.
var Categories = [...]Category{OG, Twitter, SEO}

// index returns the place of the category in [Categories].
func (c Category) index() int { return slices.Index(Categories[:], c) }

// Severity says how much a failed rule matters. The smaller, the worse.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Info
)

// String returns the severity as it is written in reports.
func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// Rule is one thing that an audit looks at.
type Rule struct {
	// ID is the stable name of the rule.
	ID string
	// Category is the score that the rule counts in, Weight how many of its points: those of the unconditional rules
	// of a category add up to 100.
	Category Category
	Weight   float64
	// Conditional says that most pages have nothing that the rule looks at.
	Conditional bool
	// Severity is that of a plain failure.
	Severity Severity
	// Title names what is looked at.
	Title string
	// When says when the rule passes and what earns part of its points.
	When string
	// Fix says what to do when it does not.
	Fix string
	// Sources say where the rule and its numbers come from.
	Sources []Source
	// Needs names the rule without which this one cannot be judged; "" for none.
	Needs string
	// opens names rules that apply once this one is fixed, and then pass.
	opens []string
	// alone says that the rule looks at nothing that fixing another one changes, so it need not be judged again.
	alone bool

	check func(*facts) verdict
	// fix changes facts as somebody does who follows the fix. It is nil when no other rule looks at what changes.
	apply func(*facts)
}

// state says what came of a rule.
type state uint8

const (
	notApplicable state = iota
	blocked             // it cannot be judged since another rule failed; counts like a failure and is not listed
	judged
)

// verdict is what came of a rule.
type verdict struct {
	state    state
	credit   float64 // 0 to 1
	severity Severity
	// message says what was found, advice what to do, and code is what can be pasted; "" for what is not needed.
	message, advice, code string
	// reason says why a rule that does not apply could not be checked; "" when there was nothing to check.
	reason string

	plain bool // the severity is the rule's own
	quiet bool
}

// failed reports whether the rule was judged and got nothing: what caps and the rules that need it look at.
func (v *verdict) failed() bool { return v.state == judged && v.credit == 0 }

// registry holds the rules by their ids until [registered] closes it.
var registry = map[string]*Rule{}

// register adds a rule. It panics for an id that is taken or a rule that is not whole: faults of the program that its
// first run shows.
func register(r Rule) *Rule {
	switch {
	case registry[r.ID] != nil:
		panic("rule: two rules are called " + r.ID)
	case r.Category.index() < 0 || !strings.HasPrefix(r.ID, string(r.Category)+"-"):
		panic("rule: the category and the id of " + r.ID + " differ")
	case r.check == nil || r.Weight <= 0 || r.Title == "" || r.When == "" || r.Fix == "" || len(r.Sources) == 0:
		panic("rule: " + r.ID + " is not whole")
	}
	registry[r.ID] = &r
	return &r
}

// All returns all rules, sorted by their ids.
func All() []Rule {
	ordered := registered().byID
	all := make([]Rule, len(ordered))
	for i, r := range ordered {
		all[i] = *r
	}
	return all
}

// set is the registry in the order in which rules are judged.
type set struct {
	byID []*Rule
	// order holds the places in byID so that each rule comes after the one that it needs.
	order []int
	// needs holds for each place in byID that of the rule it needs, or -1; opens those of the rules it opens.
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
			panic("rule: " + r.ID + " names " + id + ", which is no rule")
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

// judge returns what comes of each rule, by its place in byID. before, unless it is nil, is what came of them before
// one was fixed.
func (s *set) judge(f *facts, before []verdict) []verdict {
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
		if before != nil && s.byID[i].alone {
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
