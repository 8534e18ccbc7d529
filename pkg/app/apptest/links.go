package apptest

import (
	"database/sql"
	"errors"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/identity"
)

// ID is the id of the account of a session.
func (s *Service) ID(session Session) string {
	s.t.Helper()
	return s.Get("/users/me", Bearer(session.Access)).Want(http.StatusOK).Text("id")
}

// ResetLink requests a link for a new password and returns it.
func (s *Service) ResetLink(session Session) string {
	s.t.Helper()
	return s.ResetLinkOf(s.ID(session), session.Email)
}

// ResetLinkOf is [Service.ResetLink] for an account that isn't signed in; "" if no link is sent.
func (s *Service) ResetLinkOf(id, email string) string {
	s.t.Helper()
	before := s.LastMail(id, "reset_password")
	s.Post("/auth/password/forgot", map[string]any{"email": email}).Want(http.StatusAccepted)
	if after := s.LastMail(id, "reset_password"); after != before {
		return s.LinkOf(after)
	}
	return ""
}

// ResetToken is the token of a [Service.ResetLink].
func (s *Service) ResetToken(session Session) string {
	s.t.Helper()
	_, token, _ := strings.Cut(s.ResetLink(session), "#token=")
	return token
}

// SignInToken requests a link that signs in, and returns its token.
func (s *Service) SignInToken(session Session) string {
	s.t.Helper()
	return s.SignInTokenOf(s.ID(session), session.Email)
}

// SignInTokenOf is [Service.SignInToken] of an account that nobody is signed in to.
func (s *Service) SignInTokenOf(id, email string) string {
	s.t.Helper()
	s.Post("/auth/link", map[string]any{"email": email}).Want(http.StatusAccepted)
	_, token, _ := strings.Cut(s.LinkOf(s.LastMail(id, "sign_in_link")), "#token=")
	return token
}

// LastMail is the id of the newest mail of a kind to an account; "" if there is none.
func (s *Service) LastMail(accountID, kind string) (id string) {
	s.t.Helper()
	err := s.App.DB.Get(s.t.Context(), &id,
		`SELECT id FROM mails WHERE user_id = ? AND kind = ? ORDER BY id DESC LIMIT 1`, accountID, kind)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		s.t.Fatal(err)
	}
	return id
}

// LinkOf creates the link of a mail that waits, as an admin does.
func (s *Service) LinkOf(mailID string) string {
	s.t.Helper()
	link, _, err := s.App.Mail.ShowLink(s.t.Context(), identity.Caller{Admin: true}, mailID)
	if err != nil {
		s.t.Fatal(err)
	}
	return link
}

// T is the test that the service belongs to. It panics for a benchmark.
func (s *Service) T() *testing.T { return s.t.(*testing.T) } //nolint:forcetypeassert // see above
