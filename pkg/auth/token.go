package auth

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
)

// Values in every access token. The audience is the token's purpose, so tokens for other purposes aren't accepted.
const (
	issuer         = "masthead"
	accessAudience = "masthead:access"
)

const (
	accessLife    = time.Hour
	leeway        = 30 * time.Second
	maxTokenBytes = 4 << 10
)

// method is the only accepted algorithm.
var method = jwt.SigningMethodHS256

// claims are the claims of an access token. Times are whole seconds, as we write them; the library's own type would
// also accept numbers in strings.
type claims struct {
	Issuer       string           `json:"iss"`
	Audience     jwt.ClaimStrings `json:"aud"`
	Subject      string           `json:"sub"`
	ID           string           `json:"jti"`
	IssuedAt     *int64           `json:"iat"`
	NotBefore    *int64           `json:"nbf"`
	ExpiresAt    *int64           `json:"exp"`
	SessionID    string           `json:"sid"`
	TokenVersion int64            `json:"token_version"`
}

// Validate implements jwt.ClaimsValidator. It checks what the parser's options don't.
func (c claims) Validate() error {
	if c.Subject == "" || c.SessionID == "" || c.ID == "" || c.IssuedAt == nil || c.TokenVersion < 1 {
		return errors.New("a required claim is missing")
	}
	return nil
}

// GetExpirationTime implements jwt.Claims.
func (c claims) GetExpirationTime() (*jwt.NumericDate, error) { return numericDate(c.ExpiresAt), nil }

// GetIssuedAt implements jwt.Claims.
func (c claims) GetIssuedAt() (*jwt.NumericDate, error) { return numericDate(c.IssuedAt), nil }

// GetNotBefore implements jwt.Claims.
func (c claims) GetNotBefore() (*jwt.NumericDate, error) { return numericDate(c.NotBefore), nil }

// GetIssuer implements jwt.Claims.
func (c claims) GetIssuer() (string, error) { return c.Issuer, nil }

// GetSubject implements jwt.Claims.
func (c claims) GetSubject() (string, error) { return c.Subject, nil }

// GetAudience implements jwt.Claims.
func (c claims) GetAudience() (jwt.ClaimStrings, error) { return c.Audience, nil }

func numericDate(seconds *int64) *jwt.NumericDate {
	if seconds == nil {
		return nil
	}
	return jwt.NewNumericDate(time.Unix(*seconds, 0))
}

// key has the keys derived from one secret, one per purpose, so that none reveals another.
type key struct {
	id        string
	signing   []byte
	refresh   []byte
	repeats   []byte // see [Service.RepeatKeys]
	challenge []byte // of passkeys: see [mfa.New]
	progress  []byte // of sign-ins at the provider
	setup     []byte // of the first admin: see [Service.SetupToken]
}

func newKey(secret string) (key, error) {
	derive := func(use string) ([]byte, error) {
		return hkdf.Key(sha256.New, []byte(secret), nil, "masthead "+use, sha256.Size)
	}
	signing, err1 := derive("access token, HS256")
	refresh, err2 := derive("refresh token successor")
	repeats, err3 := derive("digests of requests")
	id, err4 := derive("key id")
	challenge, err5 := derive("challenges of passkeys")
	progress, err6 := derive("sign-ins at a provider")
	setup, err7 := derive("the first admin")
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		return key{}, fmt.Errorf("derive the token keys: %w", err)
	}
	return key{
		id: hex.EncodeToString(id[:8]), signing: signing, refresh: refresh, repeats: repeats, challenge: challenge,
		progress: progress, setup: setup,
	}, nil
}

// keyring has the keys of the current secret and, during a change of secrets, of the previous one. The first signs,
// all verify.
type keyring []key

// each returns one of the keys of each secret.
func (ring keyring) each(of func(key) []byte) (keys [][]byte) {
	for _, k := range ring {
		keys = append(keys, of(k))
	}
	return keys
}

func newKeyring(secrets ...string) (keyring, error) {
	var ring keyring
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		k, err := newKey(secret)
		if err != nil {
			return nil, err
		}
		ring = append(ring, k)
	}
	return ring, nil
}

// sign returns the access token of a session.
func (r keyring) sign(userID, sessionID string, tokenVersion int64, now time.Time) (string, error) {
	at, end := now.Unix(), now.Add(accessLife).Unix()
	token := jwt.NewWithClaims(method, claims{
		Issuer: issuer, Audience: jwt.ClaimStrings{accessAudience}, Subject: userID, ID: uuid.NewString(),
		IssuedAt: &at, NotBefore: &at, ExpiresAt: &end,
		SessionID: sessionID, TokenVersion: tokenVersion,
	})
	token.Header["kid"] = r[0].id
	text, err := token.SignedString(r[0].signing)
	if err != nil {
		return "", fmt.Errorf("sign an access token: %w", err)
	}
	return text, nil
}

// parse returns the claims of an access token that is valid at now, and whether it has expired, which is an error
// unless orExpired is set. Its errors are only logged.
func (r keyring) parse(text string, now time.Time, orExpired bool) (c claims, expired bool, err error) {
	if len(text) > maxTokenBytes || strings.Count(text, ".") != 2 {
		return claims{}, false, errors.New("not in the format of a token")
	}
	// Claims are checked below, once, against the given time.
	parser := jwt.NewParser(jwt.WithValidMethods([]string{method.Alg()}), jwt.WithStrictDecoding(),
		jwt.WithoutClaimsValidation())
	if _, err := parser.ParseWithClaims(text, &c, r.verificationKey); err != nil {
		return claims{}, false, err
	}
	at := now
	if c.ExpiresAt != nil {
		if end := time.Unix(*c.ExpiresAt, 0); !now.Before(end.Add(leeway)) {
			expired = true
			if orExpired {
				at = end
			}
		}
	}
	validator := jwt.NewValidator(jwt.WithIssuer(issuer), jwt.WithAudience(accessAudience),
		jwt.WithExpirationRequired(), jwt.WithNotBeforeRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(func() time.Time { return at }))
	if err := validator.Validate(c); err != nil {
		return claims{}, false, err
	}
	return c, expired, nil
}

// verificationKey is the jwt.Keyfunc. kid selects one of our keys; tokens whose header contains a key are rejected.
func (r keyring) verificationKey(token *jwt.Token) (any, error) {
	for name := range token.Header {
		if name != "alg" && name != "typ" && name != "kid" {
			return nil, errors.New("an unknown header parameter")
		}
	}
	i := slices.IndexFunc(r, func(k key) bool { return k.id == token.Header["kid"] })
	if i < 0 {
		return nil, errors.New("signed with an unknown key")
	}
	return r[i].signing, nil
}

// successors returns the possible successors of a refresh token, one per key. They are computed instead of stored:
// during the grace period, the holder of the old token gets the same new one, although only digests are stored.
func (r keyring) successors(token []byte) [][]byte {
	next := make([][]byte, len(r))
	for i, k := range r {
		mac := hmac.New(sha256.New, k.refresh)
		mac.Write(token)
		next[i] = mac.Sum(nil)
	}
	return next
}
