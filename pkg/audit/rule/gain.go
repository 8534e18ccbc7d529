package rule

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// gains are what fixing the failed rules of a page wins.
type gains struct {
	set      *Set
	facts    *Facts
	before   []Verdict
	overall  float64
	failures []int             // the rules that lost points
	alone    map[int]float64   // what fixing one of them alone wins, if anything
	after    map[int][]Verdict // the verdicts after that
	first    map[int]int       // for a failure that the change for another one also fixes: that one
}

// maxTogether is how many times rules in the way of a fix are added to it. Each time they include all rules that set
// the lowest limit, and there are fewer kinds of limits.
const maxTogether = 12

// anything is the least difference of scores that isn't one of rounding.
const anything = 1e-6

// gains prepares the gains of a page with an overall score.
func (s *Set) gains(f *Facts, before []Verdict, overall float64) *gains {
	g := &gains{set: s, facts: f, before: before, overall: overall,
		alone: map[int]float64{}, after: map[int][]Verdict{}, first: map[int]int{}}
	for i := range before {
		if v := &before[i]; v.State == Judged && s.lost(i, v) > 0 {
			g.failures = append(g.failures, i)
		}
	}
	for _, i := range g.failures {
		after := s.fixed(f, before, i)
		if _, fixed := s.score(after); fixed > overall+anything {
			g.alone[i] = fixed - overall
		}
		g.after[i] = after
	}
	g.join()
	return g
}

// join finds the failures that one change fixes together: they are one step, shown at the one that fixes most.
func (g *gains) join() {
	cleared := map[int][]int{}
	for _, i := range g.failures {
		for _, j := range g.failures {
			if i != j && g.after[i][i].State != Blocked && !g.after[i][j].lacking() {
				cleared[i] = append(cleared[i], j)
			}
		}
	}
	order := slices.Clone(g.failures)
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(shownGain(g.alone[j]), shownGain(g.alone[i])),
			cmp.Compare(len(cleared[j]), len(cleared[i])), g.important(i, j))
	})
	leads := map[int]bool{}
	for _, i := range order {
		if _, joined := g.first[i]; joined {
			continue
		}
		leads[i] = true
		for _, j := range cleared[i] {
			if _, joined := g.first[j]; !joined && !leads[j] {
				g.first[j] = i
			}
		}
	}
}

// lacking reports whether a rule lost points, as a finding or because of another one.
func (v *Verdict) lacking() bool { return v.State == Blocked || v.State == Judged && v.Credit < 1 }

// clears returns the rules that the change for rule i also fixes, most important first.
func (g *gains) clears(i int) (ids []string) {
	var also []int
	for j, first := range g.first {
		if first == i {
			also = append(also, j)
		}
	}
	slices.SortFunc(also, g.important)
	for _, j := range also {
		ids = append(ids, g.set.byID[j].ID)
	}
	return ids
}

// leading returns the first ones of rules' steps, without duplicates.
func (g *gains) leading(rules []int) (leading []int) {
	for _, j := range rules {
		if first, joined := g.first[j]; joined {
			j = first
		}
		if !slices.Contains(leading, j) {
			leading = append(leading, j)
		}
	}
	return leading
}

// lost returns how many points of the overall score a rule lost by itself.
func (s *Set) lost(i int, v *Verdict) float64 {
	return (1 - v.Credit) * s.points(i, v) * s.byID[i].Category.Share()
}

// of returns the gain of rule i, and the rules that must be fixed as well. The gain of rules that win only together is
// that of the most important one of them; the others have none, and neither has one that the change for another fixes,
// which is then the only one returned.
func (g *gains) of(i int) (gain float64, with []string) {
	if !slices.Contains(g.failures, i) {
		return 0, nil
	}
	if first, joined := g.first[i]; joined {
		return 0, []string{g.set.byID[first].ID}
	}
	if won, ok := g.alone[i]; ok {
		return shownGain(won), nil
	}
	together, won := g.together(i)
	together = g.leading(together)
	if len(together) == 1 {
		return 0, nil
	}
	slices.SortFunc(together, g.important)
	for _, j := range together {
		if j != i {
			with = append(with, g.set.byID[j].ID)
		}
	}
	waits := slices.ContainsFunc(together, func(j int) bool { _, ok := g.alone[j]; return ok })
	if won > 0 && !waits && together[0] == i {
		return shownGain(won), with
	}
	return 0, with
}

// shownGain is a gain as shown: to one decimal, but never nothing.
func shownGain(won float64) float64 { return max(0.1, math.Round(10*won)/10) }

// important orders rules: errors first, then by the points that they lost.
func (g *gains) important(i, j int) int {
	a, b := &g.before[i], &g.before[j]
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(g.set.lost(j, b), g.set.lost(i, a)),
		strings.Compare(g.set.byID[i].ID, g.set.byID[j].ID))
}

// waits reports whether rule i sets none of the limits that keep the score from rising, nor makes others worse: its
// gain shows once those that do are fixed.
func (g *gains) waits(i int) bool {
	categories, overall := g.set.score(g.before)
	return len(g.spoiled(g.after[i], []int{i})) == 0 &&
		!slices.Contains(g.inTheWay(g.before, i, categories, overall, nil), i)
}

// together returns rule i and the rules without which fixing it wins nothing, and what fixing all of them wins.
func (g *gains) together(i int) (rules []int, won float64) {
	rules = []int{i}
	after := g.after[i]
	if g.waits(i) {
		categories, overall := g.set.score(after)
		return append(rules, g.inTheWay(after, i, categories, overall, rules)...), 0
	}
	for n := range maxTogether {
		if n > 0 {
			after = g.set.fixed(g.facts, g.before, rules...)
		}
		categories, overall := g.set.score(after)
		if overall > g.overall+anything {
			return rules, overall - g.overall
		}
		most := len(rules)
		rules = append(rules, g.spoiled(after, rules)...)
		if len(rules) == most {
			rules = append(rules, g.inTheWay(after, i, categories, overall, rules)...)
		}
		if len(rules) == most {
			break
		}
	}
	return rules, 0
}

// spoiled returns the rules that got worse, which have to be fixed as well.
func (g *gains) spoiled(after []Verdict, rules []int) (more []int) {
	for j := range after {
		worse := after[j].State == Judged && after[j].Credit < 1 &&
			(g.before[j].State != Judged || g.before[j].Credit > after[j].Credit)
		if worse && g.before[j].State != Blocked && !slices.Contains(rules, j) {
			more = append(more, j)
		}
	}
	return more
}

// inTheWay returns the rules that set the lowest limit of the overall score, or else that of rule i's category.
func (g *gains) inTheWay(
	after []Verdict, i int, categories [len(Categories)]float64, overall float64, rules []int,
) (more []int) {
	of := func(category int, score float64) (more []int) {
		g.set.limits(after, func(c int, most float64, j int) {
			binds := c == category && most <= score+anything
			if binds && !slices.Contains(rules, j) && !slices.Contains(more, j) {
				more = append(more, j)
			}
		})
		return more
	}
	if more = of(overallCap, overall); len(more) > 0 {
		return more
	}
	own := g.set.byID[i].Category.index()
	return of(own, categories[own])
}

// fixed returns the verdicts after following the advice of rules. Where that is to paste elements into the head, the
// page with them is judged. Otherwise the facts change accordingly, the rules pass, and so do those that they block or
// open.
func (s *Set) fixed(f *Facts, before []Verdict, rules ...int) []Verdict {
	var code []string
	var others []int
	for _, i := range rules {
		switch piece := before[i].Code; {
		case !forHead(piece):
			others = append(others, i)
		case !slices.Contains(code, piece):
			code = append(code, piece)
		}
	}
	pasted := f
	if len(code) > 0 {
		head := strings.Join(code, "\n")
		if after, ok := f.memo.pasted[head]; ok && len(others) == 0 {
			return after
		}
		pasted = newFacts(f.with(f.Site, head, f.cardAddress()), f.Now, f.memo)
		pasted.Quiet = true
		if len(others) == 0 {
			after := s.judge(pasted, before, true)
			f.memo.pasted[head] = after
			return after
		}
	}
	g, changed := *pasted, len(code) > 0
	g.Quiet = true
	for _, i := range others {
		if fix := s.byID[i].Apply; fix != nil {
			fix(&g)
			changed = true
		}
	}
	after := slices.Clone(before)
	if changed {
		after = s.judge(&g, before, len(code) > 0)
	}
	for _, i := range others {
		s.settle(before, after, i)
	}
	return after
}

// settle makes rule i pass, and those that it blocks or opens.
func (s *Set) settle(before, after []Verdict, i int) {
	pass := func(j int) { after[j] = Verdict{State: Judged, Credit: 1} }
	pass(i)
	for j := range before {
		if before[j].State == Blocked && s.waitsFor(j, i) {
			pass(j)
		}
	}
	for _, j := range s.opens[i] {
		if before[j].State != Judged {
			pass(j)
		}
	}
}
