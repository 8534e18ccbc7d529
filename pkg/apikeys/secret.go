package apikeys

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"
)

// A secret is its prefix, 32 base62 characters of entropy (190 bits) and 6 of checksum. Secret scanners find the prefix, and the
// checksum tells a mistyped or invented key without asking the database.
const (
	secretPrefix   = "og_live_"
	entropyLength  = 32
	checksumLength = 6
	secretLength   = len(secretPrefix) + entropyLength + checksumLength

	// shownLength is how much of a secret may be shown again.
	shownLength = 12
)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// newSecret returns a fresh secret; each of its random characters is equally likely.
func newSecret() string {
	secret, random := append(make([]byte, 0, secretLength), secretPrefix...), make([]byte, 2*entropyLength)
	for {
		rand.Read(random) // never fails: it ends the program rather than return an error
		for _, b := range random {
			// Bytes from 248 on would make the first characters of the alphabet more likely.
			if b < 4*62 {
				if secret = append(secret, alphabet[b%62]); len(secret) == secretLength-checksumLength {
					return string(secret) + checksum(string(secret))
				}
			}
		}
	}
}

// checksum returns the CRC-32 (IEEE) of text in base62, most significant digit first.
func checksum(text string) string {
	var digits [checksumLength]byte // 62^6 is more than 2^32
	sum := crc32.ChecksumIEEE([]byte(text))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = alphabet[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

// wellFormed says whether text can be a secret.
func wellFormed(text string) bool {
	if len(text) != secretLength || !strings.HasPrefix(text, secretPrefix) || strings.Trim(text[len(secretPrefix):], alphabet) != "" {
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
