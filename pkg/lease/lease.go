// Package lease owns "one worker for a name at a time" across nodes: whoever holds the lease works, the others wait or
// leave. A lease is renewed while its holder lives and ends by itself after, so that a killed worker blocks nobody for
// long.
package lease

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/db"
)

// renewals is how often a lease is renewed within its time.
const renewals = 6

// Table keeps leases in the database that all nodes share.
type Table struct {
	db  *db.DB
	ttl time.Duration
	now func() time.Time
}

// New returns the leases in d, each of which lasts for ttl after it was taken or renewed. That is how long the name of
// a killed worker is blocked, not how long work may take. The clocks of the nodes must differ by less than two thirds
// of it.
func New(d *db.DB, ttl time.Duration) *Table { return &Table{db: d, ttl: ttl, now: time.Now} }

// Lease is the right to work under a name until Release, which must be called.
type Lease struct {
	table        *Table
	name, holder string
	stop         context.CancelFunc // of the renewing
}

// Acquire takes the lease of name and goes on renewing it, even when ctx ends. When another holds it, the lease is nil
// without an error.
func (t *Table) Acquire(ctx context.Context, name string) (*Lease, error) {
	l, err := t.take(ctx, name)
	if l == nil || err != nil {
		return nil, err
	}
	renewing, stop := context.WithCancel(db.InBackground(context.WithoutCancel(ctx)))
	l.stop = stop
	go l.renew(renewing)
	return l, nil
}

// take is Acquire without the renewing: the lease of a worker that is killed. One that ends later than any clock of a
// node allows was given by a clock that has gone back since, and is over.
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

// renew renews the lease until ctx ends or another holds it: the database was away for longer than the lease lasts.
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

// Sweep removes the leases that ended by themselves longer ago than they last: of workers that were killed, under names
// that nobody has asked for since.
func (t *Table) Sweep(ctx context.Context) error {
	before := db.Millis{Time: t.now().Add(-t.ttl)}
	if _, err := t.db.Exec(ctx, `DELETE FROM leases WHERE expires_at < ?`, before); err != nil {
		return fmt.Errorf("sweep leases: %w", err)
	}
	return nil
}

// Release ends the lease, unless it ended by itself and another holds it now.
func (l *Lease) Release(ctx context.Context) error {
	l.stop()
	_, err := l.table.db.Exec(ctx, `DELETE FROM leases WHERE name = ? AND holder = ?`, l.name, l.holder)
	if err != nil {
		return fmt.Errorf("release lease %s: %w", l.name, err)
	}
	return nil
}
