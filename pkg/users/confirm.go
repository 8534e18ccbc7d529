package users

import (
	"context"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// This file is about confirmed addresses.

// Lock returns an account, which no other transaction changes or deletes until tx ends, or NotFound.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, id string) (User, error) {
	var r row
	err := tx.Get(ctx, &r, `UPDATE users SET updated_at = updated_at WHERE id = ? AND deleting_at IS NULL
		RETURNING `+columns, id)
	return r.user(), db.Missing(err, noAccount, "find account "+id)
}

// SetEmail gives an account, which tx has locked, another address that its owner has confirmed, and returns the
// account. It returns Conflict if another account has the address.
func (s *Service) SetEmail(ctx context.Context, tx *db.Tx, id, email string) (User, error) {
	key, err := EmailKey(email)
	if err != nil {
		return User{}, err
	}
	var before string
	if err := tx.Get(ctx, &before, `SELECT email FROM users WHERE id = ?`, id); err != nil {
		return User{}, db.Missing(err, noAccount, "find account "+id)
	}
	var r row
	err = tx.Get(ctx, &r, `UPDATE users SET email = ?, email_key = ?, email_confirmed_at = ?, email_refused_at = NULL,
		updated_at = ? WHERE id = ? RETURNING `+columns,
		email, key, db.Millis{Time: s.now()}, db.Millis{Time: s.now()}, id)
	if db.IsUnique(err) {
		return User{}, taken()
	}
	if err != nil {
		return User{}, db.Missing(err, noAccount, "change the address of account "+id)
	}
	return r.user(), s.auditlog.RecordIn(ctx, tx, auditlog.EmailChanged, id, before+" -> "+email)
}

// Confirm marks the address of an account as confirmed in tx and returns the account, or NotFound.
func (s *Service) Confirm(ctx context.Context, tx *db.Tx, id string) (User, error) {
	var r row
	err := tx.Get(ctx, &r, `UPDATE users SET email_confirmed_at = COALESCE(email_confirmed_at, ?), email_refused_at = NULL
		WHERE id = ? RETURNING `+columns, db.Millis{Time: s.now()}, id)
	return r.user(), db.Missing(err, noAccount, "confirm the address of account "+id)
}

// RequireConfirmed returns Forbidden if the caller's address isn't confirmed: until then an account can't buy, receive
// mails other than those about security, or create webhooks. doing is such as "buy a plan".
func (s *Service) RequireConfirmed(ctx context.Context, caller identity.Caller, doing string) error {
	user, err := s.Get(ctx, caller)
	if err == nil && user.ConfirmedAt.IsZero() {
		return apperr.New(apperr.Forbidden, fmt.Sprintf(
			"Confirm your email address to %s: open the link that we sent to %s.", doing, user.Email))
	}
	return err
}
