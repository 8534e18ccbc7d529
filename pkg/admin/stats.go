package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// This file has the figures of an installation.

const (
	// statsDays is how many days the figures cover, with the present one.
	statsDays = 30
	// statsOwners is how many accounts are named by their storage.
	statsOwners = 20
)

// Stats are the figures of an installation.
type Stats struct {
	Accounts Accounts
	Images   []OfKind // all stored ones
	Days     []Day    // of the last 30 days those with something, in order
	// Drawing is how long this node took to draw pictures since it started; its count may be 0.
	Drawing Times
	// Fallbacks are images of the last 30 days that were drawn without the AI picture that was asked for, by reason,
	// the most frequent first. The reason "provider" counts failures of the AI provider.
	Fallbacks []OfReason
	// SpentCents is what AI cost in the present calendar month (UTC), CeilingCents what it may.
	SpentCents, CeilingCents int64
	Jobs                     []OfJobs
	StoredBytes              int64     // of images
	Owners                   []OfOwner // with the most bytes first, at most 20
	// CountedAt is when the images, their fallbacks and what is stored were counted; zero while many are counted for the
	// first time.
	CountedAt time.Time
}

// Accounts counts accounts; those that their owners have deleted aren't counted.
type Accounts struct {
	Total    int64 `db:"total"`
	Free     int64 `db:"free"`
	Plus     int64 `db:"plus"`
	Pro      int64 `db:"pro"`
	Disabled int64 `db:"disabled"`
	New      int64 `db:"created"` // in the last 30 days
}

// OfKind counts images of a kind.
type OfKind struct {
	Kind  string `db:"kind"`
	Count int64  `db:"n"`
}

// Day counts what was done on a day (UTC), such as "2026-11-21".
type Day struct {
	Date         string `db:"day"`
	Drawn        int64  `db:"drawn"`
	GenerateHits int64  `db:"generate_hits"`
	PublicHits   int64  `db:"public_hits"`
}

// OfReason counts images that lack their AI picture for a reason.
type OfReason struct {
	Reason string `db:"reason"`
	Count  int64  `db:"n"`
}

// OfJobs counts the jobs of a kind.
type OfJobs struct {
	Kind    string `db:"kind"`
	Waiting int64  `db:"waiting"` // and due
	Later   int64  `db:"later"`   // due later
	Running int64  `db:"running"`
	GivenUp int64  `db:"given_up"`
}

// OfOwner is what is stored of an account.
type OfOwner struct {
	ID    string `db:"id"`
	Email string `db:"email"`
	Bytes int64  `db:"bytes"`
}

// HitRate returns the part of the images that were answered from what is stored, 0 to 1, in the days of s; ok is false
// if there were none.
func (s Stats) HitRate() (rate float64, ok bool) {
	var hits, all int64
	for _, d := range s.Days {
		hits += d.GenerateHits + d.PublicHits
		all += d.GenerateHits + d.PublicHits + d.Drawn
	}
	if all == 0 {
		return 0, false
	}
	return float64(hits) / float64(all), true
}

// Stats returns the figures of the installation.
func (s *Service) Stats(ctx context.Context, caller identity.Caller) (Stats, error) {
	if err := caller.RequireAdmin(); err != nil {
		return Stats{}, err
	}
	since := s.since()
	var r Stats
	for _, read := range []func(context.Context, *Stats, time.Time) error{
		s.countAccounts, s.countDays, s.countJobs, s.addFigures,
	} {
		if err := read(ctx, &r, since); err != nil {
			return Stats{}, fmt.Errorf("read the figures of the installation: %w", err)
		}
	}
	r.Drawing = timesOf(s.deps.Drawn())
	var err error
	r.SpentCents, r.CeilingCents, err = s.deps.AI.Spent(ctx)
	return r, err
}

// since returns the beginning of the days that the figures cover.
func (s *Service) since() time.Time {
	return s.clock.Now().UTC().AddDate(0, 0, 1-statsDays).Truncate(24 * time.Hour)
}

func (s *Service) countAccounts(ctx context.Context, r *Stats, since time.Time) error {
	return s.deps.DB.Get(ctx, &r.Accounts, `SELECT COUNT(*) AS total,
			COUNT(CASE WHEN plan = 'free' THEN 1 END) AS free, COUNT(CASE WHEN plan = 'plus' THEN 1 END) AS plus,
			COUNT(CASE WHEN plan = 'pro' THEN 1 END) AS pro, COUNT(CASE WHEN disabled THEN 1 END) AS disabled,
			COUNT(CASE WHEN created_at >= ? THEN 1 END) AS created
		FROM users WHERE deleting_at IS NULL`, db.Millis{Time: since})
}

func (s *Service) countDays(ctx context.Context, r *Stats, since time.Time) error {
	return s.deps.DB.Select(ctx, &r.Days, `SELECT day, CAST(SUM(drawn) AS BIGINT) AS drawn,
			CAST(SUM(generate_hits) AS BIGINT) AS generate_hits, CAST(SUM(public_hits) AS BIGINT) AS public_hits
		FROM (SELECT day, drawn, generate_hits, public_hits FROM usage_counts WHERE day >= ?
			UNION ALL SELECT day, drawn, generate_hits, public_hits FROM usage_traffic WHERE day >= ?) AS counted
		GROUP BY day ORDER BY day`, since.Format(time.DateOnly), since.Format(time.DateOnly))
}

func (s *Service) countJobs(ctx context.Context, r *Stats, _ time.Time) error {
	return s.deps.DB.Select(ctx, &r.Jobs, `SELECT kind,
			COUNT(CASE WHEN given_up_at IS NULL AND holder = '' AND due_at <= ? THEN 1 END) AS waiting,
			COUNT(CASE WHEN given_up_at IS NULL AND holder = '' AND due_at > ? THEN 1 END) AS later,
			COUNT(CASE WHEN given_up_at IS NULL AND holder <> '' THEN 1 END) AS running,
			COUNT(given_up_at) AS given_up
		FROM jobs GROUP BY kind ORDER BY kind`, db.Millis{Time: s.clock.Now()}, db.Millis{Time: s.clock.Now()})
}

// addFigures adds the figures of all images to r.
func (s *Service) addFigures(ctx context.Context, r *Stats, _ time.Time) error {
	f, err := s.figures(ctx)
	if err != nil {
		return err
	}
	r.Images, r.Fallbacks, r.StoredBytes, r.CountedAt = f.Images, f.Fallbacks, f.StoredBytes, f.CountedAt
	if len(f.Owners) == 0 {
		return nil
	}
	bytes, args := map[string]int64{}, []any{}
	for _, o := range f.Owners {
		bytes[o.ID], args = o.Bytes, append(args, o.ID)
	}
	err = s.deps.DB.Select(ctx, &r.Owners, `SELECT id, email FROM users WHERE deleting_at IS NULL
		AND id IN (?`+strings.Repeat(", ?", len(args)-1)+`)`, args...)
	if err != nil {
		return err
	}
	for i := range r.Owners {
		r.Owners[i].Bytes = bytes[r.Owners[i].ID]
	}
	slices.SortFunc(r.Owners, func(a, b OfOwner) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.ID, b.ID))
	})
	r.Owners = r.Owners[:min(len(r.Owners), statsOwners)]
	return nil
}
