package auditlog

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/cursor"
	"masthead/pkg/db"
)

// This file is what an operator sees of the log.

const (
	// MostRows bounds the events of a table ([Log.All]).
	MostRows = 10_000
	// mostSources bounds the sources of failed sign-ins.
	mostSources = 100
)

// Event is an event of the log.
type Event struct {
	ID        string
	At        time.Time
	Action    Action
	ActorID   string // of an account; "" for anonymous callers
	Subject   string // an ID, a key's prefix, an email address, or what stands for it ([DigestOf]); may be ""
	Address   string // of the client; "" for commands and background work
	RequestID string // may be ""
	Times     int    // how often it happened, if it is recorded once for many
}

// Filter selects events; the zero value selects all.
type Filter struct {
	Action           Action
	ActorID, Subject string
	// From is inclusive and To exclusive; zero for no bound.
	From, To time.Time
}

// List returns a page of the events that f selects, the newest first, and the cursor of the next page; "" on the last.
func (l *Log) List(ctx context.Context, f Filter, p cursor.Page) (page []Event, next string, err error) {
	return cursor.List(p, func(e Event) string { return e.ID }, func(before string, limit int) ([]Event, error) {
		return l.list(ctx, f, before, limit)
	})
}

// All returns the newest events that f selects, at most [MostRows].
func (l *Log) All(ctx context.Context, f Filter) ([]Event, error) {
	const beforeNone = "g" // follows every UUID
	return l.list(ctx, f, beforeNone, MostRows)
}

func (l *Log) list(ctx context.Context, f Filter, before string, limit int) ([]Event, error) {
	query, args := `SELECT id, at, action, actor_id, subject, address, request_id, times FROM audit_events WHERE id < ?`,
		[]any{before}
	also := func(condition string, arg any) { query, args = query+` AND `+condition, append(args, arg) }
	if f.Action != "" {
		also(`action = ?`, f.Action)
	}
	if f.ActorID != "" {
		also(`actor_id = ?`, f.ActorID)
	}
	if f.Subject != "" {
		also(`subject = ?`, f.Subject)
	}
	if !f.From.IsZero() {
		also(`at >= ?`, db.Millis{Time: f.From})
	}
	if !f.To.IsZero() {
		also(`at < ?`, db.Millis{Time: f.To})
	}
	list, err := db.SelectAs(ctx, l.db, eventRow.event, query+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	return list, nil
}

// eventRow is an Event as its table has it.
type eventRow struct {
	ID        string    `db:"id"`
	At        db.Millis `db:"at"`
	Action    Action    `db:"action"`
	ActorID   string    `db:"actor_id"`
	Subject   string    `db:"subject"`
	Address   string    `db:"address"`
	RequestID string    `db:"request_id"`
	Times     int       `db:"times"`
}

func (r eventRow) event() Event {
	return Event{
		ID: r.ID, At: r.At.Time, Action: r.Action, ActorID: r.ActorID, Subject: r.Subject, Address: r.Address,
		RequestID: r.RequestID, Times: r.Times,
	}
}

// Failure is attempts to sign in that failed, all from one address and for one account.
type Failure struct {
	// SecondFactor says that the password was right.
	SecondFactor bool
	// Subject is the address that was entered; "" if it was none, and "passkey" for passkeys.
	Subject     string
	Address     string // of the client
	Attempts    int64
	First, Last time.Time
}

// Failures returns where sign-ins failed since a time, the most attempts first; at most 100.
func (l *Log) Failures(ctx context.Context, since time.Time) ([]Failure, error) {
	type row struct {
		Action   Action    `db:"action"`
		Subject  string    `db:"subject"`
		Address  string    `db:"address"`
		Attempts int64     `db:"attempts"`
		First    db.Millis `db:"first_at"`
		Last     db.Millis `db:"last_at"`
	}
	list, err := db.SelectAs(ctx, l.db, func(r row) Failure {
		return Failure{
			SecondFactor: r.Action == FactorFailed, Subject: r.Subject, Address: r.Address, Attempts: r.Attempts,
			First: r.First.Time, Last: r.Last.Time,
		}
	}, `SELECT action, subject, address, CAST(SUM(times) AS BIGINT) AS attempts, MIN(at) AS first_at, MAX(at) AS last_at
		FROM audit_events WHERE action IN (?, ?) AND at >= ? GROUP BY action, subject, address
		ORDER BY attempts DESC, last_at DESC, subject, address LIMIT ?`,
		LoginFailed, FactorFailed, db.Millis{Time: since}, mostSources)
	if err != nil {
		return nil, fmt.Errorf("list failed sign-ins: %w", err)
	}
	return list, nil
}
