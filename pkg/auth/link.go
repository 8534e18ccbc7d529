package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/mail"
	"masthead/pkg/users"
)

// This file implements the links in mails: they confirm an address, sign in, reset a password (reset.go), or change an
// address (email.go).

const (
	// linkBytes is the length of a token: 256 bits.
	linkBytes = 32
	// confirmLife and signInLife are how long a link that signs in is valid. Source: docs/security.md#mail.
	confirmLife = 7 * 24 * time.Hour
	signInLife  = 30 * time.Minute
)

// sendsMail reports whether new addresses must be confirmed.
func (s *Service) sendsMail() bool { return s.mail != nil && s.mail.Enabled() }

// askToConfirm sends the owner of an account a link that confirms the address, if mail is sent.
func (s *Service) askToConfirm(ctx context.Context, tx *db.Tx, user users.User) error {
	if !s.sendsMail() {
		return nil
	}
	return s.mail.Send(ctx, tx, mail.Message{Kind: mail.ConfirmAddress, AccountID: user.ID, EventID: db.NewID()})
}

// RequestLink sends a link that signs in if the address has an account. If not, it does the same work in the same time.
func (s *Service) RequestLink(ctx context.Context, email string) error {
	_, err := s.request(ctx, mail.SignInLink, email)
	return err
}

// request sends a mail with a link to the account with an address, and returns the account's ID, "" if there is none.
func (s *Service) request(ctx context.Context, kind mail.Kind, email string) (userID string, err error) {
	key, err := users.EmailKey(email)
	if err != nil {
		key = email // matches no account
	}
	return s.mail.Request(ctx, kind, key)
}

// Links creates the links of mails. It isn't part of [Service], which needs a [mail.Service], which needs Links.
type Links struct{}

// NewLink implements [mail.Links].
func (Links) NewLink(
	ctx context.Context, tx *db.Tx, kind mail.Kind, userID, change string,
) (token string, expires time.Time, err error) {
	raw := make([]byte, linkBytes)
	_, _ = rand.Read(raw) // never fails: see package crypto/rand
	now := time.Now()
	switch kind {
	case mail.ResetPassword:
		expires = now.Add(resetLife)
		err = insertReset(ctx, tx, digest(raw), userID, expires)
	case mail.ConfirmAddress, mail.SignInLink:
		expires = now.Add(signInLife)
		if kind == mail.ConfirmAddress {
			expires = now.Add(confirmLife)
		}
		err = insertLink(ctx, tx, digest(raw), userID, expires)
	case mail.NewAddress, mail.AddressChange:
		expires, err = insertChangeLink(ctx, tx, digest(raw), change, kind == mail.NewAddress, now)
	default:
		err = fmt.Errorf("mails of kind %q have no link", kind)
	}
	if err != nil {
		return "", time.Time{}, err
	}
	return base64.RawURLEncoding.EncodeToString(raw), expires, nil
}

// UseLink signs in the owner of a link's token and confirms the address that it was sent to. The token works once. It
// returns BAD_REQUEST for an invalid or expired one. It replaces the password, not the second factor: see
// [Service.Login] for code. A token without the right code can be used again.
func (s *Service) UseLink(ctx context.Context, caller identity.Caller, token, code string) (Session, error) {
	raw, err := linkToken(token)
	if err != nil {
		return Session{}, err
	}
	ownerID, err := s.store.ownerOfLink(ctx, digest(raw), s.now())
	if err != nil {
		return Session{}, err
	}
	user, err := s.users.ByID(ctx, ownerID)
	if err != nil {
		return Session{}, err
	}
	factorAt, err := s.secondFactor(ctx, user, code)
	if err != nil {
		return Session{}, err
	}
	var row session
	restored, refresh := !user.DeletingAt.IsZero(), newRefreshToken()
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		userID, err := useLink(ctx, tx, digest(raw), s.now())
		if err != nil {
			return err
		}
		if user, err = s.users.Confirm(ctx, tx, userID); err != nil {
			return err
		}
		if user, err = s.users.Restore(ctx, tx, user); err != nil {
			return err
		}
		row = s.newSession(caller, user, factorAt)
		if err := insertSession(ctx, tx, row, digest(refresh)); err != nil {
			return err
		}
		return s.notePlace(ctx, tx, caller, row)
	})
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	opened, err := s.issue(row, user, refresh)
	opened.Restored = restored
	return opened, err
}

// linkToken returns the bytes of a link's token, or BAD_REQUEST.
func linkToken(token string) ([]byte, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != linkBytes {
		return nil, badLink()
	}
	return raw, nil
}

// badLink returns the error for an invalid or expired token.
func badLink() error {
	return apperr.Invalid("/token", "This link has been used, has expired, or is incomplete. Request another one.")
}
