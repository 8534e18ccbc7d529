// Package etag makes entity tags and matches them against If-None-Match (RFC 9110, 8.8.3 and 13.1.2:
// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
package etag

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Of returns a strong entity tag for data: the first 32 hexadecimal digits of its SHA-256, in quotes.
func Of(data []byte) string {
	sum := sha256.Sum256(data)
	return OfDigest(hex.EncodeToString(sum[:]))
}

// WeakOf returns a weak entity tag for data, which stays the same whether or not the response is compressed.
func WeakOf(data []byte) string { return "W/" + Of(data) }

// OfDigest is like [Of] for data with a known SHA-256 digest, in hexadecimal.
func OfDigest(digest string) string {
	return `"` + digest[:min(32, len(digest))] + `"`
}

// Match reports whether an If-None-Match header matches tag. It uses the weak comparison that RFC 9110, 13.1.2
// requires.
func Match(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
