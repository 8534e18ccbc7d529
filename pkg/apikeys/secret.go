package apikeys

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"masthead/pkg/base62"
	"masthead/pkg/identity"
)

// A secret is [identity.KeyPrefix], 32 base62 characters of entropy (190 bits) and 6 of checksum. Secret scanners find
// the prefix, and the checksum tells a mistyped or invented key without asking the database.
const (
	entropyLength  = 32
	checksumLength = 6
	secretLength   = len(identity.KeyPrefix) + entropyLength + checksumLength

	// ShownLength is how many characters of a secret, from its beginning, may be shown again.
	ShownLength = 12
)

// newSecret returns a fresh secret.
func newSecret() string {
	body := identity.KeyPrefix + base62.Random(entropyLength)
	return body + checksum(body)
}

// checksum returns the CRC-32 (IEEE) of text in base62, most significant digit first.
func checksum(text string) string {
	var digits [checksumLength]byte // 62^6 is more than 2^32
	sum := crc32.ChecksumIEEE([]byte(text))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = base62.Alphabet[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

// wellFormed says whether text can be a secret.
func wellFormed(text string) bool {
	if len(text) != secretLength || !strings.HasPrefix(text, identity.KeyPrefix) ||
		strings.Trim(text[len(identity.KeyPrefix):], base62.Alphabet) != "" {
		return false
	}
	body := text[:secretLength-checksumLength]
	return text[len(body):] == checksum(body)
}

// digest returns what is stored of a secret, by which it is found. Its 190 random bits need no slow hash.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
