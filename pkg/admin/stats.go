package admin

import (
	"context"
	"fmt"
	"sync"
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
	// Fallbacks are images of the last 30 days that were drawn without the AI picture that was asked for, by reason,
	// the most frequent first. The reason "provider" counts failures of the AI provider.
	Fallbacks []OfReason
	// SpentCents is what AI cost in the present calendar month (UTC), CeilingCents what it may.
	SpentCents, CeilingCents int64
	Jobs                     []OfJobs
	StoredBytes              int64     // of images
	Owners                   []OfOwner // with the most bytes first, at most 20
	// CountedAt is when the images, their fallbacks and what is stored were counted.
	CountedAt time.Time
}

// countedFor is how long what takes a look at all images isn't counted again.
const countedFor = time.Minute

// counted has the figures that take a look at all images, as they were counted last.
type counted struct {
	mu     sync.Mutex
	latest Stats // only those figures
}

// count adds the figures of all images to r. They are counted at most once a minute.
func (s *Service) count(ctx context.Context, r *Stats, since time.Time) error {
	s.counted.mu.Lock()
	defer s.counted.mu.Unlock()
	now := s.clock.Now()
	if last := s.counted.latest.CountedAt; last.IsZero() || now.Sub(last) >= countedFor || now.Before(last) {
		latest := Stats{CountedAt: now}
		for _, read := range []func(context.Context, *Stats, time.Time) error{
			s.countImages, s.countFallbacks, s.countStorage,
		} {
			if err := read(ctx, &latest, since); err != nil {
				return err
			}
		}
		s.counted.latest = latest
	}
	of := s.counted.latest
	r.Images, r.Fallbacks, r.StoredBytes, r.Owners = of.Images, of.Fallbacks, of.StoredBytes, of.Owners
	r.CountedAt = of.CountedAt
	return nil
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
	now := s.clock.Now().UTC()
	since := now.AddDate(0, 0, 1-statsDays).Truncate(24 * time.Hour)
	var r Stats
	for _, read := range []func(context.Context, *Stats, time.Time) error{
		s.countAccounts, s.countDays, s.countJobs, s.count,
	} {
		if err := read(ctx, &r, since); err != nil {
			return Stats{}, fmt.Errorf("read the figures of the installation: %w", err)
		}
	}
	var err error
	r.SpentCents, r.CeilingCents, err = s.deps.AI.Spent(ctx)
	return r, err
}

func (s *Service) countAccounts(ctx context.Context, r *Stats, since time.Time) error {
	return s.deps.DB.Get(ctx, &r.Accounts, `SELECT COUNT(*) AS total,
			COUNT(CASE WHEN plan = 'free' THEN 1 END) AS free, COUNT(CASE WHEN plan = 'plus' THEN 1 END) AS plus,
			COUNT(CASE WHEN plan = 'pro' THEN 1 END) AS pro, COUNT(CASE WHEN disabled THEN 1 END) AS disabled,
			COUNT(CASE WHEN created_at >= ? THEN 1 END) AS created
		FROM users WHERE deleting_at IS NULL`, db.Millis{Time: since})
}

func (s *Service) countImages(ctx context.Context, r *Stats, _ time.Time) error {
	return s.deps.DB.Select(ctx, &r.Images, `SELECT kind, COUNT(*) AS n FROM images GROUP BY kind ORDER BY kind`)
}

func (s *Service) countDays(ctx context.Context, r *Stats, since time.Time) error {
	return s.deps.DB.Select(ctx, &r.Days, `SELECT day, CAST(SUM(drawn) AS BIGINT) AS drawn,
			CAST(SUM(generate_hits) AS BIGINT) AS generate_hits, CAST(SUM(public_hits) AS BIGINT) AS public_hits
		FROM (SELECT day, drawn, generate_hits, public_hits FROM usage_counts WHERE day >= ?
			UNION ALL SELECT day, drawn, generate_hits, public_hits FROM usage_traffic WHERE day >= ?) AS counted
		GROUP BY day ORDER BY day`, since.Format(time.DateOnly), since.Format(time.DateOnly))
}

func (s *Service) countFallbacks(ctx context.Context, r *Stats, since time.Time) error {
	reason := `CAST(ai AS json) ->> 'fallbackReason'`
	if s.deps.DB.Dialect() == db.SQLite {
		reason = `json_extract(ai, '$.fallbackReason')`
	}
	return s.deps.DB.Select(ctx, &r.Fallbacks, `SELECT reason, COUNT(*) AS n FROM (SELECT `+reason+` AS reason FROM images
		WHERE ai <> 'null' AND created_at >= ?) AS asked WHERE reason <> '' GROUP BY reason ORDER BY n DESC, reason`,
		db.Millis{Time: since})
}

func (s *Service) countJobs(ctx context.Context, r *Stats, _ time.Time) error {
	return s.deps.DB.Select(ctx, &r.Jobs, `SELECT kind,
			COUNT(CASE WHEN given_up_at IS NULL AND holder = '' AND due_at <= ? THEN 1 END) AS waiting,
			COUNT(CASE WHEN given_up_at IS NULL AND holder = '' AND due_at > ? THEN 1 END) AS later,
			COUNT(CASE WHEN given_up_at IS NULL AND holder <> '' THEN 1 END) AS running,
			COUNT(given_up_at) AS given_up
		FROM jobs GROUP BY kind ORDER BY kind`, db.Millis{Time: s.clock.Now()}, db.Millis{Time: s.clock.Now()})
}

// storedPictures are the pictures of images, with earlier ones and AI pictures.
const storedPictures = `SELECT image_id, size_bytes AS bytes FROM image_files UNION ALL SELECT image_id, size_bytes
	FROM image_version_files UNION ALL SELECT image_id, size FROM image_backgrounds`

func (s *Service) countStorage(ctx context.Context, r *Stats, _ time.Time) error {
	err := s.deps.DB.Get(ctx, &r.StoredBytes,
		`SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM (`+storedPictures+`) AS f`)
	if err != nil {
		return err
	}
	return s.deps.DB.Select(ctx, &r.Owners, `SELECT u.id, u.email, CAST(SUM(f.bytes) AS BIGINT) AS bytes
		FROM (`+storedPictures+`) AS f JOIN images i ON i.id = f.image_id JOIN users u ON u.id = i.owner_id
		WHERE u.deleting_at IS NULL GROUP BY u.id, u.email ORDER BY bytes DESC, u.id LIMIT ?`, statsOwners)
}
