package watches_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/sitemap"
	"masthead/pkg/watches"
	"masthead/pkg/weburl"
)

const sitemapURL = "https://example.com/sitemap.xml"

// listOf returns what a sitemap with pages at these paths contains.
func listOf(t *testing.T, paths ...string) (list sitemap.List) {
	t.Helper()
	for _, p := range paths {
		u, err := weburl.Parse("https://example.com/" + p)
		if err != nil {
			t.Fatal(err)
		}
		list.Pages = append(list.Pages, u)
	}
	return list
}

// follower reads a watched sitemap once for each reading.
type follower struct {
	*node
	t      *testing.T
	site   *site
	caller identity.Caller
	id     string
	// what the sitemap contains now
	list    sitemap.List
	skipped int
	err     error
}

// follow watches a sitemap that lists pages at paths.
func follow(t *testing.T, d *db.DB, plan string, paths ...string) *follower {
	t.Helper()
	f := &follower{t: t, list: listOf(t, paths...), site: &site{
		// One o’clock tomorrow, so that “today” is the same day for some hours, whenever this runs.
		now:  time.Now().Truncate(24 * time.Hour).Add(25 * time.Hour),
		page: func(string, time.Time) *audit.Report { return report(95, "A") },
	}}
	f.site.sitemap = func(context.Context, time.Time) (sitemap.List, int, error) { return f.list, f.skipped, f.err }
	f.node = newNode(t, d, f.site)
	f.caller = f.account(t, plan)
	return f
}

// watch watches the sitemap and audits its pages once.
func (f *follower) watch() *follower {
	f.t.Helper()
	w, err := f.watches.Create(f.t.Context(), f.caller, watches.New{
		Kind: watches.Sitemap, URL: sitemapURL, Every: watches.Week,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.id = w.ID
	f.settle()
	return f
}

// settle runs everything that is due within an hour.
func (f *follower) settle() {
	f.t.Helper()
	f.runUntil(f.t, func() bool { return idle(f.t, f.db, f.site) })
	f.site.set(f.site.Now().Add(time.Hour))
	f.runUntil(f.t, func() bool { return idle(f.t, f.db, f.site) })
}

// again reads the sitemap with other pages.
func (f *follower) again(list sitemap.List) {
	f.t.Helper()
	f.list = list
	if _, err := f.watches.Run(f.t.Context(), f.caller, f.id); err != nil {
		f.t.Fatal(err)
	}
	f.settle()
}

// pages are the paths of the pages that are watched with the sitemap, sorted.
func (f *follower) pages() (paths []string) {
	f.t.Helper()
	for _, w := range f.all() {
		paths = append(paths, strings.TrimPrefix(w.URL, "https://example.com/"))
	}
	slices.Sort(paths)
	return paths
}

func (f *follower) all() []watches.Watch {
	f.t.Helper()
	list, _, err := f.watches.List(f.t.Context(), f.caller, watches.Filter{SitemapID: f.id}, cursor.Page{Limit: 100})
	if err != nil {
		f.t.Fatal(err)
	}
	return list
}

// page is a page of the sitemap.
func (f *follower) page(path string) watches.Watch {
	f.t.Helper()
	for _, w := range f.all() {
		if w.URL == "https://example.com/"+path {
			return w
		}
	}
	f.t.Fatalf("%s isn't watched", path)
	return watches.Watch{}
}

// itself is the watched sitemap.
func (f *follower) itself() watches.Watch {
	f.t.Helper()
	list, _, err := f.watches.List(f.t.Context(), f.caller, watches.Filter{}, cursor.Page{Limit: 100})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, w := range list {
		if w.ID == f.id {
			return w
		}
	}
	f.t.Fatal("the sitemap isn't listed")
	return watches.Watch{}
}

// history are the audits of a watch, newest first.
func (f *follower) history(id string) []watches.Run {
	f.t.Helper()
	runs, _, _, err := f.watches.History(f.t.Context(), f.caller, id, cursor.Page{})
	if err != nil {
		f.t.Fatal(err)
	}
	return runs
}

func (f *follower) want(what string, got, want any) {
	f.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		f.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestSitemap_pagesComeAndGo_withTheirHistory(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b").watch()
		f.want("at first", f.pages(), []string{"a", "b"})
		b := f.page("b")
		f.want("a page", []any{b.SitemapID, b.Every, b.Letter, b.Kind}, []any{f.id, watches.Week, "A", watches.Page})
		f.again(listOf(t, "c", "a"))
		f.want("after a change", f.pages(), []string{"a", "c"})
		f.want("what changed", f.history(f.id)[0].Changes, []string{
			"The page https://example.com/c was added.", "The page https://example.com/b was removed.",
		})
		if _, err := f.watches.Run(t.Context(), f.caller, b.ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a removed page: got %v, want NOT_FOUND", err)
		}
		if _, err := f.watches.Badge(t.Context(), b.PublicID, "badge.svg"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("the badge of a removed page: got %v, want NOT_FOUND", err)
		}
		f.site.set(f.site.Now().AddDate(0, 0, 8)) // its job finds it gone
		f.settle()
		f.again(listOf(t, "a", "b", "c"))
		f.want("back again", f.page("b").ID, b.ID)
		f.want("its audits", len(f.history(b.ID)), 2)
		before := len(f.history(b.ID))
		f.site.set(f.site.Now().AddDate(0, 0, 12))
		f.settle()
		if n := len(f.history(b.ID)); n <= before {
			t.Errorf("a page that is back has %d audits after 12 days, want more than %d", n, before)
		}
	})
}

// TestSitemap_brokenPage_isToldOnceForThePage has each page of a sitemap tell for itself.
func TestSitemap_brokenPage_isToldOnceForThePage(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b").watch()
		var broken string
		f.site.page = func(url string, _ time.Time) *audit.Report {
			if url == broken {
				return report(72, "C", "og-title")
			}
			return report(95, "A")
		}
		for _, broken = range []string{"https://example.com/a", ""} {
			for range 2 {
				f.site.set(f.site.Now().AddDate(0, 0, 8))
				f.settle()
			}
			f.want("the average", []any{f.itself().Score, f.itself().Letter}, map[bool][]any{
				true: {84, "B"}, false: {95, "A"},
			}[broken != ""])
		}
		svg, err := f.watches.Badge(t.Context(), f.itself().PublicID, "badge.svg")
		if err != nil || !strings.Contains(string(svg), ">95 A</text>") {
			t.Errorf("the badge is %s, %v, want the average", svg, err)
		}
		got := told(t, d, f.page("a").ID)
		want := map[string]int{
			"“og-title” fails: It fails.": 1, "“og-title” passes again.": 1, "The grade dropped from A to C.": 1,
			"The grade is A again.": 1,
		}
		f.want("told of the page", got, want)
		f.want("told of the other", told(t, d, f.page("b").ID), map[string]int{})
		f.want("told of the sitemap", told(t, d, f.id), map[string]int{})
	})
}

func TestSitemap_aboveThePlan_theFirstAreWatchedAndTheRestCounted(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "free", "a", "b", "c", "d").watch() // which allows two pages
		f.want("pages", f.pages(), []string{"a", "b"})
		w := f.itself()
		f.want("counts", []int{w.Listed, w.Watched}, []int{4, 2})
		f.want("the note", w.Note, "The plan Free allows 2 watched pages in all, so 2 pages of the sitemap aren't watched.")
		_, err := f.watches.Create(t.Context(), f.caller, watches.New{URL: "https://example.com/own"})
		if apperr.CodeOf(err) != apperr.TierLocked {
			t.Errorf("a page more: got %v, want TIER_LOCKED", err)
		}
		_, err = f.watches.Create(t.Context(), f.caller, watches.New{Kind: watches.Sitemap, URL: sitemapURL})
		if apperr.CodeOf(err) != apperr.TierLocked {
			t.Errorf("a sitemap more: got %v, want TIER_LOCKED", err)
		}
		f.again(listOf(t, "d", "c", "b", "a")) // what is watched stays
		f.want("in another order", f.pages(), []string{"a", "b"})
		f.again(listOf(t, "d", "c", "b"))
		f.want("with room", f.pages(), []string{"b", "d"})
	})
}

func TestSitemap_downgrade_pausesTheNewestPages(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b", "c").watch()
		if _, err := d.Exec(t.Context(), `UPDATE users SET plan = 'free' WHERE id = ?`, f.caller.UserID); err != nil {
			t.Fatal(err)
		}
		f.node = newNode(t, d, f.site) // which has cached no plan
		f.again(listOf(t, "a", "b", "c", "d"))
		f.want("pages", f.pages(), []string{"a", "b", "c"})
		f.want("paused", []bool{f.page("a").Paused, f.page("b").Paused, f.page("c").Paused, f.itself().Paused},
			[]bool{false, false, true, false})
	})
}

func TestSitemap_pageThatIsWatchedAlone_isWatchedOnce(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b")
		own, err := f.watches.Create(t.Context(), f.caller, watches.New{URL: "https://example.com/a"})
		if err != nil {
			t.Fatal(err)
		}
		f.watch()
		f.want("pages", f.pages(), []string{"b"})
		f.want("the note", f.itself().Note, "1 of its pages is watched already, by itself or with another sitemap.")
		if err := f.watches.Delete(t.Context(), f.caller, own.ID); err != nil {
			t.Fatal(err)
		}
		f.again(f.list)
		f.want("once it isn't", f.pages(), []string{"a", "b"})
	})
}

// TestSitemap_readInPart_removesNothing has a sitemap of which some could not be read.
func TestSitemap_readInPart_removesNothing(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		for name, change := range map[string]func(f *follower){
			"a file that fails": func(f *follower) { f.list, f.skipped = listOf(t, "b"), 1 },
			"more than fits":    func(f *follower) { f.list = listOf(t, "b"); f.list.More = true },
			"out of time": func(f *follower) {
				f.watches.SetReadTime(time.Millisecond)
				f.site.sitemap = func(ctx context.Context, _ time.Time) (sitemap.List, int, error) {
					<-ctx.Done()
					return listOf(t, "b"), 0, ctx.Err()
				}
			},
		} {
			f := follow(t, d, "plus", "a").watch()
			change(f)
			f.again(f.list)
			f.want(name, f.pages(), []string{"a", "b"})
			f.want(name, f.itself().Note, "Only a part of it could be read, so no pages were removed.")
		}
	})
}

// TestSitemap_thatFails_isToldOnce_andKeepsItsPages fails from the second reading to the third.
func TestSitemap_thatFails_isToldOnce_andKeepsItsPages(t *testing.T) {
	gone := apperr.New(apperr.UpstreamFailed, "The sitemap answered 503.")
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		for want, change := range map[string]func(f *follower){
			"The sitemap answered 503.": func(f *follower) { f.list, f.err = sitemap.List{}, gone },
			"It isn't a sitemap.":       func(f *follower) { f.list, f.err = sitemap.List{}, errors.New("it isn't a sitemap") },
			"It lists no pages.":        func(f *follower) { f.list = sitemap.List{} },
			"It lists no pages of example.com, but of other hosts, such as www.example.com.": func(f *follower) {
				f.list = sitemap.List{Elsewhere: 3, ElsewhereHost: "www.example.com"}
			},
			"The sitemaps that it links to couldn't be read.": func(f *follower) { f.list, f.skipped = sitemap.List{}, 2 },
			"Reading it takes longer than 90 seconds.": func(f *follower) {
				f.watches.SetReadTime(time.Millisecond)
				f.site.sitemap = func(ctx context.Context, _ time.Time) (sitemap.List, int, error) {
					if f.list.Pages != nil {
						return f.list, 0, nil
					}
					<-ctx.Done()
					return sitemap.List{}, 0, ctx.Err()
				}
				f.list = sitemap.List{}
			},
		} {
			f := follow(t, d, "plus", "a", "b").watch()
			change(f)
			for range 2 {
				f.again(f.list)
			}
			f.want(want, f.pages(), []string{"a", "b"})
			f.want("the problem", len(f.itself().Problems), 1)
			f.want("the problem", f.itself().Problems[0].Text(f.site.Now()), "The sitemap couldn't be read since today: "+want)
			f.err, f.skipped = nil, 0
			for range 2 {
				f.again(listOf(t, "a", "b"))
			}
			f.want("told", told(t, d, f.id), map[string]int{
				"The sitemap can't be read: " + want: 1, "The sitemap can be read again.": 1,
			})
			f.want("problems at the end", len(f.itself().Problems), 0)
			if got := f.history(f.id); len(got) != 5 || got[1].Letter != "A" || got[2].Error == "" {
				t.Errorf("%s: the history is %+v, want five readings, the third without success", want, got)
			}
		}
	})
}

func TestSitemap_thatFailsFromTheStart_isNotTold(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus")
		f.err = apperr.New(apperr.UpstreamFailed, "The sitemap answered 404.")
		f.watch()
		f.want("the error", f.itself().Error, "The sitemap answered 404.")
		f.err = nil
		f.again(listOf(t, "a"))
		f.want("then", f.pages(), []string{"a"})
		f.want("told", told(t, d, f.id), map[string]int{})
	})
}

// TestRun_busyHost_isTriedLater has a host that gets too many requests of ours: that is no failure of its pages.
func TestRun_busyHost_isTriedLater(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a").watch()
		f.err = apperr.Wrap(apperr.UpstreamFailed, "It is being fetched too often.", fetch.ErrTooOften)
		for range 4 {
			f.again(f.list)
		}
		f.want("problems", len(f.itself().Problems), 0)
		if wait := f.itself().NextAt.Sub(f.site.Now()); wait > 5*time.Minute {
			t.Errorf("it is read again after %v, want five minutes at most", wait)
		}
	})
}

func TestSitemap_manyPages_areAddedInPartsAndAuditedOneAfterTheOther(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		paths := make([]string, 250)
		for i := range paths {
			paths[i] = fmt.Sprintf("%04d", i)
		}
		f := follow(t, d, "plus", paths...)
		w, err := f.watches.Create(t.Context(), f.caller, watches.New{Kind: watches.Sitemap, URL: sitemapURL})
		if err != nil {
			t.Fatal(err)
		}
		f.id = w.ID
		read := f.site.Now()
		watched := func() (n int) {
			if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM watches WHERE sitemap_id = ?`, f.id); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, want := range []int{100, 200, 250} {
			f.runUntil(t, func() bool { return watched() >= want })
			f.want("pages", watched(), want)
			f.site.set(f.site.Now().Add(time.Minute))
			idle(t, d, f.site)
		}
		var late int
		err = d.Get(t.Context(), &late, `SELECT COUNT(*) FROM jobs WHERE kind = 'watch' AND due_at > ? AND due_at <= ?`,
			db.Millis{Time: read.Add(10 * time.Minute)}, db.Millis{Time: read.Add(90 * time.Minute)})
		if err != nil || late < 150 {
			t.Errorf("%d first audits are more than 10 minutes and less than 90 later (%v), want at least 150", late, err)
		}

		// Another frequency reaches all of them, a part at a time.
		if _, err := f.watches.Update(t.Context(), f.caller, f.id, watches.Day); err != nil {
			t.Fatal(err)
		}
		daily := func() (n int) {
			err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM watches WHERE sitemap_id = ? AND every = 'day'`, f.id)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, want := range []int{100, 200, 250} {
			f.site.set(f.site.Now().Add(time.Minute))
			idle(t, d, f.site)
			f.runUntil(t, func() bool { return daily() >= want })
			f.want("daily pages", daily(), want)
		}

		// So does its end.
		f.list = listOf(t, paths[0])
		if _, err := f.watches.Run(t.Context(), f.caller, f.id); err != nil {
			t.Fatal(err)
		}
		still := func() (n int) {
			err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM watches WHERE sitemap_id = ? AND gone_at IS NULL`, f.id)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, want := range []int{150, 50, 1} {
			f.runUntil(t, func() bool { return still() <= want })
			f.want("pages that are left", still(), want)
			f.site.set(f.site.Now().Add(time.Minute))
			idle(t, d, f.site)
		}
	})
}

func TestSitemap_removedPages_areBoundedAndSweptAfter30Days(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b").watch()
		_, err := d.Exec(t.Context(), `INSERT INTO watches
				(id, public_id, owner_id, sitemap_id, url, every, gone_at, next_at, created_at, updated_at)
			SELECT 'gone-' || n, 'gone-' || n, ?, CAST(? AS TEXT), 'https://example.com/gone-' || n, 'week', 1 + n, 1, 1, 1
			FROM (WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 1005) SELECT n FROM s) AS many`,
			f.caller.UserID, f.id)
		if err != nil {
			t.Fatal(err)
		}
		count := func() (gone int) {
			err := d.Get(t.Context(), &gone, `SELECT COUNT(*) FROM watches WHERE gone_at IS NOT NULL`)
			if err != nil {
				t.Fatal(err)
			}
			return gone
		}
		f.again(listOf(t, "a"))
		f.want("the latest", count(), 1000)
		if err := f.watches.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.want("those of the last 30 days", count(), 1)
		f.site.set(f.site.Now().AddDate(0, 0, 31))
		if err := f.watches.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.want("after 30 days", count(), 0)
		f.want("what is listed", f.pages(), []string{"a"})
	})
}

func TestSitemap_changesAndDeletion_areThoseOfTheSitemap(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		makeTold(t, d)
		f := follow(t, d, "plus", "a", "b").watch()
		a := f.page("a")
		if _, err := f.watches.Update(t.Context(), f.caller, a.ID, watches.Day); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("a change of a page: got %v, want CONFLICT", err)
		}
		if err := f.watches.Delete(t.Context(), f.caller, a.ID); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("the deletion of a page: got %v, want CONFLICT", err)
		}
		if _, err := f.watches.Run(t.Context(), f.caller, a.ID); err != nil {
			t.Errorf("an audit of a page: got %v", err)
		}
		if _, err := f.watches.Update(t.Context(), f.caller, f.id, watches.Day); err != nil {
			t.Fatal(err)
		}
		f.settle()
		a = f.page("a")
		if wait := a.NextAt.Sub(f.site.Now()); a.Every != watches.Day || wait > 36*time.Hour {
			t.Errorf("a page is audited every %s, next in %v, want daily from now on", a.Every, wait)
		}
		if err := f.watches.Delete(t.Context(), f.caller, f.id); err != nil {
			t.Fatal(err)
		}
		list, _, err := f.watches.List(t.Context(), f.caller, watches.Filter{}, cursor.Page{})
		if err != nil || len(list) != 0 {
			t.Errorf("got %d watches (%v) after the deletion, want none", len(list), err)
		}
		f.site.set(f.site.Now().AddDate(0, 0, 8))
		f.settle() // its jobs find nothing to do
		var left int
		if err := d.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE kind = 'watch'`); err != nil || left != 0 {
			t.Errorf("%d jobs are left (%v), want none", left, err)
		}
	})
}
