package watches_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/watches"
)

// told returns how many times the owner of a watch was told of each problem.
func told(t *testing.T, d *db.DB, id string) map[string]int {
	t.Helper()
	var list []string
	if err := d.Select(t.Context(), &list, `SELECT problems FROM told WHERE watch_id = ?`, id); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, problems := range list {
		for p := range strings.SplitSeq(problems, "\n") {
			counts[p]++
		}
	}
	return counts
}

// TestChanges_whatIsToldAndWhatIsKept audits a page once for each report, a day apart, and compares what its owner was
// told and what the history says of the last audit. Source: docs/watches.md.
func TestChanges_whatIsToldAndWhatIsKept(t *testing.T) {
	warned := func(r *audit.Report) *audit.Report {
		r.Issues = append(r.Issues, audit.Issue{ID: "og-locale", Severity: "warning", Title: "Locale", Message: "None."})
		return r
	}
	blocked := func(r *audit.Report, id string) *audit.Report {
		r.Blocked = []string{id}
		return r
	}
	withX := func(r *audit.Report, reachable bool) *audit.Report {
		r.Pictures = append(r.Pictures, audit.PageImage{Kind: audit.XImage, Reachable: reachable, Status: 500})
		if !reachable {
			r.Issues = append(r.Issues, audit.Issue{ID: "twitter-image-reachable", Severity: "error", Title: "X"})
		}
		return r
	}
	good := func() *audit.Report { return report(95, "A") }
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		for name, c := range map[string]struct {
			reports []*audit.Report
			told    []string // sorted
			last    []string // changes of the last audit
			now     []string // problems
		}{
			"a page that is as it was": {reports: []*audit.Report{good(), good()}},
			"what is wrong from the start": {
				reports: []*audit.Report{report(50, "F", "og-title"), report(50, "F", "og-title")},
				now:     []string{"“og-title” has failed since Tuesday: It fails."},
			},
			"the end of what was wrong from the start": {
				reports: []*audit.Report{report(95, "A", "og-title"), good()},
				last:    []string{"“og-title” passes again."},
			},
			"a picture that disappeared": {
				reports: []*audit.Report{good(), without(good(), audit.ShareImage, 404), without(good(), audit.ShareImage, 404)},
				told:    []string{"og:image returns 404."},
				now:     []string{"og:image has returned 404 since Wednesday."},
			},
			"a picture that fails in another way": {
				reports: []*audit.Report{good(), without(good(), audit.ShareImage, 404), without(good(), audit.ShareImage, 0)},
				told:    []string{"og:image returns 404."},
				now:     []string{"og:image has been missing since Wednesday."},
			},
			"the picture of X disappears, then the other": {
				reports: []*audit.Report{
					withX(good(), true), withX(good(), false), without(withX(good(), false), audit.ShareImage, 404),
				},
				told: []string{"og:image returns 404.", "twitter:image returns 500."}, last: []string{"og:image returns 404."},
				now: []string{"og:image has returned 404 since today.", "twitter:image has returned 500 since Wednesday."},
			},
			"a letter that drops twice and comes back halfway": {
				reports: []*audit.Report{good(), report(85, "B"), report(65, "D"), report(75, "C")},
				told:    []string{"The grade dropped from A to B.", "The grade dropped from A to D."},
				last:    []string{"The score rose from 65 to 75."},
				now:     []string{"The grade has been below A since Thursday."},
			},
			"a letter that flaps below the first": {
				reports: []*audit.Report{good(), report(65, "D"), report(75, "C"), report(65, "D"), report(91, "A")},
				told:    []string{"The grade dropped from A to D.", "The grade is A again."},
				last:    []string{"The score rose from 65 to 91.", "The grade is A again."},
			},
			"a plus": {
				reports: []*audit.Report{report(98, "A+"), report(95, "A")},
				last:    []string{"The score fell from 98 to 95."},
			},
			"a warning": {reports: []*audit.Report{good(), warned(good())}, last: []string{"“Locale” loses points: None."}},
			"a warning that becomes an error, and one again": {
				reports: []*audit.Report{warned(good()), report(95, "A", "og-locale"), warned(good())},
				told:    []string{"“og-locale” fails: It fails.", "“og-locale” is no longer an error."},
				last:    []string{"“og-locale” is no longer an error.", "“Locale” loses points: None."},
			},
			"an error whose rule is blocked": {
				reports: []*audit.Report{
					good(), report(95, "A", "og-image-dimensions"),
					blocked(without(good(), audit.ShareImage, 404), "og-image-dimensions"), good(),
				},
				told: []string{
					"og:image loads again.", "og:image returns 404.", "“og-image-dimensions” fails: It fails.",
					"“og-image-dimensions” passes again.",
				},
				last: []string{"og:image loads again.", "“og-image-dimensions” passes again."},
			},
			"a page that is down": {
				reports: []*audit.Report{report(95, "A", "og-title"), nil, nil, report(95, "A", "og-title")},
				told:    []string{"The page can't be loaded: The page answered 503.", "The page loads again."},
				last:    []string{"The page loads again."},
				now:     []string{"“og-title” has failed since Tuesday: It fails."},
			},
			"a page that is down from the start": {
				reports: []*audit.Report{nil, report(95, "A", "og-title")}, last: []string{"The page loads again."},
				now: []string{"“og-title” has failed since today: It fails."},
			},
		} {
			t.Run(name, func(t *testing.T) {
				day := 0
				s := &site{page: func(string, time.Time) *audit.Report { return c.reports[day] }}
				first := time.Date(2040, 1, 3, 12, 0, 0, 0, time.UTC) // a Tuesday
				s.set(first)
				n := newNode(t, d, s)
				caller := n.account(t, "plus")
				w, err := n.watches.Create(t.Context(), caller, watches.New{URL: "https://example.com/", Every: watches.Day})
				if err != nil {
					t.Fatal(err)
				}
				for ; day < len(c.reports); day++ {
					s.set(first.AddDate(0, 0, day))
					if _, err := n.watches.Run(t.Context(), caller, w.ID); err != nil {
						t.Fatal(err)
					}
					n.runUntil(t, func() bool { return idle(t, d, s) })
				}
				var got []string
				for text, times := range told(t, d, w.ID) {
					got = append(got, slices.Repeat([]string{text}, times)...)
				}
				slices.Sort(got)
				if !slices.Equal(got, c.told) {
					t.Errorf("the owner was told %q, want %q", got, c.told)
				}
				runs, _, _, err := n.watches.History(t.Context(), caller, w.ID, cursor.Page{})
				if err != nil || len(runs) != len(c.reports) || !slices.Equal(sorted(runs[0].Changes), sorted(c.last)) {
					t.Errorf("the history is %+v (%v), want %q last", runs, err, c.last)
				}
				list, _, err := n.watches.List(t.Context(), caller, watches.Filter{}, cursor.Page{})
				if err != nil || len(list) != 1 {
					t.Fatalf("got %v, %v, want one page", list, err)
				}
				var problems []string
				for _, f := range list[0].Problems {
					problems = append(problems, f.Text(s.Now()))
				}
				if !slices.Equal(sorted(problems), sorted(c.now)) {
					t.Errorf("the problems are %q, want %q", problems, c.now)
				}
				if err := n.watches.Delete(t.Context(), caller, w.ID); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestPlan_pausesWhatItHasNoRoomFor watches more pages than a smaller plan allows.
func TestPlan_pausesWhatItHasNoRoomFor(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		s := &site{now: time.Now().Add(time.Hour), page: func(string, time.Time) *audit.Report { return report(95, "A") }}
		n := newNode(t, d, s)
		caller := n.account(t, "plus")
		for range 3 {
			_, err := n.watches.Create(t.Context(), caller, watches.New{URL: "https://example.com/", Every: watches.Day})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Exec(t.Context(), `UPDATE users SET plan = 'free' WHERE id = ?`, caller.UserID); err != nil {
			t.Fatal(err)
		}
		n = newNode(t, d, s) // which has cached no plan
		n.runUntil(t, func() bool { return idle(t, d, s) })
		list, _, err := n.watches.List(t.Context(), caller, watches.Filter{}, cursor.Page{})
		if err != nil || len(list) != 3 || !list[0].Paused || list[1].Paused || list[2].Paused {
			t.Fatalf("got %+v, %v, want the newest of three paused", list, err)
		}
		for i, w := range list {
			if audited := w.Letter != ""; audited == w.Paused {
				t.Errorf("page %d: audited %v, paused %v", i, audited, w.Paused)
			}
			if wait := w.NextAt.Sub(s.Now()); wait < 84*time.Hour {
				t.Errorf("page %d: audited again in %v, want weekly on Free, though it was watched daily", i, wait)
			}
		}
		if _, err := n.watches.Run(t.Context(), caller, list[0].ID); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("running a paused page: got %v, want CONFLICT", err)
		}
		_, err = n.watches.Create(t.Context(), caller, watches.New{URL: "https://example.com/"})
		if apperr.CodeOf(err) != apperr.TierLocked {
			t.Errorf("one more: got %v, want TIER_LOCKED", err)
		}
		_, err = n.watches.Update(t.Context(), caller, list[1].ID, watches.Week)
		if err != nil {
			t.Error(err)
		}
		_, err = n.watches.Update(t.Context(), caller, list[1].ID, watches.Day)
		if apperr.CodeOf(err) != apperr.TierLocked {
			t.Errorf("daily on Free: got %v, want TIER_LOCKED", err)
		}
	})
}

// TestSchedule_isStaggered watches pages and counts the hours of the day in which they are audited next.
func TestSchedule_isStaggered(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		s := &site{now: time.Now().Add(time.Hour), page: func(string, time.Time) *audit.Report { return report(95, "A") }}
		n := newNode(t, d, s)
		caller := n.account(t, "plus")
		const pages = 120
		for range pages {
			_, err := n.watches.Create(t.Context(), caller, watches.New{URL: "https://example.com/", Every: watches.Day})
			if err != nil {
				t.Fatal(err)
			}
		}
		n.runUntil(t, func() bool { return idle(t, d, s) })
		list, _, err := n.watches.List(t.Context(), caller, watches.Filter{}, cursor.Page{Limit: 100})
		if err != nil || len(list) != 100 {
			t.Fatalf("got %d, %v", len(list), err)
		}
		hours := map[int]int{}
		for _, w := range list {
			if wait := w.NextAt.Sub(s.Now()); wait < 12*time.Hour || wait > 36*time.Hour {
				t.Errorf("audited again after %v, want between 12 and 36 hours", wait)
			}
			hours[w.NextAt.Hour()]++
		}
		if len(hours) < 18 {
			t.Errorf("all are audited in %d hours of the day, want them spread: %v", len(hours), hours)
		}
	})
}

func TestBadge_isSVGWithScoreAndLetter(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		s := &site{now: time.Now().Add(time.Hour), page: func(string, time.Time) *audit.Report { return report(98, "A+") }}
		n := newNode(t, d, s)
		w, err := n.watches.Create(t.Context(), n.account(t, "free"), watches.New{URL: "https://example.com/"})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"no report yet", "98 A+"} {
			svg, err := n.watches.Badge(t.Context(), w.PublicID, "badge.svg")
			if err != nil || !strings.Contains(string(svg), ">"+want+"</text>") {
				t.Errorf("got %s, %v, want %q in it", svg, err, want)
			}
			decoder := xml.NewDecoder(strings.NewReader(string(svg)))
			for err == nil {
				_, err = decoder.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("the badge isn't XML: %v", err)
			}
			n.runUntil(t, func() bool { return idle(t, d, s) })
		}
		for _, at := range [][2]string{{w.PublicID, "badge.png"}, {strings.Repeat("0", 22), "badge.svg"}, {"", "badge.svg"}} {
			if _, err := n.watches.Badge(t.Context(), at[0], at[1]); apperr.CodeOf(err) != apperr.NotFound {
				t.Errorf("%v: got %v, want NOT_FOUND", at, err)
			}
		}
	})
}
