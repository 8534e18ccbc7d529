// Package mfa implements second factors: what an account requires beside its password to sign in. These are the codes
// of an authenticator app (TOTP) and the recovery codes for when the app is lost.
//
// Each code works once, on all nodes. Package auth decides when a code is needed, and limits the attempts.
package mfa

import (
	"context"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// Service manages the second factors of accounts. It is safe for concurrent use.
type Service struct {
	store  store
	issuer string
	now    func() time.Time
}

// New returns a service for the second factors in d. issuer is the name that an authenticator app shows, and now the
// clock.
func New(d *db.DB, issuer string, now func() time.Time) *Service {
	return &Service{store: store{d}, issuer: issuer, now: now}
}

// Factors are the second factors of an account.
type Factors struct {
	AppSince      time.Time // when the authenticator app was set up; zero for none
	RecoveryCodes int       // those that are left
}

// Required reports whether signing in takes a second factor.
func (f Factors) Required() bool { return !f.AppSince.IsZero() }

// Of returns the second factors of an account.
func (s *Service) Of(ctx context.Context, userID string) (Factors, error) {
	return s.store.factors(ctx, userID)
}

// Use uses up a code of the account's authenticator app or a recovery code, and reports whether it was right.
func (s *Service) Use(ctx context.Context, userID, code string) (ok bool, err error) {
	code = plain(code)
	if len(code) != appDigits {
		return s.store.useRecovery(ctx, userID, digest(code))
	}
	secret, err := s.store.secret(ctx, userID, true)
	if err != nil || secret == "" {
		return false, err
	}
	step, ok := stepOf(secret, code, s.now())
	if !ok {
		return false, nil
	}
	return s.store.useStep(ctx, userID, step)
}

// RemoveApp removes the authenticator app of an account and, if it was its last second factor, the recovery codes.
func (s *Service) RemoveApp(ctx context.Context, userID string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := removeApp(ctx, tx, userID); err != nil {
			return err
		}
		left, err := factorsOf(ctx, tx, userID)
		if err != nil || left.Required() {
			return err
		}
		return removeRecovery(ctx, tx, userID)
	})
}

// Remove removes all second factors of an account.
func (s *Service) Remove(ctx context.Context, userID string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		return errors.Join(removeApp(ctx, tx, userID), removeRecovery(ctx, tx, userID))
	})
}

// wrongCode returns the error for a code that doesn't set anything up.
func wrongCode() error {
	return apperr.Invalid("/code", "This is not the code that the app shows now. Check that the device's clock is right, "+
		"and try the next code.")
}
