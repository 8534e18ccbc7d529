package audit

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/db"
)

// sweepBatch is how many rows one statement of a sweep takes, so that none holds others up.
const sweepBatch = 200

// sweepEvery is how often reports and pictures are looked for that may go.
const sweepEvery = 5 * time.Minute

// Run sweeps at once and every while, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "sweep of the reports failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery):
		}
	}
}

// Sweep deletes the reports of nobody that are old. Of the pictures of nobody's reports the oldest go when they take
// more disk than they may. The ledger sweeps the files that no report has.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		rows, err := s.store.expire(ctx, s.oldest(), sweepBatch)
		if err != nil {
			return err
		}
		s.metrics.swept.WithLabelValues("reports").Add(float64(rows))
		if rows < sweepBatch {
			break
		}
	}
	rows, err := s.store.shed(ctx, int64(s.cfg.PictureMB)*1_000_000)
	s.metrics.swept.WithLabelValues("pictures").Add(float64(rows))
	if err != nil {
		return err
	}
	s.files.SweepSoon()
	return s.measure(ctx)
}

// measure tells the operator how much disk the pictures take.
func (s *Service) measure(ctx context.Context) error {
	taken, err := s.store.taken(ctx)
	if err != nil {
		return err
	}
	for _, of := range whose {
		s.metrics.pictures.WithLabelValues(of).Set(float64(taken[of]))
	}
	return nil
}

// taken returns how many bytes the pictures of reports take, by whose they are.
func (s store) taken(ctx context.Context) (map[string]int64, error) {
	var rows []struct {
		Of    string `db:"whose"`
		Bytes int64  `db:"bytes"`
	}
	err := s.db.Select(ctx, &rows, `SELECT CASE WHEN a.owner_id IS NULL THEN 'nobody' ELSE 'accounts' END AS whose,
		SUM(f.size) AS bytes FROM audit_files f JOIN audits a ON f.audit_id = a.id GROUP BY 1`)
	if err != nil {
		return nil, fmt.Errorf("measure the pictures of reports: %w", err)
	}
	taken := map[string]int64{}
	for _, r := range rows {
		taken[r.Of] = r.Bytes
	}
	return taken, nil
}

// expire deletes reports of nobody that were made before a time, at most so many.
func (s store) expire(ctx context.Context, before time.Time, most int) (rows int64, err error) {
	rows, err = s.db.Exec(ctx, `DELETE FROM audits WHERE id IN (
		SELECT id FROM audits WHERE owner_id IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?)`,
		db.Millis{Time: before}, most)
	if err != nil {
		return 0, fmt.Errorf("delete old reports: %w", err)
	}
	return rows, nil
}

// shed takes their pictures from the oldest reports of nobody while all of those take more bytes than they may, and
// returns how many it took.
func (s store) shed(ctx context.Context, most int64) (rows int64, err error) {
	var taken int64
	err = s.db.Get(ctx, &taken, `SELECT COALESCE(SUM(f.size), 0) FROM audits a JOIN audit_files f ON f.audit_id = a.id
		WHERE a.owner_id IS NULL`)
	for err == nil && taken > most {
		var oldest []struct {
			Digest string `db:"digest"`
			Name   string `db:"name"`
			Size   int64  `db:"size"`
		}
		err = s.db.Select(ctx, &oldest, `SELECT f.digest, f.name, f.size FROM audits a JOIN audit_files f ON f.audit_id = a.id
			WHERE a.owner_id IS NULL ORDER BY a.created_at LIMIT ?`, sweepBatch)
		if err != nil || len(oldest) == 0 {
			break
		}
		for _, f := range oldest {
			if taken <= most || err != nil {
				break
			}
			_, err = s.db.Exec(ctx, `DELETE FROM audit_files WHERE digest = ? AND name = ?`, f.Digest, f.Name)
			taken -= f.Size
			rows++
		}
	}
	if err != nil {
		return rows, fmt.Errorf("make room for pictures of reports: %w", err)
	}
	return rows, nil
}
