// Package lease provides mutual exclusion across nodes: one worker at a time holds the lease of a name; others wait
// or leave. The holder renews its lease while it runs, and the lease expires afterward, so a killed worker never
// blocks a name for long.
package lease

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/db"
)

// renewals is how often a lease is renewed per TTL.
const renewals = 6

// Table stores leases in the database that all nodes share.
type Table struct {
	db  *db.DB
	ttl time.Duration
	now func() time.Time
}

// New returns the leases stored in d. ttl is how long a lease is valid after it was acquired or renewed, and
// therefore how long a killed worker blocks its name; work may take longer. The clocks of all nodes must agree within
// two thirds of ttl.
func New(d *db.DB, ttl time.Duration) *Table { return &Table{db: d, ttl: ttl, now: time.Now} }

// Lease is the exclusive right to work under a name. Callers must call Release.
type Lease struct {
	table        *Table
	name, holder string
	stop         context.CancelFunc // stops renewal
}

// Acquire acquires the lease of name and keeps renewing it, even after ctx ends. It returns nil without an error if
// another worker holds the lease.
func (t *Table) Acquire(ctx context.Context, name string) (*Lease, error) {
	l, err := t.take(ctx, name)
	if l == nil || err != nil {
		return nil, err
	}
	renewing, stop := context.WithCancel(context.Background()) // in the background, so not with the time of a request
	l.stop = stop
	go l.renew(renewing) //nolint:contextcheck // it outlives ctx
	return l, nil
}

// take is Acquire without renewal, as if the worker had been killed. A lease that expires later than any node's clock
// allows was written before a clock was set back, and counts as expired.
func (t *Table) take(ctx context.Context, name string) (*Lease, error) {
	l := &Lease{table: t, name: name, holder: uuid.NewString(), stop: func() {}}
	now := t.now()
	rows, err := t.db.Exec(ctx, `INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
		WHERE leases.expires_at < ? OR leases.expires_at > ?`,
		name, l.holder, db.Millis{Time: now.Add(t.ttl)}, db.Millis{Time: now}, db.Millis{Time: now.Add(2 * t.ttl)})
	if err != nil {
		return nil, fmt.Errorf("acquire lease %s: %w", name, err)
	}
	if rows == 0 {
		return nil, nil
	}
	return l, nil
}

// renew renews the lease until ctx ends or another worker holds it, which happens if the database was unavailable for
// longer than the TTL.
func (l *Lease) renew(ctx context.Context) {
	every := l.table.ttl / renewals
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		held, err := l.renewOnce(ctx, every)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			slog.WarnContext(ctx, "lease not renewed", "name", l.name, "err", err)
			continue
		}
		if !held {
			slog.WarnContext(ctx, "lease lost", "name", l.name)
			return
		}
	}
}

func (l *Lease) renewOnce(ctx context.Context, bound time.Duration) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	rows, err := l.table.db.Exec(ctx, `UPDATE leases SET expires_at = ? WHERE name = ? AND holder = ?`,
		db.Millis{Time: l.table.now().Add(l.table.ttl)}, l.name, l.holder)
	return rows > 0, err
}

// ErrLost says that another worker holds the lease, or held it since.
var ErrLost = errors.New("the lease was lost to another worker")

// Check is [ErrLost] unless this worker still holds the lease. It belongs in the transaction that writes the result
// of the work, after what locks it: so a worker that was stopped for longer than the TTL, and goes on afterward, never
// replaces the result of the worker after it.
func (l *Lease) Check(ctx context.Context, tx *db.Tx) error {
	var held int
	err := tx.Get(ctx, &held, `SELECT COUNT(*) FROM leases WHERE name = ? AND holder = ?`, l.name, l.holder)
	if err != nil {
		return fmt.Errorf("check lease %s: %w", l.name, err)
	}
	if held == 0 {
		return ErrLost
	}
	return nil
}

// Sweep deletes leases that expired more than one TTL ago. Killed workers leave them behind under names that nobody
// has requested since.
func (t *Table) Sweep(ctx context.Context) error {
	before := db.Millis{Time: t.now().Add(-t.ttl)}
	if _, err := t.db.Exec(ctx, `DELETE FROM leases WHERE expires_at < ?`, before); err != nil {
		return fmt.Errorf("sweep leases: %w", err)
	}
	return nil
}

// Release releases the lease, unless it has expired and another worker holds it.
func (l *Lease) Release(ctx context.Context) error {
	l.stop()
	_, err := l.table.db.Exec(ctx, `DELETE FROM leases WHERE name = ? AND holder = ?`, l.name, l.holder)
	if err != nil {
		return fmt.Errorf("release lease %s: %w", l.name, err)
	}
	return nil
}
