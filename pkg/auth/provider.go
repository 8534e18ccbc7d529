package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/oidc"
	"masthead/pkg/users"
)

// This file signs people in with an OpenID Connect provider (package oidc). An identity at the provider belongs to one
// account. It gets a new account if no account has its address, and joins an existing one only with that account's
// password or a link that was mailed to it. A second factor is always asked for here.

const (
	// providerCookie has a sign-in that has begun, for one browser: see progress.
	providerCookie = "masthead_oidc"
	// providerLife is how long it can be finished.
	providerLife = 10 * time.Minute
	// maxProviderCookie bounds the cookie, in bytes.
	maxProviderCookie = 4 << 10
	// completePage asks for what is missing, and restoredPage says that the account, which was deleted, is back.
	completePage = "/sign-in/complete"
	restoredPage = "/dashboard/settings?done=restored"
	// nameLength is the maximum length of a name that a provider reports, in characters.
	nameLength = 100
)

// progress is a sign-in at the provider. Its browser keeps it in a cookie, sealed: nobody else can finish it, and
// nothing is stored before it is.
type progress struct {
	Attempt oidc.Attempt   `json:"attempt,omitzero"` // until the provider has sent the browser back
	Who     *oidc.Identity `json:"who,omitempty"`    // from then on, if a password or a code is missing
	Known   bool           `json:"known,omitempty"`  // whether Who had an account then: if so, the code alone is missing
	Next    string         `json:"next"`             // the path to go to in the end
	Ends    int64          `json:"ends"`             // in seconds since 1970
}

// Redirect is where a browser goes next, and the cookie that it gets, if any.
type Redirect struct {
	To     string
	Cookie *http.Cookie
}

// BeginProvider returns the redirect to the provider. next is the path to go to in the end. It returns NotFound if
// there is no provider, and BAD_REQUEST if next isn't a path of this service.
func (s *Service) BeginProvider(ctx context.Context, next string) (Redirect, error) {
	if err := s.hasProvider(); err != nil {
		return Redirect{}, err
	}
	if !isPath(next) {
		return Redirect{}, apperr.Invalid("/next", "next must be a path of this service, such as /dashboard.")
	}
	to, attempt, err := s.provider.Begin(ctx)
	if err != nil {
		return Redirect{}, err
	}
	cookie, err := s.seal(progress{Attempt: attempt, Next: next})
	return Redirect{To: to, Cookie: cookie}, err
}

// isPath reports whether text is an absolute path that no browser takes for another host.
func isPath(text string) bool {
	u, err := url.Parse(text)
	return err == nil && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && u.Host == "" &&
		u.Scheme == "" && !strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || r <= ' ' || r == 0x7f })
}

// Answer is what the provider sends the browser back with.
type Answer struct {
	Cookie, State, Code, Error string
}

// FinishProvider signs in whom the provider names, or asks for what is missing: the redirect then leads to the page
// that does. It returns BAD_REQUEST for an answer to a sign-in that this browser hasn't begun, Forbidden if the
// provider or this service refuses the person, and UPSTREAM_FAILED for an answer that can't be verified.
func (s *Service) FinishProvider(ctx context.Context, caller identity.Caller, a Answer) (Redirect, error) {
	if err := s.hasProvider(); err != nil {
		return Redirect{}, err
	}
	begun, err := s.unseal(a.Cookie)
	if err != nil {
		return Redirect{}, err
	}
	if begun.Attempt.State == "" || subtle.ConstantTimeCompare([]byte(begun.Attempt.State), []byte(a.State)) != 1 {
		return Redirect{}, startAgain()
	}
	if a.Error != "" || a.Code == "" {
		return Redirect{}, apperr.New(apperr.Forbidden, "The provider didn't sign you in. Start again, or use your password.")
	}
	who, err := s.provider.Finish(ctx, begun.Attempt, a.Code)
	if err != nil {
		s.auditlog.Record(ctx, auditlog.LoginFailed, "", "provider")
		return Redirect{}, err
	}
	opened, err := s.enter(ctx, caller, who)
	if missing := (*incompleteError)(nil); errors.As(err, &missing) {
		cookie, err := s.seal(progress{Who: &who, Known: missing.known, Next: begun.Next})
		ask := "password"
		if missing.known {
			ask = "code"
		}
		return Redirect{To: completePage + "?" + url.Values{"ask": {ask}, "next": {begun.Next}}.Encode(), Cookie: cookie}, err
	}
	if err != nil {
		return Redirect{}, err
	}
	if opened.Restored {
		begun.Next = restoredPage
	}
	return Redirect{To: begun.Next, Cookie: opened.Cookie}, nil
}

// incompleteError means that the provider isn't enough to sign in.
type incompleteError struct{ known bool }

// Error implements error.
func (*incompleteError) Error() string { return "a password or a code is missing" }

// enter signs an identity in to its account, or to a new one. It returns an incompleteError if the account has a second
// factor, or if an account that it doesn't belong to has its address.
func (s *Service) enter(ctx context.Context, caller identity.Caller, who oidc.Identity) (Session, error) {
	user, known, err := s.ownerOf(ctx, who)
	if err != nil {
		return Session{}, err
	}
	if known {
		factorAt, err := s.secondFactor(ctx, user, "")
		if apperr.CodeOf(err) == apperr.Unauthorized {
			return Session{}, &incompleteError{known: true}
		}
		if err != nil {
			return Session{}, err
		}
		return s.openFor(ctx, caller, user, factorAt, who)
	}
	if who.Email == "" {
		return Session{}, apperr.New(apperr.Forbidden, "The provider doesn't report a verified email address of yours. "+
			"Verify it there, or sign in with your password.")
	}
	key, err := users.EmailKey(who.Email)
	if err != nil {
		return Session{}, apperr.Wrap(apperr.Forbidden, "The provider reports an address that can't be used here.", err)
	}
	switch _, _, err := s.users.Credentials(ctx, key); {
	case err == nil:
		return Session{}, &incompleteError{}
	case apperr.CodeOf(err) != apperr.NotFound:
		return Session{}, err
	}
	return s.registerIdentity(ctx, caller, who)
}

// registerIdentity creates an account without a password for an identity, and signs it in.
func (s *Service) registerIdentity(ctx context.Context, caller identity.Caller, who oidc.Identity) (Session, error) {
	if s.writable != nil {
		if err := s.writable(ctx); err != nil {
			return Session{}, err
		}
	}
	registration, err := s.registration("")
	if err != nil {
		return Session{}, err
	}
	var first session
	token := newRefreshToken()
	user, err := s.users.Create(ctx, users.NewUser{
		Email: who.Email, Name: cleantext.Clean(who.Name, nameLength), Registration: registration,
		AdminOnly: s.cfg.Registration == registrationClosed,
		Along: func(ctx context.Context, tx *db.Tx, made users.User) error {
			if err := useIdentity(ctx, tx, who, made.ID, s.now()); err != nil {
				return err
			}
			first = s.newSession(caller, made, time.Time{})
			if err := insertSession(ctx, tx, first, digest(token)); err != nil {
				return err
			}
			return s.notePlace(ctx, tx, caller, first)
		},
	})
	if apperr.CodeOf(err) == apperr.Conflict {
		return Session{}, &incompleteError{} // registered concurrently
	}
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return s.issue(first, user, token)
}

// Proof is what the provider alone doesn't show.
type Proof struct {
	Password string // of the account that has the identity's address
	Token    string // of a link that was mailed to it, in place of the password
	Code     string // of the second factor
}

// CompleteProvider signs in whom the provider has named, with what was missing. An identity without an account joins
// the one with its address. It returns BAD_REQUEST if this browser hasn't signed in at the provider, and Unauthorized
// about the field of p that is missing or wrong.
func (s *Service) CompleteProvider(
	ctx context.Context, caller identity.Caller, cookie string, p Proof,
) (Session, error) {
	if err := s.hasProvider(); err != nil {
		return Session{}, err
	}
	begun, err := s.unseal(cookie)
	if err != nil {
		return Session{}, err
	}
	if begun.Who == nil {
		return Session{}, startAgain()
	}
	who := *begun.Who
	user, known, err := s.ownerOf(ctx, who)
	if err != nil {
		return Session{}, err
	}
	if known != begun.Known {
		return Session{}, startAgain()
	}
	if !known {
		if user, err = s.prove(ctx, caller, who, p); err != nil {
			return Session{}, err
		}
	}
	factorAt, err := s.secondFactor(ctx, user, p.Code)
	if err != nil {
		return Session{}, err
	}
	if known {
		return s.openFor(ctx, caller, user, factorAt, who)
	}
	return s.join(ctx, caller, user, factorAt, who, p)
}

// prove returns the account with an identity's address if p has its password or a link that was sent to it.
func (s *Service) prove(
	ctx context.Context, caller identity.Caller, who oidc.Identity, p Proof,
) (users.User, error) {
	if p.Token != "" {
		key, err := users.EmailKey(who.Email)
		if err != nil {
			return users.User{}, startAgain()
		}
		user, _, err := s.users.Credentials(ctx, key)
		if apperr.CodeOf(err) == apperr.NotFound {
			return users.User{}, badLink()
		}
		if err != nil {
			return users.User{}, err
		}
		raw, err := linkToken(p.Token)
		if err != nil {
			return users.User{}, err
		}
		owner, err := s.store.ownerOfLink(ctx, digest(raw), s.now())
		if err == nil && (owner != user.ID || user.ConfirmedAt.IsZero()) {
			// Somebody else may have registered the address: its password must be replaced first.
			err = badLink()
		}
		return user, err
	}
	if p.Password == "" {
		return users.User{}, about("/password", "An account has this address. Send its password once, to sign in to it with "+
			"the provider from now on; or the token of a link of POST /auth/link.")
	}
	user, err := s.checkPassword(ctx, caller, who.Email, p.Password)
	if apperr.CodeOf(err) == apperr.Unauthorized {
		return users.User{}, about("/password", "The password is wrong.")
	}
	return user, err
}

// about returns Unauthorized about a field.
func about(pointer, detail string) error {
	err := apperr.Invalid(pointer, detail)
	err.Code = apperr.Unauthorized
	return err
}

// join makes an identity that of an account, which has its address, and signs it in.
func (s *Service) join(
	ctx context.Context, caller identity.Caller, user users.User, factorAt time.Time, who oidc.Identity, p Proof,
) (Session, error) {
	key, err := users.EmailKey(who.Email)
	if err != nil {
		return Session{}, startAgain()
	}
	opened, err := s.openWith(ctx, caller, user, factorAt, func(
		ctx context.Context, tx *db.Tx, user users.User,
	) (users.User, error) {
		if err := holdsAddress(ctx, tx, user.ID, key); err != nil {
			return users.User{}, err
		}
		if p.Token != "" {
			raw, err := linkToken(p.Token)
			if err != nil {
				return users.User{}, err
			}
			if _, err := useLink(ctx, tx, digest(raw), s.now()); err != nil {
				return users.User{}, err
			}
		}
		if err := useIdentity(ctx, tx, who, user.ID, s.now()); err != nil {
			return users.User{}, err
		}
		if err := s.auditlog.RecordIn(ctx, tx, auditlog.ProviderJoined, user.ID, who.Issuer); err != nil {
			return users.User{}, err
		}
		return s.users.Confirm(ctx, tx, user.ID) // the provider has verified the address
	})
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return opened, nil
}

// openFor signs in the account of an identity.
func (s *Service) openFor(
	ctx context.Context, caller identity.Caller, user users.User, factorAt time.Time, who oidc.Identity,
) (Session, error) {
	opened, err := s.openWith(ctx, caller, user, factorAt, func(
		ctx context.Context, tx *db.Tx, user users.User,
	) (users.User, error) {
		return user, useIdentity(ctx, tx, who, user.ID, s.now())
	})
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return opened, nil
}

// ownerOf returns the account of an identity; known is false if it has none. An account that an operator has disabled
// is Forbidden.
func (s *Service) ownerOf(ctx context.Context, who oidc.Identity) (user users.User, known bool, err error) {
	id, err := s.store.identityOwner(ctx, who)
	if err != nil || id == "" {
		return users.User{}, false, err
	}
	if user, err = s.users.ByID(ctx, id); err != nil {
		return users.User{}, false, err
	}
	if user.Blocked() {
		s.auditlog.Record(ctx, auditlog.LoginFailed, "", user.Email)
		return users.User{}, false, apperr.New(apperr.Forbidden,
			"This account is disabled. Ask the operator of this service.")
	}
	return user, true, nil
}

func (s *Service) hasProvider() error {
	if s.provider == nil {
		return apperr.New(apperr.NotFound, "This service has no sign-in with a provider.")
	}
	return nil
}

// startAgain returns the error for a sign-in that this browser hasn't begun, or that took too long.
func startAgain() error {
	return apperr.New(apperr.BadRequest, "This browser has no sign-in to finish, or it was finished already, or took "+
		"more than 10 minutes. Start again with GET /auth/oidc.")
}

// seal returns the cookie of a sign-in that ends in providerLife.
func (s *Service) seal(p progress) (*http.Cookie, error) {
	p.Ends = s.now().Add(providerLife).Unix()
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("seal a sign-in: %w", err)
	}
	cookie := s.newCookie("", int(providerLife/time.Second)) //nolint:gosec // it has the attributes of the session's
	cookie.Name = providerCookie
	cookie.Value = base64.RawURLEncoding.EncodeToString(text) + "." +
		base64.RawURLEncoding.EncodeToString(sealOf(s.keys[0].progress, text))
	if len(cookie.Value) > maxProviderCookie {
		return nil, startAgain()
	}
	return cookie, nil
}

// unseal returns the sign-in of a cookie, or BAD_REQUEST.
func (s *Service) unseal(value string) (p progress, err error) {
	encoded, signature, _ := strings.Cut(value, ".")
	text, err1 := base64.RawURLEncoding.Strict().DecodeString(encoded)
	given, err2 := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err1 != nil || err2 != nil || len(value) > maxProviderCookie {
		return progress{}, startAgain()
	}
	for _, key := range s.keys.each(func(k key) []byte { return k.progress }) {
		if !hmac.Equal(given, sealOf(key, text)) {
			continue
		}
		if err := json.Unmarshal(text, &p); err != nil {
			return progress{}, fmt.Errorf("read a sign-in: %w", err)
		}
		if left := time.Unix(p.Ends, 0).Sub(s.now()); left > 0 && left <= providerLife {
			return p, nil
		}
	}
	return progress{}, startAgain()
}

func sealOf(key, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return h.Sum(nil)
}
