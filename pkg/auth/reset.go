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

// This file sets new passwords for those who forgot theirs.

const (
	// resetBytes is the length of a reset token: 256 bits.
	resetBytes = 32
	// resetLife is how long a token is good, and maxResets how many of an account are good at once.
	resetLife = time.Hour
	maxResets = 5
)

// ForgotPassword makes a link that sets a new password, if the address has an account; the same happens, and takes the
// same time, if it has none. The link goes to the log, since there is no email yet.
func (s *Service) ForgotPassword(ctx context.Context, email string) error {
	key, err := users.EmailKey(email)
	if err != nil {
		key = email // nobody's
	}
	token := make([]byte, resetBytes)
	_, _ = rand.Read(token) // it does not fail. Source: package crypto/rand.
	now := s.now()
	userID, err := s.store.insertReset(ctx, digest(token), key, now, now.Add(resetLife))
	if err != nil || userID == "" {
		return err
	}
	s.auditlog.Record(ctx, auditlog.PasswordForgotten, "", userID)
	// After #, so that no server on the way, ours included, writes the token into its log of requests.
	slog.InfoContext(ctx, "a new password was asked for; pass this link on to the owner of the account",
		"user_id", userID, "valid_for", resetLife.String(),
		"link", s.cfg.BaseURL+"/password/reset#token="+base64.RawURLEncoding.EncodeToString(token))
	return nil
}

// ResetPassword sets the password of the account that a token is for, and ends all its sessions and other tokens.
// BAD_REQUEST for a token that is not good (any more), and for a password that cannot be.
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	if err := checkPassword("/newPassword", password); err != nil {
		return err
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != resetBytes {
		return badReset()
	}
	// Looked at before the hash, which costs much, and again when it is used.
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

// SetPassword sets the password of an account for an operator, and ends all its sessions. BAD_REQUEST for a password
// that cannot be, NotFound for an account that is gone or disabled.
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

// badReset is the response to a token that is not good (any more).
func badReset() error {
	return apperr.Invalid("/token", "This link has been used, has run out, or is not complete. Ask for another one.")
}
