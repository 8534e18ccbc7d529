// Package maintenance refuses what changes something while an operator works on an installation. All nodes follow
// within two seconds.
package maintenance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
)

const (
	// fresh is how long a node relies on what it has read.
	fresh = 2 * time.Second
	// retryAfter is when a refused client should try again.
	retryAfter = time.Minute
	// maxReason bounds the reason, in characters.
	maxReason = 300
)

// State is whether there is maintenance.
type State struct {
	Since  time.Time // zero for none
	Reason string    // for users; may be ""
}

// Mode is the maintenance of an installation, which all nodes on its database share. It is safe for concurrent use.
type Mode struct {
	db  *db.DB
	now func() time.Time

	mu     sync.Mutex
	known  State
	readAt time.Time
}

// New returns the mode of the installation in d.
func New(d *db.DB) *Mode { return &Mode{db: d, now: time.Now} }

// State returns the present state.
func (m *Mode) State(ctx context.Context) (State, error) {
	var r struct {
		Since  db.Millis `db:"since"`
		Reason string    `db:"reason"`
	}
	err := m.db.Get(ctx, &r, `SELECT since, reason FROM maintenance`)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return State{}, fmt.Errorf("read the maintenance mode: %w", err)
	}
	s := State{Since: r.Since.Time, Reason: r.Reason}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known, m.readAt = s, m.now()
	return s, nil
}

// Begin begins maintenance, or changes its reason, which is for users and may be "".
func (m *Mode) Begin(ctx context.Context, reason string) (State, error) {
	_, err := m.db.Exec(ctx, `INSERT INTO maintenance (singleton, since, reason) VALUES (1, ?, ?)
		ON CONFLICT (singleton) DO UPDATE SET reason = excluded.reason`,
		db.Millis{Time: m.now()}, cleantext.Clean(reason, maxReason))
	if err != nil {
		return State{}, fmt.Errorf("begin maintenance: %w", err)
	}
	return m.State(ctx)
}

// End ends maintenance.
func (m *Mode) End(ctx context.Context) (State, error) {
	if _, err := m.db.Exec(ctx, `DELETE FROM maintenance`); err != nil {
		return State{}, fmt.Errorf("end maintenance: %w", err)
	}
	return m.State(ctx)
}

// Refuse returns UNAVAILABLE during maintenance. Without an answer of the database the last known state counts.
func (m *Mode) Refuse(ctx context.Context) error {
	m.mu.Lock()
	s, at := m.known, m.readAt
	m.mu.Unlock()
	if m.now().Sub(at).Abs() >= fresh {
		read, err := m.State(ctx)
		if err != nil {
			slog.WarnContext(ctx, "maintenance mode not read; the last known one counts", "err", err)
		} else {
			s = read
		}
	}
	if s.Since.IsZero() {
		return nil
	}
	detail := "Maintenance: nothing can be changed for now. What exists can be read, and /og and /cdn serve it."
	if s.Reason != "" {
		detail += " The operator says: " + s.Reason
	}
	return &apperr.Error{Code: apperr.Unavailable, Detail: detail, RetryAfter: retryAfter}
}
