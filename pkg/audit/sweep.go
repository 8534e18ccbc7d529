package audit

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/db"
)

// sweepBatch is the number of rows per statement of a sweep, so that none blocks others for long.
const sweepBatch = 200

// sweepEvery is the interval of sweeps for expired reports and pictures.
const sweepEvery = 5 * time.Minute

// Run sweeps immediately and then periodically, until ctx ends.
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

// Sweep deletes expired anonymous reports. If the pictures of anonymous reports exceed their disk space, the oldest are
// deleted. The ledger sweeps the files without a report.
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

// measure updates the metric of the pictures' disk space.
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

// taken returns the bytes of reports' pictures, by owner kind.
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

// expire deletes anonymous reports made before a time, at most most.
func (s store) expire(ctx context.Context, before time.Time, most int) (rows int64, err error) {
	rows, err = s.db.Exec(ctx, `DELETE FROM audits WHERE id IN (
		SELECT id FROM audits WHERE owner_id IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?)`,
		db.Millis{Time: before}, most)
	if err != nil {
		return 0, fmt.Errorf("delete old reports: %w", err)
	}
	return rows, nil
}

// shed deletes the pictures of the oldest anonymous reports while they exceed their disk space, and returns how many it
// deleted.
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
