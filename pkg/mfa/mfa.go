// Package mfa implements second factors: what an account requires beside its password to sign in. These are the codes
// of an authenticator app (TOTP), passkeys (WebAuthn), which also replace the password, and the recovery codes for when
// those are lost.
//
// Each code and each challenge works once, on all nodes. Package auth decides when a code is needed, and limits the
// attempts.
package mfa

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/weburl"
)

// Service manages the second factors of accounts. It is safe for concurrent use.
type Service struct {
	store        store
	issuer       string
	relyingParty *webauthn.WebAuthn // nil if the server can't have passkeys
	keys         [][]byte
	now          func() time.Time
}

// New returns a service for the second factors in d of the installation at base, its public address. keys are secrets,
// the same on all nodes: the first makes challenges, all check them. now is the clock.
func New(d *db.DB, base string, keys [][]byte, now func() time.Time) *Service {
	return &Service{store: store{d}, issuer: issuerOf(base), relyingParty: newRelyingParty(base), keys: keys, now: now}
}

// issuerOf returns the name that an app or a device shows for the installation at base: it may know several.
func issuerOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" || weburl.IsLoopback(u.Host) {
		return "Masthead"
	}
	return "Masthead (" + u.Hostname() + ")"
}

// Factors are the second factors of an account.
type Factors struct {
	AppSince      time.Time // when the authenticator app was set up; zero for none
	Passkeys      int
	RecoveryCodes int // those that are left
}

// Required reports whether signing in takes a second factor.
func (f Factors) Required() bool { return !f.AppSince.IsZero() || f.Passkeys > 0 }

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
	return s.remove(ctx, userID, func(ctx context.Context, tx *db.Tx) error { return removeApp(ctx, tx, userID) })
}

// remove removes one second factor and, if it was the last, the recovery codes.
func (s *Service) remove(ctx context.Context, userID string, one func(ctx context.Context, tx *db.Tx) error) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, "second factors of "+userID); err != nil {
			return err
		}
		if err := one(ctx, tx); err != nil {
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
		return errors.Join(
			removeApp(ctx, tx, userID), removePasskeys(ctx, tx, userID), removeRecovery(ctx, tx, userID))
	})
}

// wrongCode returns the error for a code that doesn't set anything up.
func wrongCode() error {
	return apperr.Invalid("/code", "This is not the code that the app shows now. Check that the device's clock is right, "+
		"and try the next code.")
}
