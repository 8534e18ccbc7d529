package auth

import (
	"cmp"
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/mfa"
)

// Passkeys returns the passkeys of the caller's account.
func (s *Service) Passkeys(ctx context.Context, caller identity.Caller) ([]mfa.Passkey, error) {
	return s.factors.Passkeys(ctx, caller.UserID)
}

// AddPasskeyOptions returns what the browser needs for a new passkey. See [mfa.Service.AddPasskeyOptions].
func (s *Service) AddPasskeyOptions(ctx context.Context, caller identity.Caller) (options []byte, err error) {
	owner, err := s.owner(ctx, caller, "")
	if err != nil {
		return nil, err
	}
	return s.factors.AddPasskeyOptions(ctx, owner)
}

// AddPasskey adds a passkey to the caller's account. If it is the first second factor, all other sessions end, which
// didn't give one. Without a name it is "Passkey". See [mfa.Service.AddPasskey].
func (s *Service) AddPasskey(
	ctx context.Context, caller identity.Caller, name string, credential []byte,
) (added mfa.Passkey, recovery []string, err error) {
	owner, err := s.owner(ctx, caller, name)
	if err != nil {
		return mfa.Passkey{}, nil, err
	}
	added, recovery, err = s.factors.AddPasskey(ctx, owner, credential, func(ctx context.Context, tx *db.Tx) error {
		return factorGiven(ctx, tx, caller.SessionID, caller.UserID, s.now())
	})
	if err != nil {
		return mfa.Passkey{}, nil, err
	}
	s.auditlog.Record(ctx, auditlog.FactorAdded, caller.UserID, "passkey")
	return added, recovery, nil
}

// owner returns the caller as the owner of a new passkey.
func (s *Service) owner(ctx context.Context, caller identity.Caller, name string) (mfa.Owner, error) {
	if _, err := s.confirmed(ctx, caller, "Adding a passkey"); err != nil {
		return mfa.Owner{}, err
	}
	user, err := s.users.Get(ctx, caller)
	if err != nil {
		return mfa.Owner{}, err
	}
	return mfa.Owner{
		UserID: user.ID, SessionID: caller.SessionID, Label: user.Email, Name: cmp.Or(name, "Passkey"),
	}, nil
}

// RemovePasskey removes a passkey of the caller's account. See [mfa.Service.RemovePasskey].
func (s *Service) RemovePasskey(ctx context.Context, caller identity.Caller, id string) error {
	if _, err := s.confirmed(ctx, caller, "Removing a passkey"); err != nil {
		return err
	}
	if err := s.factors.RemovePasskey(ctx, caller.UserID, id); err != nil {
		return err
	}
	s.auditlog.Record(ctx, auditlog.FactorRemoved, caller.UserID, "passkey")
	return nil
}

// PasskeyOptions returns what the browser needs to sign in with a passkey. See [mfa.Service.PasskeyOptions].
func (s *Service) PasskeyOptions() (options []byte, err error) { return s.factors.PasskeyOptions() }

// LoginWithPasskey signs in the owner of a passkey, which counts as password and second factor. Whatever is wrong is
// the same UNAUTHORIZED. See [mfa.Service.UsePasskey].
func (s *Service) LoginWithPasskey(
	ctx context.Context, caller identity.Caller, credential []byte,
) (Session, error) {
	userID, err := s.factors.UsePasskey(ctx, credential)
	if err != nil {
		if apperr.CodeOf(err) == apperr.Unauthorized {
			s.auditlog.Record(ctx, auditlog.LoginFailed, "", "passkey")
		}
		return Session{}, err
	}
	user, err := s.users.ByID(ctx, userID)
	if err != nil {
		return Session{}, err
	}
	if user.Blocked() {
		s.auditlog.Record(ctx, auditlog.LoginFailed, "", user.Email)
		return Session{}, mfa.NotSignedIn("the account is disabled")
	}
	opened, err := s.open(ctx, caller, user, s.now())
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return opened, nil
}
