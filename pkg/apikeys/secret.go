package apikeys

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"masthead/pkg/base62"
	"masthead/pkg/identity"
)

// A secret consists of [identity.KeyPrefix], 32 random base62 characters (190 bits) and a checksum of 6 characters.
// Secret scanners recognize the prefix, and the checksum rejects mistyped or invented keys without a query.
const (
	entropyLength  = 32
	checksumLength = 6
	secretLength   = len(identity.KeyPrefix) + entropyLength + checksumLength

	// ShownLength is the length of the prefix of a secret that may be shown later.
	ShownLength = 12
)

// newSecret generates a secret.
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

// wellFormed reports whether text has the format and checksum of a secret.
func wellFormed(text string) bool {
	if len(text) != secretLength || !strings.HasPrefix(text, identity.KeyPrefix) ||
		strings.Trim(text[len(identity.KeyPrefix):], base62.Alphabet) != "" {
		return false
	}
	body := text[:secretLength-checksumLength]
	return text[len(body):] == checksum(body)
}

// digest returns the stored digest that a secret is looked up by. 190 random bits need no slow hash.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
