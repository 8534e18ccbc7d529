package watches

import (
	"context"
	"fmt"
	"strings"

	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// Filter selects watches of an account.
type Filter struct {
	// SitemapID selects the pages of a sitemap; "" all.
	SitemapID string
	// Kind selects those of a kind, without the pages of sitemaps unless SitemapID is set; "" all.
	Kind Kind
	// Problem selects pages that have it now, also those of sitemaps; "" all.
	Problem Problem
	// IDs selects by ID; an empty one all.
	IDs []string
	// Scores is how many of the latest scores each has; 0 for none.
	Scores int
	// WorstFirst sorts them; otherwise the newest come first. Around is the ID of one: the page with it is returned in
	// place of the one that the cursor names; "" for none.
	WorstFirst bool
	Around     string
}

// Problem is what may be wrong with a page.
type Problem string

// The problems.
const (
	NoImage   Problem = "image" // its share image has disappeared
	NotLoaded Problem = "load"  // it can't be loaded
	Worse     Problem = "grade" // the letter of its grade dropped
)

// subjects are those of the findings that are problems.
var subjects = map[Problem]string{NoImage: shareImage, Worse: grade}

// Totals are counts of watches.
type Totals struct {
	// All is their number, Audited that of those with an audit that has ended, and Wrong that of those that can't be
	// loaded or have an error.
	All     int `db:"all_of_them"`
	Audited int `db:"audited"`
	Wrong   int `db:"wrong"`
}

// List returns a page of the caller's watches that f selects, and the cursor of the next page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, f Filter, p cursor.Page,
) (page []Watch, next string, err error) {
	if f.WorstFirst {
		page, next, err = s.worstFirst(ctx, caller, f, p)
	} else {
		page, next, err = cursor.List(p, func(w Watch) string { return w.ID },
			func(before string, limit int) ([]Watch, error) {
				return s.store.list(ctx, caller, f, before, limit)
			})
	}
	if err != nil || len(page) == 0 {
		return page, next, err
	}
	if f.Scores > 0 {
		if err := s.store.scores(ctx, page, f.Scores); err != nil {
			return nil, "", err
		}
	}
	return page, next, s.complete(ctx, caller.UserID, page)
}

// Totals counts the caller's watches that f selects.
func (s *Service) Totals(ctx context.Context, caller identity.Caller, f Filter) (Totals, error) {
	return s.store.totals(ctx, caller, f)
}

// rankedWatch is a watch at a place in a list, the first is 0.
type rankedWatch struct {
	Watch

	at int64
}

// worstFirst is [Service.List] in the order of what is worst, whose cursors are places in the list.
func (s *Service) worstFirst(
	ctx context.Context, caller identity.Caller, f Filter, p cursor.Page,
) (page []Watch, next string, err error) {
	from := int64(0)
	if f.Around != "" {
		if from, err = s.store.placeOf(ctx, caller, f); err != nil {
			return nil, "", err
		}
		p.After = ""
	}
	found, next, err := cursor.Forward(p, func(w rankedWatch) int64 { return w.at },
		func(first int64, limit int) ([]rankedWatch, error) {
			if f.Around != "" {
				size := int64(limit - 1) // one extra shows that there is a next page
				first = from - from%size
			}
			return s.store.worst(ctx, caller, f, first, limit)
		})
	for _, w := range found {
		page = append(page, w.Watch)
	}
	return page, next, err
}

// complete adds the problems of an account's watches, whether they are paused, and the scores of sitemaps.
func (s *Service) complete(ctx context.Context, ownerID string, list []Watch) error {
	plan, err := s.deps.Plans.PlanOf(ctx, ownerID)
	if err != nil {
		return err
	}
	beyond, err := s.store.beyondPlan(ctx, ownerID, plan.Watches)
	if err != nil {
		return err
	}
	problems, err := s.store.problems(ctx, ownerID, list, maxProblems)
	if err != nil {
		return err
	}
	for i := range list {
		w := &list[i]
		first, ok := beyond[w.Kind]
		w.Paused = ok && w.ID >= first
		if w.Kind == Sitemap {
			if w.Watched, err = s.store.watched(ctx, w.ID); err != nil {
				return err
			}
			if w.Score, w.Letter, err = average(ctx, s.store.db.Get, w.ID); err != nil {
				return err
			}
		}
		w.Problems = problems[w.ID]
	}
	return nil
}

// condition is the part of a statement that selects the watches of a filter that a caller may use, and its arguments.
func (f Filter) condition(c identity.Caller) (where string, args []any) {
	where, args = scope, inScope(c)
	if f.SitemapID != "" {
		where, args = where+` AND sitemap_id = ?`, append(args, f.SitemapID)
	}
	if f.Kind != "" {
		where, args = where+` AND kind = ?`, append(args, string(f.Kind))
		if f.SitemapID == "" {
			where += ` AND sitemap_id IS NULL`
		}
	}
	if f.Problem == NotLoaded {
		where += ` AND kind = 'page' AND error <> ''`
	} else if f.Problem != "" {
		where, args = where+` AND kind = 'page' AND EXISTS (SELECT 1 FROM watch_findings WHERE watch_id = watches.id
			AND until IS NULL AND severity = 'error' AND subject = ?)`, append(args, subjects[f.Problem])
	}
	if len(f.IDs) > 0 {
		where += ` AND id IN (?` + strings.Repeat(`, ?`, len(f.IDs)-1) + `)`
		for _, id := range f.IDs {
			args = append(args, id)
		}
	}
	return where, args
}

// What is worst has the lowest rank. The index watches_worst has the first expression as it is here. A sitemap has the
// average of its pages, see [average].
const (
	rankOfPage = `(CASE WHEN error <> '' THEN -1 WHEN letter = '' THEN 101 ELSE score END)`
	rankOfAny  = `(CASE WHEN error <> '' THEN -1 WHEN kind = 'sitemap' THEN COALESCE((SELECT AVG(p.score)
		FROM watches AS p WHERE p.sitemap_id = watches.id AND p.gone_at IS NULL AND p.letter <> ''), 101)
		WHEN letter = '' THEN 101 ELSE score END)`
)

// rank is the expression that f's watches are sorted by.
func (f Filter) rank() string {
	if f.Kind == Page {
		return rankOfPage
	}
	return rankOfAny
}

// list returns at most limit watches that f selects whose ids are less than before, newest first.
func (s store) list(ctx context.Context, c identity.Caller, f Filter, before string, limit int) ([]Watch, error) {
	where, args := f.condition(c)
	list, err := db.SelectAs(ctx, s.db, row.watch, `SELECT `+columns+` FROM watches WHERE `+where+` AND id < ?
		ORDER BY id DESC LIMIT ?`, append(args, before, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list the watched pages of account %s: %w", c.UserID, err)
	}
	return list, nil
}

// worst returns at most limit watches that f selects, from a place on, worst first.
func (s store) worst(ctx context.Context, c identity.Caller, f Filter, first int64, limit int) ([]rankedWatch, error) {
	where, args := f.condition(c)
	list, err := db.SelectAs(ctx, s.db.Brief(), row.watch, `SELECT `+columns+` FROM watches WHERE `+where+`
		ORDER BY `+f.rank()+`, url, id LIMIT ? OFFSET ?`, append(args, limit, first)...)
	if err != nil {
		return nil, fmt.Errorf("list the worst watched pages of account %s: %w", c.UserID, err)
	}
	all := make([]rankedWatch, len(list))
	for i, w := range list {
		all[i] = rankedWatch{w, first + int64(i)}
	}
	return all, nil
}

// placeOf returns the place of f.Around among the watches that f selects, worst first; 0 if it isn't among them.
func (s store) placeOf(ctx context.Context, c identity.Caller, f Filter) (place int64, err error) {
	where, args := f.condition(c)
	err = s.db.Get(ctx, &place, `SELECT COUNT(*) FROM watches CROSS JOIN (SELECT `+f.rank()+` AS its_rank, url AS its_url,
		id AS its_id FROM watches WHERE `+where+` AND id = ?) AS this WHERE `+where+`
		AND (`+f.rank()+`, url, id) < (its_rank, its_url, its_id)`, append(append(args, f.Around), args...)...)
	if err != nil {
		return 0, fmt.Errorf("find the place of watched page %s: %w", f.Around, err)
	}
	return place, nil
}

// totals counts the watches that f selects.
func (s store) totals(ctx context.Context, c identity.Caller, f Filter) (t Totals, err error) {
	where, args := f.condition(c)
	err = s.db.Brief().Get(ctx, &t, `SELECT COUNT(*) AS all_of_them, COUNT(last_at) AS audited,
		COUNT(CASE WHEN error <> '' OR EXISTS (SELECT 1 FROM watch_findings WHERE watch_id = watches.id
			AND until IS NULL AND severity = 'error') THEN 1 END) AS wrong
		FROM watches WHERE `+where, args...)
	if err != nil {
		return t, fmt.Errorf("count the watched pages of account %s: %w", c.UserID, err)
	}
	return t, nil
}
