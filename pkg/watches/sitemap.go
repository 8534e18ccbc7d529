package watches

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/humanize"
	"masthead/pkg/jobs"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

// This file reads watched sitemaps: which pages are added and removed.

const (
	// maxListed is how many pages of a sitemap are looked at. They need at most 20 MB.
	maxListed = 10_000
	// readTime is what of [runTime] there is for reading.
	readTime = 90 * time.Second
	// firstAfter is the time between the first audits of the pages of a sitemap. An audit makes some ten requests, and a
	// host gets two a second.
	firstAfter = 10 * time.Second
	// maxAtOnce is how many pages are added in one transaction, how many are removed, and how many get another frequency:
	// slow machines must end it in time. More follow after moreAfter, still faster than they are audited.
	maxAtOnce = 100
	moreAfter = time.Minute
	// A page that was removed is kept for a while with its history, in case the sitemap lists it again. Of a sitemap that
	// lists others each time, maxGone are kept.
	goneFor = 30 * 24 * time.Hour
	maxGone = 1000
	// maxNote is the maximum length of the note about what was left out, in characters.
	maxNote = 1000
)

// Sitemaps reads sitemaps for accounts; see [sitemap.Collect].
type Sitemaps func(
	ctx context.Context, owner string, u weburl.URL, most int, skipped func(weburl.URL, error),
) (sitemap.List, error)

// reading is the outcome of reading a sitemap.
type reading struct {
	list sitemap.List
	// partial means that pages may be missing.
	partial bool
	fault   string // why it couldn't be read; "" if it could
	at      time.Time
}

// read reads a sitemap. With an error, another attempt may succeed.
func (s *Service) read(ctx context.Context, j *jobs.Job, w Watch) (reading, error) {
	u, err := weburl.Parse(w.URL)
	if err != nil {
		return reading{}, err
	}
	bounded, cancel := context.WithTimeout(ctx, s.readTime)
	defer cancel()
	skipped := 0
	list, err := s.deps.Sitemaps(bounded, w.OwnerID, u, maxListed, func(weburl.URL, error) { skipped++ })
	got := reading{list: list, partial: list.More || skipped > 0, at: db.Moment(s.now())}
	switch {
	case ctx.Err() != nil:
		return got, ctx.Err()
	case err != nil && len(list.Pages) > 0 && bounded.Err() != nil:
		got.partial = true
		return got, nil
	case err == nil && len(list.Pages) > 0:
		return got, nil
	case errors.Is(err, fetch.ErrTooOften):
		return got, err
	}
	got.fault = cleantext.Clean(faultOf(u, list, skipped, err), maxError)
	if j.Attempt < maxTries {
		return got, errors.New(got.fault)
	}
	return got, nil
}

// faultOf says why a sitemap has no pages.
func faultOf(u weburl.URL, list sitemap.List, skipped int, err error) string {
	var known *apperr.Error
	switch {
	case errors.As(err, &known):
		return known.Detail
	case errors.Is(err, context.DeadlineExceeded):
		return "Reading it takes longer than " + humanize.Count(int(readTime.Seconds()), "second") + "."
	case err != nil:
		return err.Error()
	case skipped > 0:
		return "The sitemaps that it links to couldn't be read."
	case list.Elsewhere > 0:
		return fmt.Sprintf("It lists no pages of %s, but of other hosts, such as %s.", u.Hostname(), list.ElsewhereHost)
	}
	return "It lists no pages."
}

// endReading stores what was read of a sitemap, adds and removes pages, and enqueues the next reading.
func (s *Service) endReading(
	ctx context.Context, tx *db.Tx, id, runID string, plan billing.Plan, got reading,
) error {
	w, ok, err := lock(ctx, tx, id)
	if err != nil || !ok {
		return err
	}
	open, err := openFindings(ctx, tx, id)
	if err != nil {
		return err
	}
	var now []Finding
	if got.fault != "" {
		now = []Finding{{Subject: siteMap, Severity: severityError, words: ofSitemap(got.fault)}}
	}
	c := compare(w, w.Listed == 0, open, now, 0, "")
	left := 0
	if got.fault == "" {
		changed, more, err := s.follow(ctx, tx, &w, plan, got)
		if err != nil {
			return err
		}
		c.sentences, left = append(c.sentences, changed...), more
	}
	run := Run{ID: runID, At: got.at, Error: got.fault, Changes: c.sentences}
	if got.fault == "" {
		if run.Score, run.Letter, err = average(ctx, tx.Get, id); err != nil {
			return err
		}
		if err := storeListed(ctx, tx, w); err != nil {
			return err
		}
	}
	if err := storeRun(ctx, tx, w, run, c); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, w, run, c); err != nil {
		return err
	}
	if left > 0 {
		return s.scheduleAt(ctx, tx, w, s.now().Add(moreAfter))
	}
	return s.schedule(ctx, tx, w, plan, s.now())
}

// follow adds and removes pages of a sitemap, sets what it lists, and returns what changed, as sentences, and how many
// pages are still to be added, removed or changed.
func (s *Service) follow(
	ctx context.Context, tx *db.Tx, w *Watch, plan billing.Plan, got reading,
) (changed []string, left int, err error) {
	// What the plan has room for is counted without the uncommitted pages of others.
	if err := lockAccount(ctx, tx, w.OwnerID); err != nil {
		return nil, 0, err
	}
	known, err := pagesOf(ctx, tx, w.ID)
	if err != nil {
		return nil, 0, err
	}
	var removed, added []string
	if !got.partial {
		if removed, left, err = s.remove(ctx, tx, known, got); err != nil {
			return nil, 0, err
		}
	}
	alone, err := alone(ctx, tx, *w)
	if err != nil {
		return nil, 0, err
	}
	room, err := countPages(ctx, tx, w.OwnerID)
	if err != nil {
		return nil, 0, err
	}
	room = plan.Watches - room
	noRoom, watchedAlone, kept := 0, 0, 0
	first := s.now() // the next first audit: those of the pages that were added before come before it
	for _, p := range known {
		if !p.Gone && p.LastAt.IsZero() && !p.NextAt.Before(first) {
			first = p.NextAt.Add(firstAfter)
		}
	}
	for _, u := range got.list.Pages {
		p, isKnown := known[u.String()]
		switch {
		case isKnown && !p.Gone && p.Every == w.Every:
		case isKnown && !p.Gone && kept == maxAtOnce:
			left++
		case isKnown && !p.Gone:
			kept++
			err = s.keep(ctx, tx, *w, p, plan)
		case alone[u.String()]:
			watchedAlone++
		case room <= 0:
			noRoom++
		case len(added) == maxAtOnce:
			left++
		default:
			room--
			added = append(added, u.String())
			err = s.add(ctx, tx, *w, p, u, first)
			first = first.Add(firstAfter)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	if err := forget(ctx, tx, w.ID, maxGone); err != nil {
		return nil, 0, err
	}
	w.Listed, w.Note = len(got.list.Pages), note(plan, got, noRoom, watchedAlone)
	return append(counted(added, "added"), counted(removed, "removed")...), left, nil
}

// remove stops watching the pages that a sitemap no longer lists, and returns their addresses, and how many are still
// to be removed.
func (s *Service) remove(
	ctx context.Context, tx *db.Tx, known map[string]Watch, got reading,
) (removed []string, left int, err error) {
	listed := map[string]bool{}
	for _, u := range got.list.Pages {
		listed[u.String()] = true
	}
	for url, p := range known {
		if p.Gone || listed[url] {
			continue
		}
		if len(removed) == maxAtOnce {
			left++
			continue
		}
		if err := setGone(ctx, tx, p.ID, got.at); err != nil {
			return nil, 0, err
		}
		p.Gone = true
		known[url] = p
		removed = append(removed, url)
	}
	slices.Sort(removed)
	return removed, left, nil
}

// add watches a page of a sitemap from a time on: p is the page, if it was removed before.
func (s *Service) add(ctx context.Context, tx *db.Tx, w, p Watch, u weburl.URL, at time.Time) error {
	isNew := p.ID == ""
	if isNew {
		now := db.Moment(s.now())
		p = Watch{
			ID: db.NewID(), Kind: Page, PublicID: base62.Random(publicIDLength), OwnerID: w.OwnerID, ProjectID: w.ProjectID,
			SitemapID: w.ID, URL: u.String(), CreatedAt: now, UpdatedAt: now,
		}
	}
	p.Every, p.NextAt = w.Every, db.Moment(at)
	// The job comes first, as in the transaction that ends one: so they can't block each other.
	if err := s.queue.WakeAt(ctx, tx, p.OwnerID, p.ID, p.NextAt, nil); err != nil {
		return err
	}
	if isNew {
		return insert(ctx, tx, p)
	}
	return setBack(ctx, tx, p)
}

// keep goes on watching a page of a sitemap, as often as its sitemap is read now.
func (s *Service) keep(ctx context.Context, tx *db.Tx, w, p Watch, plan billing.Plan) error {
	at := jobs.Spread(p.ID, within(w.Every, plan).period(), s.now())
	if p.NextAt.Before(at) {
		at = p.NextAt
	}
	if err := s.queue.WakeAt(ctx, tx, p.OwnerID, p.ID, at, nil); err != nil {
		return err
	}
	p.Every, p.NextAt = w.Every, at
	return setBack(ctx, tx, p)
}

// note says what of a sitemap isn't watched; "" if all is.
func note(plan billing.Plan, got reading, noRoom, alone int) string {
	var all []string
	if noRoom > 0 {
		all = append(all, fmt.Sprintf("The plan %s allows %s in all, so %s of the sitemap %s watched.",
			humanize.Capital(plan.Name), humanize.Count(plan.Watches, "watched page"), humanize.Count(noRoom, "page"),
			verb(noRoom, "isn't", "aren't")))
	}
	if alone > 0 {
		all = append(all, fmt.Sprintf("%d of its pages %s or with another sitemap.", alone,
			verb(alone, "is watched already, by itself", "are watched already, by themselves")))
	}
	if got.list.Elsewhere > 0 {
		all = append(all, fmt.Sprintf("Pages on other hosts, such as %s, are left out.", got.list.ElsewhereHost))
	}
	if got.partial {
		all = append(all, "Only a part of it could be read, so no pages were removed.")
	}
	return cleantext.Clean(strings.Join(all, " "), maxNote)
}

func verb(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// counted says how many pages were added or removed.
func counted(urls []string, verb string) []string {
	switch len(urls) {
	case 0:
		return nil
	case 1:
		return []string{"The page " + urls[0] + " was " + verb + "."}
	}
	return []string{fmt.Sprintf("%d pages were %s, such as %s.", len(urls), verb, urls[0])}
}
