package auth

import (
	"errors"
	"fmt"
	"strings"
)

// Registration settings.
const (
	registrationOpen   = "open"
	registrationClosed = "closed"
)

// minSecretBytes is the minimum length of a secret. Source: RFC 7518, 3.2: a key for HS256 must be at least as long
// as its hash.
const minSecretBytes = 32

// Config has the operator's settings for accounts and sessions.
type Config struct {
	// Secret signs tokens; all nodes share it. It is empty only until the program has generated one (see Validate).
	Secret string `name:"jwt-secret" env:"MASTHEAD_JWT_SECRET" placeholder:"…" help:"Secret that signs access tokens, at least 32 random bytes. Generated at the first start with SQLite; required with Postgres, the same on every node."`
	// PreviousSecret only verifies tokens, until the new secret has reached all nodes and old tokens have expired.
	PreviousSecret string `name:"jwt-secret-previous" env:"MASTHEAD_JWT_SECRET_PREVIOUS" placeholder:"…" help:"The previous signing secret. Its tokens stay valid while nodes change to the new one."`
	// Registration is open (the default) or closed.
	Registration string `name:"registration" env:"MASTHEAD_REGISTRATION" default:"open" help:"open, or closed: only the first account can register."`

	// AdminFactor requires a second factor of admins: without one they are ordinary accounts.
	AdminFactor bool `name:"admin-second-factor" env:"MASTHEAD_ADMIN_SECOND_FACTOR" help:"Admins need a second factor: without one they can set one up, but not use the operations for admins."`

	// Loopback means that only this machine can reach the service. The first account is then the admin without a
	// setup token: see [Service.SetupToken].
	Loopback bool `kong:"-"`
	// BaseURL is the public address for links.
	BaseURL string `kong:"-"`
	// SecureCookie restricts the cookie to https. It is set if the public address is https.
	SecureCookie bool `kong:"-"`
	// CheapHashes makes password hashes at next to no cost, for tests that register accounts without testing passwords.
	CheapHashes bool `kong:"-"`
}

// Validate reports all invalid settings by variable name. It accepts a missing secret, which [New] rejects.
func (c Config) Validate() error {
	var faults []error
	if fault := weakness(c.Secret); c.Secret != "" && fault != "" {
		faults = append(faults, fmt.Errorf(
			"MASTHEAD_JWT_SECRET %s: it must have at least 32 random bytes as it is given, such as those of "+
				"`openssl rand -base64 32`", fault))
	}
	if fault := weakness(c.PreviousSecret); c.PreviousSecret != "" && fault != "" {
		faults = append(faults, fmt.Errorf(
			"MASTHEAD_JWT_SECRET_PREVIOUS %s: it must be empty or the whole secret that was used before", fault))
	}
	if c.Registration != "" && c.Registration != registrationOpen && c.Registration != registrationClosed {
		faults = append(faults, errors.New("MASTHEAD_REGISTRATION must be open or closed"))
	}
	return errors.Join(faults...)
}

// weakness returns why a secret can't be 32 random bytes, as a phrase that follows its name, or "" if it can. It
// judges the bytes as given, without decoding them.
func weakness(secret string) string {
	if len(secret) < minSecretBytes {
		return fmt.Sprintf("is too short, with %d bytes", len(secret))
	}
	if repeats(secret) {
		return "repeats itself"
	}
	// Fewer than 8 different bytes are typed by hand: of 10^7 secrets of 32 random hex digits, none had so few.
	different := map[byte]bool{}
	for i := range len(secret) {
		different[secret[i]] = true
	}
	if len(different) < 8 {
		return "repeats a few characters"
	}
	lower := strings.ToLower(secret)
	for _, word := range []string{"change", "secret", "default", "example", "password", "masthead", "1234567890",
		"abcdefgh"} {
		if strings.Contains(lower, word) {
			return "is not random"
		}
	}
	return ""
}

// repeats reports whether s repeats a part of at most half its length. The last repetition may be incomplete.
func repeats(s string) bool {
	for n := 1; n <= len(s)/2; n++ {
		if s[n:] == s[:len(s)-n] {
			return true
		}
	}
	return false
}
