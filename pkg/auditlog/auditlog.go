// Package auditlog owns the audit log: an append-only record of what happened to accounts, keys and limits, kept for a
// year. It is the one place where an email address may be written beside an act.
package auditlog

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// keep is how long an event is kept. Source: security requirements, "Logs and audit".
const keep = 365 * 24 * time.Hour

// Action is a kind of event.
type Action string

// The actions that are recorded.
const (
	Registered      Action = "register"
	LoginOK         Action = "login_ok"
	LoginFailed     Action = "login_failed"
	PasswordChanged Action = "password_change"
	EmailChanged    Action = "email_change"
	AccountDeleted  Action = "account_delete"
	KeyCreated      Action = "key_create"
	KeyRevoked      Action = "key_revoke"
	TargetRefused   Action = "target_refused"
	AdminActed      Action = "admin_act"
	// PublicAIStopped: the provider has rejected too many prompts of strangers for a project.
	PublicAIStopped   Action = "public_ai_stop"
	PasswordForgotten Action = "password_forgot"
	PasswordReset     Action = "password_reset"
	PlanChanged       Action = "plan_change"
	QuotaReserved     Action = "quota_reserve"
	QuotaKept         Action = "quota_commit"
	QuotaReleased     Action = "quota_release"
)

// Log writes events.
type Log struct {
	db       *db.DB
	now      func() time.Time
	refusals *refusals
}

// New returns the log in d.
func New(d *db.DB) *Log { return &Log{db: d, now: time.Now, refusals: newRefusals()} }

// Record writes an event about subject, with the caller, the address and the request of ctx. actorID overrides the
// caller where the act itself tells who it is (a login). An event that cannot be written is logged and does not undo
// the act.
func (l *Log) Record(ctx context.Context, action Action, actorID, subject string) {
	l.record(ctx, action, actorID, subject, 1)
}

// record is Record for an event that happened so many times.
func (l *Log) record(ctx context.Context, action Action, actorID, subject string, times int) {
	// The event is written even when the caller has gone away.
	bounded, cancel := context.WithTimeout(db.Detached(ctx), 5*time.Second)
	defer cancel()
	if _, err := l.db.Exec(bounded, insert, l.event(ctx, action, actorID, subject, times)...); err != nil {
		slog.ErrorContext(ctx, "audit log not written", "action", string(action), "err", err)
	}
}

// RecordIn is [Log.Record] in the transaction of the act: one does not come to be without the other.
func (l *Log) RecordIn(ctx context.Context, tx *db.Tx, action Action, actorID, subject string) error {
	if _, err := tx.Exec(ctx, insert, l.event(ctx, action, actorID, subject, 1)...); err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}

const insert = `INSERT INTO audit_events (id, at, action, actor_id, subject, address, request_id, times)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

// event returns what insert takes.
func (l *Log) event(ctx context.Context, action Action, actorID, subject string, times int) []any {
	caller := identity.CallerOf(ctx)
	if actorID == "" {
		actorID = caller.UserID
	}
	address := ""
	if caller.Address.IsValid() {
		address = caller.Address.String()
	}
	// Subjects are what strangers wrote, cut somewhere perhaps: Postgres takes neither bytes that are no UTF-8 nor NUL,
	// and an event must not be lost by that.
	subject = strings.ReplaceAll(strings.ToValidUTF8(subject, "\uFFFD"), "\x00", "\uFFFD")
	return []any{
		db.NewID(), db.Millis{Time: l.now()}, action, actorID, subject, address, identity.RequestIDOf(ctx), times,
	}
}

// Sweep removes the events that are older than a year.
func (l *Log) Sweep(ctx context.Context) error {
	before := db.Millis{Time: l.now().Add(-keep)}
	if _, err := l.db.Exec(ctx, `DELETE FROM audit_events WHERE at < ?`, before); err != nil {
		return fmt.Errorf("sweep the audit log: %w", err)
	}
	return nil
}
