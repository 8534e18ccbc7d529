package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/apperr"
)

// setupLife is how long the link that creates the first admin works.
const setupLife = 24 * time.Hour

// maxSetupBytes is more than the length of a setup token, in bytes.
const maxSetupBytes = 100

// SetupToken returns a token with which a registration makes the first admin of an installation that others can
// reach. It is valid for 24 hours, on every node that has the same secret, until there is an admin. The format is the
// end of its validity in seconds since 1970, base 36, a hyphen, and HMAC-SHA256 of that in base64url.
func (s *Service) SetupToken() string {
	until := strconv.FormatInt(s.now().Add(setupLife).Unix(), 36)
	return until + "-" + s.keys[0].setupMAC(until)
}

func (k key) setupMAC(until string) string {
	mac := hmac.New(sha256.New, k.setup)
	mac.Write([]byte(until))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// checkSetup returns Forbidden unless token is a valid setup token.
func (s *Service) checkSetup(token string) error {
	refused := func(detail string) error {
		err := apperr.Invalid("/setupToken", detail)
		err.Code = apperr.Forbidden
		return err
	}
	text, mac, _ := strings.Cut(token, "-")
	genuine := false
	for _, k := range s.keys {
		genuine = hmac.Equal([]byte(k.setupMAC(text)), []byte(mac)) || genuine
	}
	if len(token) > maxSetupBytes || !genuine {
		return refused("This is not a set-up token of this installation. The service prints one when it starts.")
	}
	until, err := strconv.ParseInt(text, 36, 64)
	if err != nil || s.now().Unix() >= until {
		return refused("This set-up token has expired. Restart the service: it prints a new one.")
	}
	return nil
}
