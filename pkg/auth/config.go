package auth

import (
	"errors"
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
	Secret string `name:"jwt-secret" env:"MASTHEAD_JWT_SECRET" placeholder:"…" help:"Signs access tokens; at least 32 random bytes. Made at the first start when the database is embedded."`
	// PreviousSecret only verifies, for the time in which a new secret reaches all nodes and old tokens expire.
	PreviousSecret string `name:"jwt-secret-previous" env:"MASTHEAD_JWT_SECRET_PREVIOUS" placeholder:"…" help:"The secret before this one: its tokens stay good."`
	// Registration is open or closed; empty is open.
	Registration string `name:"registration" env:"MASTHEAD_REGISTRATION" default:"open" help:"open, or closed: only the first user may register."`

	// SetupToken makes whoever shows it the first admin. It is made and printed at each start.
	SetupToken string `kong:"-"`
	// Loopback says that only this machine reaches the service: then the first account is the admin without the token.
	Loopback bool `kong:"-"`
	// SecureCookie keeps the cookie to https; set when the public address is https.
	SecureCookie bool `kong:"-"`
}

// Validate reports what is wrong, naming the variable. A secret may still be missing here; [New] refuses to work
// without one.
func (c Config) Validate() error {
	var faults []error
	if c.Secret != "" && !strong(c.Secret) {
		faults = append(faults,
			errors.New("MASTHEAD_JWT_SECRET must be at least 32 random bytes, such as of `openssl rand -base64 32`"))
	}
	if c.PreviousSecret != "" && !strong(c.PreviousSecret) {
		faults = append(faults,
			errors.New("MASTHEAD_JWT_SECRET_PREVIOUS must be empty or the whole secret that was used before"))
	}
	if c.Registration != "" && c.Registration != registrationOpen && c.Registration != registrationClosed {
		faults = append(faults, errors.New("MASTHEAD_REGISTRATION must be open or closed"))
	}
	return errors.Join(faults...)
}

// strong says whether a secret can be 32 random bytes as text. Of hexadecimal that takes 64 digits.
func strong(secret string) bool {
	if len(secret) < minSecretBytes {
		return false
	}
	if len(secret) < 2*minSecretBytes && strings.Trim(secret, "0123456789abcdefABCDEF") == "" {
		return false
	}
	// Fewer than 10 different bytes are typed by hand; of 10^11 secrets of 64 random hex digits not one has so few.
	different := map[byte]bool{}
	for i := range len(secret) {
		different[secret[i]] = true
	}
	if len(different) < 10 {
		return false
	}
	lower := strings.ToLower(secret)
	for _, word := range []string{"change", "secret", "default", "example", "password", "masthead", "1234567890",
		"abcdefgh"} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	return true
}
