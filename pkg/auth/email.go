package auth

import (
	"context"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/mail"
	"masthead/pkg/users"
)

// This file changes the email address of accounts. The address is enough to get into the account, so the password alone
// doesn't change it: both addresses confirm the change.

// maxEmailChanges is how many changes of its address an account can request in an hour: each sends mail to an address
// that may be anybody's.
const maxEmailChanges = 5

// ChangeEmail sends links to the caller's present address and a new one: see [Service.ConfirmEmailChange]. It takes
// the password and, if the account has a second factor, a session that gave it within the last confirmFor. It does the
// same whether the new address has an account or not.
func (s *Service) ChangeEmail(ctx context.Context, caller identity.Caller, email, password string) error {
	key, err := users.EmailKey(email)
	if err != nil {
		return err
	}
	if err := s.confirmChange(ctx, caller, "/password", password); err != nil {
		return err
	}
	now := s.now()
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		user, err := s.users.Lock(ctx, tx, caller.UserID)
		if apperr.CodeOf(err) == apperr.NotFound {
			return identity.Gone(err)
		}
		if err != nil {
			return err
		}
		if user.Email == email {
			return apperr.Invalid("/email", "This is the address of your account already.")
		}
		recent, err := countEmailChanges(ctx, tx, user.ID, now)
		if err != nil {
			return err
		}
		if recent >= maxEmailChanges {
			err := apperr.New(apperr.RateLimited, "You have requested five changes of your address in an hour. Try again later.")
			err.RetryAfter = emailChangeWindow
			return err
		}
		change := emailChange{
			ID: db.NewID(), UserID: user.ID, Email: email, EmailKey: key, SessionID: caller.SessionID,
		}
		if user.ConfirmedAt.IsZero() { // nobody has shown that it is theirs: there is nothing to protect
			change.OldAt = db.Millis{Time: now}
		}
		if err := insertEmailChange(ctx, tx, change, now, now.Add(confirmLife)); err != nil {
			return err
		}
		if err := s.auditlog.RecordIn(ctx, tx, auditlog.EmailChangeRequested, user.ID, ""); err != nil {
			return err
		}
		if s.mail == nil {
			return nil
		}
		err = s.mail.Send(ctx, tx, mail.Message{
			Kind: mail.NewAddress, AccountID: user.ID, EventID: change.ID, To: email, Data: mail.Data{Change: change.ID},
		})
		if err != nil || user.ConfirmedAt.IsZero() {
			return err
		}
		return s.mail.Send(ctx, tx, mail.Message{
			Kind: mail.AddressChange, AccountID: user.ID, EventID: change.ID,
			Data: mail.Data{Change: change.ID, Address: email},
		})
	})
	return err
}

// confirmChange checks what changing the address takes; pointer is where the password is in the request.
func (s *Service) confirmChange(ctx context.Context, caller identity.Caller, pointer, password string) error {
	if _, err := s.confirm(ctx, caller, pointer, password); err != nil {
		return err
	}
	return s.confirmedFactor(ctx, caller, "Changing the email address")
}

// ConfirmEmailChange uses the token of a link of [Service.ChangeEmail]. With the second one the account has the new
// address, and changed is true: the session that requested the change continues, and all others end. It returns
// BAD_REQUEST for an invalid or expired token, and Conflict if another account has the new address by now.
func (s *Service) ConfirmEmailChange(ctx context.Context, token string) (changed bool, err error) {
	raw, err := linkToken(token)
	if err != nil {
		return false, err
	}
	ownerID, err := s.store.ownerOfChange(ctx, digest(raw), s.now())
	if err != nil {
		return false, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		before, err := s.users.Lock(ctx, tx, ownerID) // first, as wherever an account and its rows change together
		if apperr.CodeOf(err) == apperr.NotFound {
			return badLink()
		}
		if err != nil {
			return err
		}
		change, err := useChangeLink(ctx, tx, digest(raw), s.now())
		if err != nil {
			return err
		}
		if changed = !change.OldAt.IsZero() && !change.NewAt.IsZero(); !changed {
			return nil
		}
		after, err := s.users.SetEmail(ctx, tx, ownerID, change.Email)
		if err != nil {
			return err
		}
		if err := endEmailChange(ctx, tx, change); err != nil {
			return err
		}
		return s.emailChanged(ctx, tx, before, after)
	})
	return changed && err == nil, err
}

// emailChanged deletes the links that were sent to an account's previous address, and tells that address, if it was
// ever confirmed.
func (s *Service) emailChanged(ctx context.Context, tx *db.Tx, before, after users.User) error {
	if err := deleteLinks(ctx, tx, after.ID); err != nil {
		return err
	}
	if s.mail == nil || before.ConfirmedAt.IsZero() {
		return nil
	}
	err := s.mail.Send(ctx, tx, mail.Message{
		Kind: mail.AddressChanged, AccountID: after.ID, EventID: db.NewID(), To: before.Email,
		Data: mail.Data{Address: after.Email, At: s.now()},
	})
	if err != nil {
		return fmt.Errorf("tell the previous address of account %s: %w", after.ID, err)
	}
	return nil
}
