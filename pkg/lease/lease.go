// Package lease owns "one worker for a name at a time" across nodes: whoever holds the lease works, the others wait or
// leave. A lease ends by itself, so that a killed worker blocks nobody for long.
package lease

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/db"
)

// Table keeps leases in the database that all nodes share.
type Table struct {
	db  *db.DB
	now func() time.Time
}

// New returns the leases in d.
func New(d *db.DB) *Table { return &Table{db: d, now: time.Now} }

// Lease is the right to work under a name until it ends.
type Lease struct {
	table        *Table
	name, holder string
}

// Acquire takes the lease of name for ttl. When another holds it, the lease is nil without an error.
//
// The clocks of the nodes may differ by less than ttl: choose it several times as long as the work.
func (t *Table) Acquire(ctx context.Context, name string, ttl time.Duration) (*Lease, error) {
	l := &Lease{table: t, name: name, holder: uuid.NewString()}
	now := t.now()
	rows, err := t.db.Exec(ctx, `INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
		WHERE leases.expires_at < ?`,
		name, l.holder, db.Millis{Time: now.Add(ttl)}, db.Millis{Time: now})
	if err != nil {
		return nil, fmt.Errorf("acquire lease %s: %w", name, err)
	}
	if rows == 0 {
		return nil, nil
	}
	return l, nil
}

// Release ends the lease, unless it ended by itself and another holds it now.
func (l *Lease) Release(ctx context.Context) error {
	_, err := l.table.db.Exec(ctx, `DELETE FROM leases WHERE name = ? AND holder = ?`, l.name, l.holder)
	if err != nil {
		return fmt.Errorf("release lease %s: %w", l.name, err)
	}
	return nil
}
