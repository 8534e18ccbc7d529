package users

import (
	"context"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// This file is about confirmed addresses.

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
