package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/users"
)

// This file implements password resets.

const (
	// resetBytes is the length of a reset token: 256 bits.
	resetBytes = 32
	// resetLife is how long a token is valid; maxResets is how many tokens of an account may be valid at once.
	resetLife = time.Hour
	maxResets = 5
)

// ForgotPassword creates a link for setting a new password if the address has an account. If not, it does the same
// work in the same time. The link is written to the log, since there is no email yet.
func (s *Service) ForgotPassword(ctx context.Context, email string) error {
	key, err := users.EmailKey(email)
	if err != nil {
		key = email // matches no account
	}
	token := make([]byte, resetBytes)
	_, _ = rand.Read(token) // never fails: see package crypto/rand
	now := s.now()
	userID, err := s.store.insertReset(ctx, digest(token), key, now, now.Add(resetLife))
	if err != nil || userID == "" {
		return err
	}
	s.auditlog.Record(ctx, auditlog.PasswordForgotten, "", userID)
	// The token goes after #, so that no server, including ours, writes it to its access log.
	slog.InfoContext(ctx, "password reset requested; send this link to the owner of the account",
		"user_id", userID, "valid_for", resetLife.String(),
		"link", s.cfg.BaseURL+"/password/reset#token="+base64.RawURLEncoding.EncodeToString(token))
	return nil
}

// ResetPassword sets the password of the account that a token belongs to, and ends all its sessions and other tokens.
// It returns BAD_REQUEST for an invalid or expired token and for an unacceptable password.
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	if err := checkPassword("/newPassword", password); err != nil {
		return err
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != resetBytes {
		return badReset()
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

// badReset returns the error for an invalid or expired token.
func badReset() error {
	return apperr.Invalid("/token", "This link has been used, has expired, or is incomplete. Request another one.")
}
