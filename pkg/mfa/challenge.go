package mfa

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// A challenge is what a passkey signs: a nonce, when it expires, and a MAC over both and what the challenge is for. So
// nothing is stored for the many that nobody signs; only one that was signed is kept until it expires, since it works
// once. Source: WebAuthn Level 3, 13.4.3 (https://www.w3.org/TR/webauthn-3/#sctn-cryptographic-challenges).
const (
	nonceBytes     = 16
	challengeBytes = nonceBytes + 8 + sha256.Size
	challengeLife  = 5 * time.Minute
)

// forSignIn is the purpose of challenges that sign in. Those that add a passkey have [forAdding].
const forSignIn = "sign in"

// forAdding is the purpose of challenges that add a passkey in a session.
func forAdding(userID, sessionID string) string { return "add\x00" + userID + "\x00" + sessionID }

// newChallenge returns a challenge for a purpose.
func (s *Service) newChallenge(purpose string) []byte {
	c := make([]byte, nonceBytes, challengeBytes)
	_, _ = rand.Read(c) // never fails: see package crypto/rand
	c = binary.BigEndian.AppendUint64(c, uint64(s.now().Add(challengeLife).UnixMilli()))
	return append(c, macOf(s.keys[0], purpose, c)...)
}

// expiry returns when a challenge of ours expires, or an error if it isn't for purpose or has expired.
func (s *Service) expiry(challenge []byte, purpose string) (time.Time, error) {
	if len(challenge) != challengeBytes {
		return time.Time{}, errors.New("the challenge is not one of this server")
	}
	signed, mac := challenge[:nonceBytes+8], challenge[nonceBytes+8:]
	ours := false
	for _, key := range s.keys {
		ours = ours || hmac.Equal(mac, macOf(key, purpose, signed))
	}
	if !ours {
		return time.Time{}, errors.New("the challenge is not one of this server")
	}
	expires := time.UnixMilli(int64(binary.BigEndian.Uint64(signed[nonceBytes:])))
	// One that lasts for longer comes from a clock that was wrong.
	if left := expires.Sub(s.now()); left <= 0 || left > challengeLife {
		return time.Time{}, errors.New("the challenge has expired")
	}
	return expires, nil
}

func macOf(key []byte, purpose string, signed []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("passkey\x00" + purpose + "\x00"))
	mac.Write(signed)
	return mac.Sum(nil)
}

// useChallenge uses up a challenge; false if it was used before.
func useChallenge(ctx context.Context, tx *db.Tx, challenge []byte, expires time.Time) (bool, error) {
	sum := sha256.Sum256(challenge)
	rows, err := tx.Exec(ctx, `INSERT INTO passkey_challenges (digest, expires_at) VALUES (?, ?)
		ON CONFLICT (digest) DO NOTHING`, hex.EncodeToString(sum[:]), db.Millis{Time: expires})
	if err != nil {
		return false, fmt.Errorf("use the challenge of a passkey: %w", err)
	}
	return rows == 1, nil
}

// Sweep deletes the used challenges that have expired.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := s.store.db.Exec(ctx, `DELETE FROM passkey_challenges WHERE expires_at < ?`, db.Millis{Time: s.now()})
	if err != nil {
		return fmt.Errorf("delete expired challenges of passkeys: %w", err)
	}
	return nil
}
