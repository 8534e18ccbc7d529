// Package auditlog writes the audit log: an append-only record of events on accounts, keys and limits, kept for a
// year. It is the only place where an email address may be recorded next to an action.
package auditlog

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// keep is how long events are kept. Source: docs/security.md#logs-and-the-audit-log.
const keep = 365 * 24 * time.Hour

// Action is a kind of event.
type Action string

// Actions that are recorded.
const (
	Registered      Action = "register"
	LoginOK         Action = "login_ok"
	LoginFailed     Action = "login_failed"
	PasswordChanged Action = "password_change"
	EmailChanged    Action = "email_change"
	// EmailChangeRequested has no subject: the new address may be anybody's.
	EmailChangeRequested Action = "email_change_request"
	AccountDeleted       Action = "account_delete"
	KeyCreated           Action = "key_create"
	KeyRevoked           Action = "key_revoke"
	TargetRefused        Action = "target_refused"
	AdminActed           Action = "admin_act"
	// PublicAIStopped: the provider rejected too many prompts of a project's anonymous callers.
	PublicAIStopped   Action = "public_ai_stop"
	PasswordForgotten Action = "password_forgot"
	PasswordReset     Action = "password_reset"
	PlanChanged       Action = "plan_change"
	QuotaReserved     Action = "quota_reserve"
	QuotaKept         Action = "quota_commit"
	QuotaReleased     Action = "quota_release"
	WebhookCreated    Action = "webhook_create"
	WebhookRotated    Action = "webhook_rotate"
	WebhookDeleted    Action = "webhook_delete"
	WebhookRestored   Action = "webhook_restore" // its deletion was taken back
	SigningKeyCreated Action = "signing_key_create"
	FactorFailed      Action = "factor_failed"
	FactorAdded       Action = "factor_add"
	FactorRemoved     Action = "factor_remove"
	SessionsEnded     Action = "sessions_end"
	ProviderJoined    Action = "provider_join"
	AccountRestored   Action = "account_restore"
	AccountPurged     Action = "account_purge"
)

// Log writes events to the audit log.
type Log struct {
	db       *db.DB
	now      func() time.Time
	refusals *refusals
}

// New returns the audit log in d.
func New(d *db.DB) *Log { return &Log{db: d, now: time.Now, refusals: newRefusals()} }

// Record writes an event about subject with the caller, client address and request ID from ctx. actorID overrides the
// caller for actions that establish the identity themselves, such as a login. If the event can't be written, Record
// logs the error and the action stands.
func (l *Log) Record(ctx context.Context, action Action, actorID, subject string) {
	l.record(ctx, action, actorID, subject, 1)
}

// record is Record for an event that happened several times.
func (l *Log) record(ctx context.Context, action Action, actorID, subject string, times int) {
	// The event is written even if the caller has disconnected.
	bounded, cancel := context.WithTimeout(db.Detached(ctx), 5*time.Second)
	defer cancel()
	if _, err := l.db.Exec(bounded, insert, l.event(ctx, action, actorID, subject, times)...); err != nil {
		slog.ErrorContext(ctx, "audit log not written", "action", string(action), "err", err)
	}
}

// RecordIn is like [Log.Record] within the transaction of the action, so that both are committed or neither.
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
	actorID = cmp.Or(actorID, caller.UserID)
	address := ""
	if caller.Address.IsValid() {
		address = caller.Address.String()
	}
	// Subjects are untrusted text and may be truncated. Postgres accepts neither invalid UTF-8 nor NUL, and that must
	// not lose an event.
	subject = strings.ReplaceAll(strings.ToValidUTF8(subject, "\uFFFD"), "\x00", "\uFFFD")
	return []any{
		db.NewID(), db.Millis{Time: l.now()}, action, actorID, subject, address, identity.RequestIDOf(ctx), times,
	}
}

// Sweep deletes events older than a year.
func (l *Log) Sweep(ctx context.Context) error {
	before := db.Millis{Time: l.now().Add(-keep)}
	if _, err := l.db.Exec(ctx, `DELETE FROM audit_events WHERE at < ?`, before); err != nil {
		return fmt.Errorf("sweep the audit log: %w", err)
	}
	return nil
}
