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

// What stands in every access token. The audience is the token's use: a token for another use is no access token.
const (
	issuer         = "masthead"
	accessAudience = "masthead:access"
)

const (
	accessLife    = time.Hour
	leeway        = 30 * time.Second
	maxTokenBytes = 4 << 10
)

// method is the one algorithm.
var method = jwt.SigningMethodHS256

// claims are those of an access token. Its moments are numbers of whole seconds, as we write them; the library's own
// type would take a text with a number in it too.
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

// Validate implements jwt.ClaimsValidator: it demands what the parser's options do not.
func (c claims) Validate() error {
	if c.Subject == "" || c.SessionID == "" || c.ID == "" || c.IssuedAt == nil || c.TokenVersion < 1 {
		return errors.New("a required claim is missing")
	}
	return nil
}

// GetExpirationTime and the others implement jwt.Claims.
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

// key is what one secret gives: keys for each use, so that none says anything about another.
type key struct {
	id      string
	signing []byte
	refresh []byte
	repeats []byte // see [Service.RepeatKeys]
}

func newKey(secret string) (key, error) {
	derive := func(use string) ([]byte, error) {
		return hkdf.Key(sha256.New, []byte(secret), nil, "masthead "+use, sha256.Size)
	}
	signing, err1 := derive("access token, HS256")
	refresh, err2 := derive("refresh token successor")
	repeats, err3 := derive("digests of requests")
	id, err4 := derive("key id")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return key{}, fmt.Errorf("derive the token keys: %w", err)
	}
	return key{id: hex.EncodeToString(id[:8]), signing: signing, refresh: refresh, repeats: repeats}, nil
}

// keyring has the keys of the present secret and, while secrets change, of the one before. The first one signs, all
// verify.
type keyring []key

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

// parse returns the claims of an access token that is ours and good at now, and whether it has expired, which is an
// error unless orExpired. Its errors are for the log.
func (r keyring) parse(text string, now time.Time, orExpired bool) (c claims, expired bool, err error) {
	if len(text) > maxTokenBytes || strings.Count(text, ".") != 2 {
		return claims{}, false, errors.New("not of the form of a token")
	}
	// Claims are judged below, once, against the time that holds for them.
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

// verificationKey is the jwt.Keyfunc: kid picks among our keys, and a header that would bring its own key is refused.
func (r keyring) verificationKey(token *jwt.Token) (any, error) {
	for name := range token.Header {
		if name != "alg" && name != "typ" && name != "kid" {
			return nil, errors.New("a header parameter that is not ours")
		}
	}
	i := slices.IndexFunc(r, func(k key) bool { return k.id == token.Header["kid"] })
	if i < 0 {
		return nil, errors.New("signed with a key that is not ours")
	}
	return r[i].signing, nil
}

// successors returns the refresh tokens that may follow one, a token for each key. They are computed, not kept: within
// the time of grace the holder of the old token gets the very same new one, though only digests are stored.
func (r keyring) successors(token []byte) [][]byte {
	next := make([][]byte, len(r))
	for i, k := range r {
		mac := hmac.New(sha256.New, k.refresh)
		mac.Write(token)
		next[i] = mac.Sum(nil)
	}
	return next
}
