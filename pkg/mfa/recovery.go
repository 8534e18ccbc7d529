package mfa

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

const (
	// recoveryCodes is how many recovery codes an account gets.
	recoveryCodes = 10
	// recoveryBytes is the length of a code: 80 bits, so that it can't be guessed from its digest.
	recoveryBytes = 10
)

var recoveryAlphabet = base32.NewEncoding("abcdefghjkmnpqrstuvwxyz023456789").WithPadding(base32.NoPadding)

// newRecoveryCodes returns random codes such as "k7mq-2xhd-94vn-tc8p", without letters that look like digits.
func newRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	for i := range codes {
		raw := make([]byte, recoveryBytes)
		_, _ = rand.Read(raw) // never fails: see package crypto/rand
		c := recoveryAlphabet.EncodeToString(raw)
		codes[i] = strings.Join([]string{c[:4], c[4:8], c[8:12], c[12:]}, "-")
	}
	return codes
}

// RenewRecoveryCodes replaces the recovery codes of an account. It returns CONFLICT if it has no second factor.
func (s *Service) RenewRecoveryCodes(ctx context.Context, userID string) (codes []string, err error) {
	codes = newRecoveryCodes()
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		factors, err := factorsOf(ctx, tx, userID)
		if err != nil {
			return err
		}
		if !factors.Required() {
			return apperr.New(apperr.Conflict, "This account has no second factor, so it needs no recovery codes.")
		}
		return replaceRecovery(ctx, tx, userID, codes, s.now())
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// plain returns a code as it is computed: without the spaces and hyphens that people type, in lower case.
func plain(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

func digest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
