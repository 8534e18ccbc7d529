package watches_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/sitemap"
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

// sitemapOf returns the sitemap of the simulation on a day: every second page, and guests, each of which it lists from
// its third day to its tenth. It can't be read on the days 30 to 33 and 60 to 63.
func sitemapOf(t *testing.T, pages int, day float64) (sitemap.List, error) {
	t.Helper()
	if day >= 30 && day < 33 || day >= 60 && day < 63 {
		return sitemap.List{}, apperr.New(apperr.UpstreamFailed, "The sitemap answered 503.")
	}
	var paths []string
	for i := 1; i < pages; i += 2 {
		paths = append(paths, strconv.Itoa(i))
	}
	for g := range simulated/10 - 1 {
		if since := day - 10*float64(g); since >= 3 && since < 10 {
			paths = append(paths, fmt.Sprint("guest-", g))
		}
	}
	return listOf(t, paths...), nil
}

// TestSimulated_everySeededChangeIsToldOnce watches pages for 90 days, every second one with a sitemap, while their
// nodes are killed again and again.
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
			if h, ok := histories[url]; ok {
				return h.report(now.Sub(start).Hours() / 24)
			}
			return report(95, "A") // a guest
		}}
		s.sitemap = func(_ context.Context, now time.Time) (sitemap.List, int, error) {
			list, err := sitemapOf(t, pages, now.Sub(start).Hours()/24)
			return list, 0, err
		}
		n := newNode(t, d, s)
		caller := n.account(t, "plus")
		site, err := n.watches.Create(t.Context(), caller, watches.New{
			Kind: watches.Sitemap, URL: sitemapURL, Every: watches.Day,
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range pages {
			url := fmt.Sprintf("https://example.com/%d", i)
			histories[url] = seeded(random)
			if i%2 > 0 {
				continue
			}
			w, err := n.watches.Create(t.Context(), caller, watches.New{URL: url, Every: watches.Day})
			if err != nil {
				t.Fatal(err)
			}
			ids[url] = w.ID
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
		checkSitemap(t, n, caller, site.ID, pages, ids)
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

// checkSitemap checks what was told of the sitemap, and that each of its pages was added and removed once, and adds the
// ids of those that it always listed.
func checkSitemap(
	t *testing.T, n *node, caller identity.Caller, id string, pages int, ids map[string]string,
) {
	t.Helper()
	want := map[string]int{
		"The sitemap can't be read: The sitemap answered 503.": 2, "The sitemap can be read again.": 2,
	}
	if got := told(t, n.db, id); !maps.Equal(got, want) {
		t.Errorf("told %v of the sitemap, want %v", got, want)
	}
	var list []struct {
		ID   string `db:"id"`
		URL  string `db:"url"`
		Gone bool   `db:"gone"`
		Runs int    `db:"runs"`
	}
	err := n.db.Select(t.Context(), &list, `SELECT id, url, gone_at IS NOT NULL AS gone,
		(SELECT COUNT(*) FROM watch_runs WHERE watch_id = w.id) AS runs FROM watches w WHERE sitemap_id = ?`, id)
	if err != nil {
		t.Fatal(err)
	}
	if guests := simulated/10 - 1; len(list) != pages/2+guests {
		t.Errorf("%d pages came from the sitemap, want %d, and %d guests", len(list), pages/2, guests)
	}
	for _, w := range list {
		ids[w.URL] = w.ID
		guest := strings.Contains(w.URL, "guest")
		if w.Gone != guest || guest && (w.Runs < 3 || w.Runs > 12) {
			t.Errorf("%s: gone %v after %d audits", w.URL, w.Gone, w.Runs)
		}
	}
	changed, p := map[string]int{}, cursor.Page{Limit: 100}
	for p.After = ""; ; {
		runs, next, _, err := n.watches.History(t.Context(), caller, id, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			for _, text := range r.Changes {
				changed[text]++
			}
		}
		if p.After = next; next == "" {
			break
		}
	}
	for g := range simulated/10 - 1 {
		for _, verb := range []string{"added", "removed"} {
			if text := fmt.Sprintf("The page https://example.com/guest-%d was %s.", g, verb); changed[text] != 1 {
				t.Errorf("%q is in the history %d times, want once: %v", text, changed[text], changed)
			}
		}
	}
}
