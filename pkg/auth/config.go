package auth

import (
	"errors"
	"fmt"
	"strings"
)

// The registration settings.
const (
	registrationOpen   = "open"
	registrationClosed = "closed"
)

// minSecretBytes is the length of the shortest secret. Source: RFC 7518, 3.2: a key of HS256 is at least as long as its
// hash.
const minSecretBytes = 32

// Config is what the operator sets about accounts and sessions.
type Config struct {
	// Secret signs tokens; all nodes share it. Empty only until the program has made one (see Validate).
	Secret string `name:"jwt-secret" env:"MASTHEAD_JWT_SECRET" placeholder:"…" help:"Secret that signs access tokens, at least 32 random bytes. Generated at the first start with SQLite; required with Postgres, the same on every node."`
	// PreviousSecret only verifies, for the time in which a new secret reaches all nodes and old tokens expire.
	PreviousSecret string `name:"jwt-secret-previous" env:"MASTHEAD_JWT_SECRET_PREVIOUS" placeholder:"…" help:"The previous signing secret. Its tokens stay valid while nodes change to the new one."`
	// Registration is open or closed; empty is open.
	Registration string `name:"registration" env:"MASTHEAD_REGISTRATION" default:"open" help:"open, or closed: only the first account can register."`

	// SetupToken makes whoever shows it the first admin. It is made and printed at each start.
	SetupToken string `kong:"-"`
	// Loopback says that only this machine reaches the service: then the first account is the admin without the token.
	Loopback bool `kong:"-"`
	// BaseURL is the public address, for links.
	BaseURL string `kong:"-"`
	// SecureCookie keeps the cookie to https; set when the public address is https.
	SecureCookie bool `kong:"-"`
}

// Validate reports what is wrong, naming the variable. A secret may still be missing here; [New] refuses to work
// without one.
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

// weakness says why a secret cannot be 32 random bytes, for a sentence that begins with its name; "" when it can. It is
// judged by its bytes as given, whatever they may stand for.
func weakness(secret string) string {
	if len(secret) < minSecretBytes {
		return fmt.Sprintf("is too short, with %d bytes", len(secret))
	}
	if repeats(secret) {
		return "repeats itself"
	}
	// Fewer than 8 different bytes are typed by hand; of 10^7 secrets of 32 random hex digits not one has so few.
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

// repeats says whether s is a part of it, at most half, again and again; the last time it may be cut off.
func repeats(s string) bool {
	for n := 1; n <= len(s)/2; n++ {
		if s[n:] == s[:len(s)-n] {
			return true
		}
	}
	return false
}
