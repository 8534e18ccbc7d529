package auth

import (
	"context"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/mail"
)

// This file implements password resets.

// resetLife is how long a token is valid.
const resetLife = time.Hour

// ForgotPassword sends a link for setting a new password if the address has an account. If not, it does the same work
// in the same time.
func (s *Service) ForgotPassword(ctx context.Context, email string) error {
	userID, err := s.request(ctx, mail.ResetPassword, email)
	if err != nil || userID == "" {
		return err
	}
	s.auditlog.Record(ctx, auditlog.PasswordForgotten, "", userID)
	return nil
}

// ResetPassword sets the password of the account that a token belongs to, and ends all its sessions and other tokens.
// It returns BAD_REQUEST for an invalid or expired token and for an unacceptable password.
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	if err := checkPassword("/newPassword", password); err != nil {
		return err
	}
	raw, err := linkToken(token)
	if err != nil {
		return err
	}
	// Checked before hashing, which is expensive, and again when the token is used.
	userID, err := s.store.reset(ctx, digest(raw), s.now())
	if err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.users.ResetPassword(ctx, userID, hash, func(ctx context.Context, tx *db.Tx) error {
		return useReset(ctx, tx, digest(raw), userID, s.now())
	})
}

// SetPassword sets the password of an account for an operator and ends all its sessions. It returns BAD_REQUEST for
// an unacceptable password, and NotFound if the account was deleted or is disabled.
func (s *Service) SetPassword(ctx context.Context, userID, password string) error {
	if err := checkPassword("/newPassword", password); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.users.ResetPassword(ctx, userID, hash, func(context.Context, *db.Tx) error { return nil })
}
