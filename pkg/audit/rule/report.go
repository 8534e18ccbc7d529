package rule

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"masthead/pkg/scrape"
)

// Report is the result of an audit.
type Report struct {
	// Overall is the score of the page; Categories has those of [Categories], in that order.
	Overall    Score
	Categories [len(Categories)]Score
	// Issues are the judged rules: failed ones before passed ones, those of rules without weight last among them, then by
	// gain, severity, lost points and ID.
	Issues []Issue
	// NotChecked are the rules that couldn't be checked in the page's location, sorted by ID.
	NotChecked []UncheckedRule
	// Blocked are the IDs of the rules that couldn't be judged because another one failed, sorted.
	Blocked []string
}

// Score returns the score of a category.
func (r *Report) Score(c Category) Score { return r.Categories[c.index()] }

// Issue is the result of a rule. Its texts contain values from the page, cut and without control characters; they must
// be escaped for output.
type Issue struct {
	ID       string
	Category Category
	Severity Severity
	// Pass reports whether the rule got all its points. Credit is the fraction that it got, 0 to 1.
	Pass   bool
	Credit float64
	Title  string
	// Message says what was found. Advice, unless the rule passed, says what to do, and Code, if any, is code to paste
	// into the page or its robots.txt. Fix is both, with Code on lines of its own.
	Message, Fix, Advice, Code string
	// Lost is how many points of the overall score the rule itself lost. Gain is how much fixing this issue, and those of
	// With, would raise it, rounded to one decimal and at least 0.1: rules that depend on it then pass, and a cap may be
	// lifted. Gains don't add up. A failed issue without points has none, nor has one that raises the score only with
	// others of which one already has the gain, or that the change for another one fixes.
	Lost, Gain float64
	// With are the IDs of the rules that must be fixed as well so that the score rises, most important first; of an issue
	// that the change for another one fixes, that one.
	With []string
	// Clears are the IDs of the failed rules that the change for this issue also fixes, most important first: they are
	// one step, whose gain is this issue's. They have no code.
	Clears []string
}

// Judgment is the result of all rules for a site, for one goroutine at a time. Its methods share its facts and
// verdicts.
type Judgment struct {
	set      *Set
	facts    *Facts
	verdicts []Verdict // by the rules' indexes in the set
}

// Judge collects the facts of a site, which must have its page, and judges them by all rules. now is the time of the
// fetch; it determines what is old.
//
// If a part of the site wasn't requested, the rules about it don't apply; if a part failed, they fail.
func (s *Set) Judge(site *scrape.Result, now time.Time) *Judgment {
	f := newFacts(site, now, newMemo())
	return &Judgment{s, f, s.judge(f, nil, false)}
}

// Verdict returns the verdict on the rule with an ID. It panics for an ID that isn't in the set.
func (j *Judgment) Verdict(id string) *Verdict {
	i, ok := j.set.at[id]
	if !ok {
		panic("rule: " + id + " isn't a rule")
	}
	return &j.verdicts[i]
}

// Report returns the scores and issues.
func (j *Judgment) Report() Report {
	s, f, verdicts := j.set, j.facts, j.verdicts
	categories, overall := s.score(verdicts)
	report := Report{Overall: Score{overall}, NotChecked: s.notChecked(verdicts)}
	for c := range categories {
		report.Categories[c] = Score{categories[c]}
	}
	gains := s.gains(f, verdicts, overall)
	for i, r := range s.byID {
		v := &verdicts[i]
		if v.State == Blocked {
			report.Blocked = append(report.Blocked, r.ID)
		}
		if v.State != Judged {
			continue
		}
		issue := Issue{
			ID: r.ID, Category: r.Category, Severity: v.Severity, Pass: v.Credit == 1, Credit: v.Credit,
			Title: r.Title, Message: v.Message,
		}
		if !issue.Pass {
			issue.Advice, issue.Code = f.placed(v.Advice, v.Code), v.Code
			if _, joined := gains.first[i]; joined && v.Code != "" {
				issue.Advice, issue.Code = strings.TrimSuffix(v.Advice, ":")+".", ""
			}
			issue.Fix = issue.Advice
			if issue.Code != "" {
				issue.Fix += "\n" + issue.Code
			}
			issue.Lost = s.lost(i, v)
			issue.Gain, issue.With = gains.of(i)
			issue.Clears = gains.clears(i)
		}
		report.Issues = append(report.Issues, issue)
	}
	slices.SortFunc(report.Issues, func(a, b Issue) int {
		return cmp.Or(failedFirst(a, b), notesLast(a, b), cmp.Compare(b.Gain, a.Gain), cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(b.Lost, a.Lost), cmp.Compare(a.ID, b.ID))
	})
	return report
}

// notesLast orders failed issues that cost no points, which are only notes, behind those that do.
func notesLast(a, b Issue) int {
	switch note := func(i Issue) bool { return !i.Pass && i.Lost == 0 }; {
	case note(a) == note(b):
		return 0
	case note(a):
		return 1
	}
	return -1
}

func failedFirst(a, b Issue) int {
	switch {
	case a.Pass == b.Pass:
		return 0
	case b.Pass:
		return -1
	}
	return 1
}

// waitsFor reports whether rule j depends on rule i, directly or indirectly.
func (s *Set) waitsFor(j, i int) bool {
	for j = s.needs[j]; j >= 0; j = s.needs[j] {
		if j == i {
			return true
		}
	}
	return false
}
