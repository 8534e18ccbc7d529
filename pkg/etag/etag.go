// Package etag owns validators of bytes: making a strong one and matching it with If-None-Match (RFC 9110, 8.8.3 and
// 13.1.2).
package etag

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Of returns a strong validator of data: quotes round 32 hexadecimal digits of its SHA-256.
func Of(data []byte) string {
	sum := sha256.Sum256(data)
	return OfDigest(hex.EncodeToString(sum[:]))
}

// WeakOf returns a weak validator of data: of what it says, whether it is sent compressed or not.
func WeakOf(data []byte) string { return "W/" + Of(data) }

// OfDigest is [Of] for bytes whose digest, SHA-256 in hex, is known.
func OfDigest(digest string) string {
	return `"` + digest[:min(32, len(digest))] + `"`
}

// Match says whether the value of an If-None-Match header names tag. The comparison is the weak one, as RFC 9110 has it
// there.
func Match(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
