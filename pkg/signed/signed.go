// Package signed signs the addresses of GET /og, so that only those who have a project's key can make them. See
// docs/publishing.md#signed-addresses, which has test vectors.
package signed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The parameters of a signature.
const (
	// Signature is the signature itself; Expiry the time in Unix seconds from which the address is refused.
	Signature = "sig"
	Expiry    = "exp"
)

// parameters are those of GET /og except the signature. What else is in a query has no effect, so it isn't signed.
var parameters = []string{
	"accent", "ai", "aiModel", "aiPrompt", "aspectRatio", "dark", Expiry, "font", "kind", "logoPosition", "logoUrl",
	"size", "template", "url", "v",
}

// Parameters returns the names of the parameters that are signed, sorted.
func Parameters() []string { return slices.Clone(parameters) }

// Canonical returns what of a query is signed: its parameters of GET /og, sorted by name, as name=value joined by &.
// Values are UTF-8, in which all bytes but A-Z a-z 0-9 - . _ ~ are written as % and two upper-case hexadecimal digits.
func Canonical(query url.Values) string {
	var pairs []string
	for _, name := range parameters {
		for _, value := range query[name] {
			pairs = append(pairs, name+"="+strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
		}
	}
	return strings.Join(pairs, "&")
}

// Sign returns the signature of a query: HMAC-SHA256 of its canonical form with the bytes of key, as base64url without
// padding, 43 characters.
func Sign(key string, query url.Values) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = mac.Write([]byte(Canonical(query))) // a hash never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Valid reports whether a query has a signature of one of the keys.
func Valid(keys []string, query url.Values) bool {
	sent := []byte(query.Get(Signature))
	valid := false
	for _, key := range keys {
		if hmac.Equal(sent, []byte(Sign(key, query))) {
			valid = true
		}
	}
	return valid
}

// Until returns the time in Unix seconds from which a query is refused; 0 if it never is.
func Until(query url.Values) (int64, error) {
	text := query.Get(Expiry)
	if text == "" {
		return 0, nil
	}
	until, err := strconv.ParseInt(text, 10, 64)
	if err != nil || until <= 0 {
		return 0, fmt.Errorf("%s is no time in Unix seconds", Expiry)
	}
	return until, nil
}
