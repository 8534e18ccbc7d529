package files

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/db"
	"masthead/pkg/lease"
)

const (
	// pauseTime is how long a pause lasts without being extended: a backup that was killed delays sweeps by that.
	pauseTime = 2 * time.Minute
	// pauseRenewals is how often a pause is extended per pauseTime.
	pauseRenewals = 6
	// unlessPaused is a condition of sweeps, with the current time as its argument.
	unlessPaused = ` AND NOT EXISTS (SELECT 1 FROM sweep_pauses WHERE until > ?)`
)

// Pause keeps all nodes of d from deleting files until resume is called, so that the files that a copy of the database
// refers to can be copied after it. It returns once no sweep that began earlier can delete another file.
func Pause(ctx context.Context, d *db.DB) (resume func(), err error) {
	id := uuid.NewString()
	extend := func(ctx context.Context) error {
		_, err := d.Exec(ctx, `INSERT INTO sweep_pauses (id, until) VALUES (?, ?)
			ON CONFLICT (id) DO UPDATE SET until = excluded.until`, id, millis(time.Now().Add(pauseTime)))
		return err
	}
	if err := extend(ctx); err != nil {
		return nil, fmt.Errorf("pause the deletion of files: %w", err)
	}
	extending, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	work.Go(func() {
		for {
			select {
			case <-extending.Done():
				return
			case <-time.After(pauseTime / pauseRenewals):
			}
			if err := extend(extending); err != nil && extending.Err() == nil {
				slog.WarnContext(extending, "pause of the deletion of files not extended", "err", err)
			}
		}
	})
	resume = func() {
		stop()
		work.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
		defer cancel()
		if _, err := d.Exec(ctx, `DELETE FROM sweep_pauses WHERE id = ? OR until < ?`, id, millis(time.Now())); err != nil {
			slog.WarnContext(ctx, "the deletion of files stays paused for a while", "err", err)
		}
	}
	if err := sweepsEnd(ctx, d); err != nil {
		resume()
		return nil, err
	}
	return resume, nil
}

// sweepsEnd waits until the sweep that is running on some node ends. On SQLite there is nothing to wait for: a
// transaction that marks files is before the pause, and then nothing refers to them, or sees it.
func sweepsEnd(ctx context.Context, d *db.DB) error {
	if d.Dialect() != db.Postgres {
		return nil
	}
	leases := lease.New(d, leaseTime)
	for {
		held, err := leases.Acquire(ctx, sweepLease)
		if err != nil {
			return fmt.Errorf("wait for the deletion of files: %w", err)
		}
		if held != nil {
			release(ctx, held)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}
