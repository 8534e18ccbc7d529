package auditlog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"masthead/pkg/db"
)

// maxAddresses bounds the former addresses of an account that [Log.ForgetAddresses] looks for.
const maxAddresses = 1000

// ForgetAddresses replaces the email addresses of an account by their digests in tx: its present one and those that it
// had in the time that the log covers, also in attempts to sign in that failed.
func (l *Log) ForgetAddresses(ctx context.Context, tx *db.Tx, accountID, email string) error {
	var changes []string
	err := tx.Select(ctx, &changes, `SELECT subject FROM audit_events WHERE actor_id = ? AND action = ?
		ORDER BY id DESC LIMIT ?`, accountID, EmailChanged, maxAddresses)
	if err != nil {
		return fmt.Errorf("find the addresses of account %s: %w", accountID, err)
	}
	addresses := map[string]bool{email: true}
	for _, change := range changes {
		before, after, _ := strings.Cut(change, " -> ")
		addresses[before], addresses[after] = true, true
	}
	delete(addresses, "")
	for address := range addresses {
		_, err := tx.Exec(ctx, `UPDATE audit_events SET subject = ? WHERE LOWER(subject) = LOWER(CAST(? AS TEXT))`,
			DigestOf(address), address)
		if err != nil {
			return fmt.Errorf("forget the addresses of account %s: %w", accountID, err)
		}
	}
	for _, change := range changes {
		before, after, _ := strings.Cut(change, " -> ")
		_, err := tx.Exec(ctx, `UPDATE audit_events SET subject = ? WHERE actor_id = ? AND action = ? AND subject = ?`,
			DigestOf(before)+" -> "+DigestOf(after), accountID, EmailChanged, change)
		if err != nil {
			return fmt.Errorf("forget the addresses of account %s: %w", accountID, err)
		}
	}
	return nil
}

// DigestOf returns what stands for an email address in the log once its account is deleted: "sha256:" and the SHA-256
// of the address in lowercase, in hexadecimal.
func DigestOf(address string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(address)))
	return "sha256:" + hex.EncodeToString(sum[:])
}
