package admin

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// This file counts what is stored: the figures that take a look at every image.
//
// Images are counted in slices, so that no statement takes long however many there are. A request counts them itself
// if that takes a second; otherwise a job counts them, and requests get the figures that it stored last.

const (
	// sliceImages is how many images a statement counts: a tenth of a second's work.
	sliceImages = 50_000
	// requestTime is how long a request counts.
	requestTime = time.Second
	// backgroundTime is how long a job may count.
	backgroundTime = time.Hour
	// countedFor is how long figures are valid at least. They are valid for countedTimes as long as counting took, too,
	// so that admins who look at the page all day take a twentieth of a core.
	countedFor   = time.Minute
	countedTimes = 20
)

// figures are what all images come to.
type figures struct {
	Images []OfKind
	// Fallbacks are those of the last 30 days.
	Fallbacks   []OfReason
	StoredBytes int64
	Owners      []OfOwner // those with the most bytes, at most statsOwners, without their addresses
	CountedAt   time.Time // zero if nothing was counted yet
	Took        time.Duration
}

func (f *figures) fresh(now time.Time) bool {
	age := now.Sub(f.CountedAt)
	return !f.CountedAt.IsZero() && age >= 0 && age < max(countedFor, countedTimes*f.Took)
}

// counter counts images, and has the figures that this node knows. It is safe for concurrent use.
type counter struct {
	queue *jobs.Queue
	slice int           // see sliceImages
	limit time.Duration // see requestTime

	mu     sync.Mutex
	latest figures
	many   bool // counting takes longer than a request may
}

func newCounter(s *Service) *counter {
	return &counter{slice: sliceImages, limit: requestTime, queue: s.deps.Jobs.Handle("figures", jobs.Work{
		Do: s.countInBackground, AtOnce: 1, Time: backgroundTime, Attempts: 3, Pause: jobs.Pauses(time.Minute),
	})}
}

// errMany means that counting takes longer than it may.
var errMany = errors.New("there are too many images to count them now")

// figures returns the figures of all images. They are zero while those of many images are counted for the first time.
func (s *Service) figures(ctx context.Context) (figures, error) {
	c := s.counter
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.clock.Now()
	if c.latest.fresh(now) {
		return c.latest, nil
	}
	stored, err := s.storedFigures(ctx)
	if err != nil {
		return figures{}, err
	}
	if stored.CountedAt.After(c.latest.CountedAt) || c.latest.CountedAt.After(now) {
		c.latest, c.many = stored, stored.Took > c.limit
	}
	if c.latest.fresh(now) {
		return c.latest, nil
	}
	if !c.many {
		counted, err := s.countImages(ctx, c.limit)
		if !errors.Is(err, errMany) {
			if err == nil {
				c.latest = counted
			}
			return counted, err
		}
		c.many = true
	}
	return c.latest, s.deps.DB.InTx(ctx, func(tx *db.Tx) error { return c.queue.Enqueue(ctx, tx, "", "images", nil) })
}

func (s *Service) storedFigures(ctx context.Context) (f figures, err error) {
	var text string
	err = s.deps.DB.Get(ctx, &text, `SELECT figures FROM image_figures WHERE id = 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal([]byte(text), &f)
}

// countInBackground counts all images and stores their figures.
func (s *Service) countInBackground(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	f, err := s.countImages(ctx, backgroundTime)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO image_figures (id, figures, counted_at) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET figures = excluded.figures, counted_at = excluded.counted_at`,
			string(text), db.Millis{Time: f.CountedAt})
		return err
	}, nil
}

// storedPictures are the pictures of a slice of the images, with earlier ones and AI pictures.
const storedPictures = `SELECT image_id, size_bytes AS bytes FROM image_files WHERE image_id > ? AND image_id <= ?
	UNION ALL SELECT image_id, size_bytes FROM image_version_files WHERE image_id > ? AND image_id <= ?
	UNION ALL SELECT image_id, size FROM image_backgrounds WHERE image_id > ? AND image_id <= ?`

// countSlice counts the images of a slice by account and kind.
const countSlice = `SELECT i.owner_id, i.kind, COUNT(*) AS n, CAST(COALESCE(SUM(f.bytes), 0) AS BIGINT) AS bytes
	FROM images i LEFT JOIN (
		SELECT image_id, SUM(bytes) AS bytes FROM (` + storedPictures + `) AS pictures GROUP BY image_id
	) AS f ON f.image_id = i.id
	WHERE i.id > ? AND i.id <= ? GROUP BY i.owner_id, i.kind`

// countImages counts all images. It returns errMany if that takes longer than most.
func (s *Service) countImages(ctx context.Context, most time.Duration) (figures, error) {
	began := time.Now()
	f := figures{CountedAt: s.clock.Now()}
	var err error
	if f.Fallbacks, err = s.countFallbacks(ctx); err != nil {
		return figures{}, err
	}
	kinds, owners, last := map[string]int64{}, map[string]int64{}, ""
	for more := true; more; {
		if time.Since(began) > most {
			return figures{}, errMany
		}
		from := last
		if last, more, err = s.endOfSlice(ctx, from); err != nil {
			return figures{}, err
		}
		var rows []struct {
			OwnerID string `db:"owner_id"`
			Kind    string `db:"kind"`
			Count   int64  `db:"n"`
			Bytes   int64  `db:"bytes"`
		}
		err := s.deps.DB.Select(ctx, &rows, countSlice, from, last, from, last, from, last, from, last)
		if err != nil {
			return figures{}, fmt.Errorf("count images after %q: %w", from, err)
		}
		for _, r := range rows {
			kinds[r.Kind] += r.Count
			owners[r.OwnerID] += r.Bytes
			f.StoredBytes += r.Bytes
		}
	}
	for kind, n := range kinds {
		f.Images = append(f.Images, OfKind{kind, n})
	}
	slices.SortFunc(f.Images, func(a, b OfKind) int { return cmp.Compare(a.Kind, b.Kind) })
	f.Owners = largest(owners)
	f.Took = time.Since(began)
	return f, nil
}

// endOfSlice returns the last ID of the slice of images after an ID, and whether there are images after it.
func (s *Service) endOfSlice(ctx context.Context, from string) (last string, more bool, err error) {
	err = s.deps.DB.Get(ctx, &last, `SELECT id FROM images WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`,
		from, s.counter.slice-1)
	if !errors.Is(err, sql.ErrNoRows) {
		return last, true, err
	}
	err = s.deps.DB.Get(ctx, &last, `SELECT COALESCE(MAX(id), '') FROM images WHERE id > ?`, from)
	return last, false, err
}

// largest returns the accounts with the most bytes. Deleted ones among them are left out later, so that it returns
// more than statsOwners.
func largest(bytes map[string]int64) (owners []OfOwner) {
	for id, n := range bytes {
		if n > 0 {
			owners = append(owners, OfOwner{ID: id, Bytes: n})
		}
	}
	slices.SortFunc(owners, func(a, b OfOwner) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.ID, b.ID))
	})
	return slices.Clone(owners[:min(len(owners), 2*statsOwners)])
}

func (s *Service) countFallbacks(ctx context.Context) (counted []OfReason, err error) {
	reason := `CAST(ai AS json) ->> 'fallbackReason'`
	if s.deps.DB.Dialect() == db.SQLite {
		reason = `json_extract(ai, '$.fallbackReason')`
	}
	err = s.deps.DB.Select(ctx, &counted, `SELECT reason, COUNT(*) AS n FROM (SELECT `+reason+` AS reason FROM images
		WHERE ai <> 'null' AND created_at >= ?) AS asked WHERE reason <> '' GROUP BY reason ORDER BY n DESC, reason`,
		db.Millis{Time: s.since()})
	return counted, err
}

// SetCounting replaces how many images a statement counts, and how long a request counts; and forgets all figures,
// for tests.
func (s *Service) SetCounting(slice int, limit time.Duration) {
	s.counter.mu.Lock()
	defer s.counter.mu.Unlock()
	s.counter.slice, s.counter.limit, s.counter.latest, s.counter.many = slice, limit, figures{}, false
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }
