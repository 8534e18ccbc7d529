package watches_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/watches"
)

// episode is a seeded change: from one day to another, something is wrong with a page.
type episode struct{ from, to float64 }

// the kinds of seeded changes, with what the owner is told of each.
var kinds = []struct{ worse, better string }{
	{"og:image returns 404.", "og:image loads again."},
	{"favicon is missing.", "favicon loads again."},
	{"“og-title” fails: It fails.", "“og-title” passes again."},
	{"The grade dropped from A to C.", "The grade is A again."},
	{"The page can't be loaded: The page answered 503.", "The page loads again."},
}

// history are the episodes of a page, by kind.
type history [][]episode

const simulated = 90 // days

// seeded returns two episodes of each kind, apart from each other. One that begins late doesn't end. A page is down for
// less time than anything else is wrong with it, so nothing begins and ends meanwhile.
func seeded(r *rand.Rand) history {
	h := make(history, len(kinds))
	for kind := range kinds {
		long := 8.0
		if kind == len(kinds)-1 {
			long = 3
		}
		first := 3 + 25*r.Float64()
		second := 48 + 35*r.Float64()
		h[kind] = []episode{{first, first + long + 6*r.Float64()*(long-2)/6}, {second, second + long}}
	}
	return h
}

func (h history) on(kind int, day float64) bool {
	for _, e := range h[kind] {
		if day >= e.from && day < e.to {
			return true
		}
	}
	return false
}

func (h history) report(day float64) *audit.Report {
	if h.on(4, day) {
		return nil
	}
	score, letter, failed := 95, "A", []string{}
	if h.on(3, day) {
		score, letter = 72, "C"
	}
	if h.on(2, day) {
		failed = append(failed, "og-title")
	}
	r := report(score, letter, failed...)
	if h.on(0, day) {
		r = without(r, audit.ShareImage, 404)
	}
	if h.on(1, day) {
		r = without(r, audit.Favicon, 0)
	}
	return r
}

// TestSimulated_everySeededChangeIsToldOnce watches pages for 90 days, while their nodes are killed again and again.
func TestSimulated_everySeededChangeIsToldOnce(t *testing.T) {
	pages, kills := 12, 60
	if os.Getenv("MASTHEAD_TEST_FULL") != "" {
		pages, kills = 1000, 2000
	}
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		random := rand.New(rand.NewPCG(1, 2)) // the same pages in each run
		start := time.Now().Add(time.Hour)
		histories, ids := map[string]history{}, map[string]string{}
		s := &site{now: start, page: func(url string, now time.Time) *audit.Report {
			return histories[url].report(now.Sub(start).Hours() / 24)
		}}
		n := newNode(t, d, s)
		caller := n.account(t, "plus")
		for i := range pages {
			url := fmt.Sprintf("https://example.com/%d", i)
			w, err := n.watches.Create(t.Context(), caller, watches.New{URL: url, Every: watches.Day})
			if err != nil {
				t.Fatal(err)
			}
			histories[url], ids[url] = seeded(random), w.ID
		}
		killed, interrupted := 0, 0
		for hour := 0; hour <= simulated*24; hour += 6 {
			s.set(start.Add(time.Duration(hour) * time.Hour))
			for interrupted < kills*(hour+6)/(simulated*24) && !idle(t, d, s) {
				interrupted++
				k := &killer{left: 1 + random.IntN(60)}
				newNode(t, d.Interrupted(k.before), s).runUntil(t, func() bool { return k.dead() || idle(t, d, s) })
				if k.dead() {
					killed++
				}
				// The leases of the killed node expire.
				if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0, holder = '' WHERE holder <> ''`); err != nil {
					t.Fatal(err)
				}
			}
			n.runUntil(t, func() bool { return idle(t, d, s) })
		}
		if killed < kills/4 {
			t.Errorf("%d of %d nodes were killed while they worked, want more", killed, kills)
		}
		for url, h := range histories {
			want := map[string]int{}
			for kind, episodes := range h {
				for _, e := range episodes {
					want[kinds[kind].worse]++
					if e.to < simulated-2 {
						want[kinds[kind].better]++
					}
				}
			}
			got := told(t, d, ids[url])
			for kind := range kinds {
				for _, text := range []string{kinds[kind].worse, kinds[kind].better} {
					if ends := h[kind][1].to; text == kinds[kind].better && ends >= simulated-2 && ends <= simulated {
						delete(got, text) // it may have been audited since, or not
						continue
					}
					if got[text] != want[text] {
						t.Errorf("%s: told %d times of %q, want %d", url, got[text], text, want[text])
					}
					delete(got, text)
				}
			}
			if len(got) > 0 {
				t.Errorf("%s: told of %v, which wasn't seeded", url, got)
			}
		}
		var runs int
		if err := d.Get(t.Context(), &runs, `SELECT COUNT(*) FROM watch_runs`); err != nil || runs < pages*(simulated-3) {
			t.Errorf("there are %d audits (%v), want one for each page and day", runs, err)
		}
	})
}
