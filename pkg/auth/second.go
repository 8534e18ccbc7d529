package auth

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/mfa"
	"masthead/pkg/users"
)

// This file decides when the second factor of an account (package mfa) is needed.

// confirmFor is how long after the password and the second factor were given a session may do what can't be undone or
// weakens the account.
const confirmFor = 10 * time.Minute

// secondFactor checks the second factor of an account whose password or link was right. It returns when it was given,
// which is zero if the account has none. A missing or wrong code is Unauthorized, about /code.
func (s *Service) secondFactor(ctx context.Context, user users.User, code string) (given time.Time, err error) {
	factors, err := s.factors.Of(ctx, user.ID)
	if err != nil || !factors.Required() {
		return time.Time{}, err
	}
	if code == "" {
		return time.Time{}, needsCode("This account has a second factor: send code, as the authenticator app shows it, or " +
			"one of the recovery codes; or sign in with a passkey.")
	}
	try, err := s.try(ctx, factorBuckets(user.ID))
	if err != nil {
		return time.Time{}, err
	}
	ok, err := s.factors.Use(ctx, user.ID, code)
	if err != nil {
		return time.Time{}, errors.Join(err, try.undo(db.Detached(ctx)))
	}
	if !ok {
		s.auditlog.Record(ctx, auditlog.FactorFailed, user.ID, user.Email)
		return time.Time{}, needsCode("The code is wrong, or it was used before. Wait for the next code of the app, or use " +
			"a recovery code.")
	}
	return s.now(), try.succeed(ctx)
}

// needsCode returns the error for a missing or wrong code.
func needsCode(detail string) error {
	err := apperr.Invalid("/code", detail)
	err.Code = apperr.Unauthorized
	return err
}

// confirmed returns the caller's session if it gave everything that signing in takes within the last confirmFor, and
// Forbidden otherwise. doing is what it is needed for, such as "Deleting an account".
func (s *Service) confirmed(ctx context.Context, caller identity.Caller, doing string) (session, error) {
	row, err := s.store.session(ctx, caller.SessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return session{}, identity.Gone(err)
	}
	if err != nil {
		return session{}, err
	}
	factors, err := s.factors.Of(ctx, caller.UserID)
	if err != nil {
		return session{}, err
	}
	what, since := "the password", s.ago(row.ConfirmedAt)
	if factors.Required() {
		what, since = "the password and the second factor", max(since, s.ago(row.FactorAt))
	}
	if since > confirmFor {
		return session{}, signInFirst(doing, what)
	}
	return row, nil
}

// confirmedFactor returns Forbidden if the caller's account has a second factor that the session didn't give within
// the last confirmFor: for what takes the password with the request.
func (s *Service) confirmedFactor(ctx context.Context, caller identity.Caller, doing string) error {
	factors, err := s.factors.Of(ctx, caller.UserID)
	if err != nil || !factors.Required() {
		return err
	}
	row, err := s.store.session(ctx, caller.SessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return identity.Gone(err)
	}
	if err == nil && s.ago(row.FactorAt) > confirmFor {
		err = signInFirst(doing, "the second factor")
	}
	return err
}

// ago returns how far a time is from now. One in the future comes from a clock that was wrong, so it proves nothing.
func (s *Service) ago(t time.Time) time.Duration { return s.now().Sub(t).Abs() }

// signInFirst returns the error for a session that didn't give what an action requires.
func signInFirst(doing, what string) error {
	return apperr.New(apperr.Forbidden, doing+" requires a session that gave "+what+" within the last 10 minutes. "+
		"Sign in again (POST /auth/login), and send this request with the new access token.")
}

// Factors returns the second factors of the caller's account.
func (s *Service) Factors(ctx context.Context, caller identity.Caller) (mfa.Factors, error) {
	return s.factors.Of(ctx, caller.UserID)
}

// AddApp begins to set up an authenticator app for the caller's account. See [mfa.Service.AddApp].
func (s *Service) AddApp(ctx context.Context, caller identity.Caller) (mfa.NewApp, error) {
	if _, err := s.confirmed(ctx, caller, "Setting up a second factor"); err != nil {
		return mfa.NewApp{}, err
	}
	user, err := s.users.Get(ctx, caller)
	if err != nil {
		return mfa.NewApp{}, err
	}
	return s.factors.AddApp(ctx, caller.UserID, user.Email)
}

// ConfirmApp requires the authenticator app from now on, and ends all other sessions, which didn't give a second
// factor. See [mfa.Service.ConfirmApp].
func (s *Service) ConfirmApp(ctx context.Context, caller identity.Caller, code string) (recovery []string, err error) {
	if _, err := s.confirmed(ctx, caller, "Setting up a second factor"); err != nil {
		return nil, err
	}
	try, err := s.try(ctx, factorBuckets(caller.UserID))
	if err != nil {
		return nil, err
	}
	recovery, err = s.factors.ConfirmApp(ctx, caller.UserID, code, func(ctx context.Context, tx *db.Tx) error {
		return factorGiven(ctx, tx, caller.SessionID, caller.UserID, s.now())
	})
	if apperr.CodeOf(err) == apperr.BadRequest {
		return nil, err // a wrong code: the attempt counts
	}
	if err != nil {
		return nil, errors.Join(err, try.undo(db.Detached(ctx)))
	}
	s.auditlog.Record(ctx, auditlog.FactorAdded, caller.UserID, "authenticator app")
	return recovery, try.succeed(ctx)
}

// RemoveApp removes the authenticator app of the caller's account, if it has one.
func (s *Service) RemoveApp(ctx context.Context, caller identity.Caller) error {
	if _, err := s.confirmed(ctx, caller, "Removing a second factor"); err != nil {
		return err
	}
	if err := s.factors.RemoveApp(ctx, caller.UserID); err != nil {
		return err
	}
	s.auditlog.Record(ctx, auditlog.FactorRemoved, caller.UserID, "authenticator app")
	return nil
}

// RenewRecoveryCodes replaces the recovery codes of the caller's account. See [mfa.Service.RenewRecoveryCodes].
func (s *Service) RenewRecoveryCodes(ctx context.Context, caller identity.Caller) (codes []string, err error) {
	if _, err := s.confirmed(ctx, caller, "Renewing the recovery codes"); err != nil {
		return nil, err
	}
	if codes, err = s.factors.RenewRecoveryCodes(ctx, caller.UserID); err != nil {
		return nil, err
	}
	s.auditlog.Record(ctx, auditlog.FactorAdded, caller.UserID, "recovery codes")
	return codes, nil
}

// RemoveFactors removes all second factors of an account whose owner has lost them, for the operator's command line.
func (s *Service) RemoveFactors(ctx context.Context, user users.User) error {
	if err := s.factors.Remove(ctx, user.ID); err != nil {
		return err
	}
	s.auditlog.Record(ctx, auditlog.FactorRemoved, user.ID, "all, by the operator")
	return nil
}
