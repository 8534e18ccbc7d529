package mfa

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// passkeyRow is a stored passkey.
type passkeyRow struct {
	ID         string    `db:"id"`
	UserID     string    `db:"user_id"`
	Credential string    `db:"credential"`
	Name       string    `db:"name"`
	CreatedAt  db.Millis `db:"created_at"`
	LastUsed   int64     `db:"last_used"`
}

//nolint:gosec // columns, of which one has such a name
const passkeyColumns = `id, user_id, credential, name, created_at, COALESCE(last_used_at, 0) AS last_used`

// stored returns the key and its state.
func (r passkeyRow) stored() (webauthn.Credential, error) {
	var c webauthn.Credential
	if err := json.Unmarshal([]byte(r.Credential), &c); err != nil {
		return webauthn.Credential{}, fmt.Errorf("read passkey %s: %w", r.ID, err)
	}
	return c, nil
}

// text returns what is stored of a credential: not what its maker says of it, which is large and used for nothing.
func text(c webauthn.Credential) (string, error) {
	c.Attestation = webauthn.CredentialAttestation{}
	b, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("write a passkey: %w", err)
	}
	return string(b), nil
}

// encodeID returns the ID of a credential as it is stored.
func encodeID(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

// passkey returns the passkey with a credential's ID; the zero row for none.
func (s store) passkey(ctx context.Context, credentialID []byte) (row passkeyRow, err error) {
	err = s.db.Get(ctx, &row, `SELECT `+passkeyColumns+` FROM passkeys WHERE credential_id = ?`, encodeID(credentialID))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return passkeyRow{}, fmt.Errorf("find a passkey: %w", err)
	}
	return row, nil
}

func (s store) rows(ctx context.Context, userID string) (rows []passkeyRow, err error) {
	err = s.db.Select(ctx, &rows, `SELECT `+passkeyColumns+` FROM passkeys WHERE user_id = ?
		ORDER BY created_at, id LIMIT ?`, userID, maxPasskeys)
	if err != nil {
		return nil, fmt.Errorf("find the passkeys of account %s: %w", userID, err)
	}
	return rows, nil
}

func (s store) passkeys(ctx context.Context, userID string) ([]Passkey, error) {
	rows, err := s.rows(ctx, userID)
	passkeys := make([]Passkey, len(rows))
	for i, r := range rows {
		passkeys[i] = Passkey{ID: r.ID, Name: r.Name, CreatedAt: r.CreatedAt.Time}
		if r.LastUsed > 0 {
			passkeys[i].LastUsed = time.UnixMilli(r.LastUsed).UTC()
		}
	}
	return passkeys, err
}

func (s store) credentials(ctx context.Context, userID string) ([]webauthn.Credential, error) {
	rows, err := s.rows(ctx, userID)
	credentials := make([]webauthn.Credential, len(rows))
	for i, r := range rows {
		if credentials[i], err = r.stored(); err != nil {
			return nil, err
		}
	}
	return credentials, err
}

func insertPasskey(ctx context.Context, tx *db.Tx, userID string, p Passkey, c webauthn.Credential) error {
	credential, err := text(c)
	if err != nil {
		return err
	}
	rows, err := tx.Exec(ctx, `INSERT INTO passkeys (id, user_id, credential_id, credential, name, created_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (credential_id) DO NOTHING`,
		p.ID, userID, encodeID(c.ID), credential, p.Name, db.Millis{Time: p.CreatedAt})
	if err != nil {
		return fmt.Errorf("store a passkey of account %s: %w", userID, err)
	}
	if rows == 0 {
		return apperr.New(apperr.Conflict, "This passkey has been added already.")
	}
	return nil
}

// usePasskey stores a passkey's state after it has signed in; false if it was removed or has changed since it was read
// as was.
func usePasskey(ctx context.Context, tx *db.Tx, was passkeyRow, c webauthn.Credential, now time.Time) (bool, error) {
	credential, err := text(c)
	if err != nil {
		return false, err
	}
	rows, err := tx.Exec(ctx, `UPDATE passkeys SET credential = ?, last_used_at = ? WHERE id = ? AND credential = ?`,
		credential, db.Millis{Time: now}, was.ID, was.Credential)
	if err != nil {
		return false, fmt.Errorf("use passkey %s: %w", was.ID, err)
	}
	return rows == 1, nil
}

func removePasskey(ctx context.Context, tx *db.Tx, userID, id string) (bool, error) {
	rows, err := tx.Exec(ctx, `DELETE FROM passkeys WHERE id = ? AND user_id = ?`, id, userID)
	if err != nil {
		return false, fmt.Errorf("remove a passkey of account %s: %w", userID, err)
	}
	return rows == 1, nil
}

func removePasskeys(ctx context.Context, tx *db.Tx, userID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM passkeys WHERE user_id = ?`, userID); err != nil {
		return fmt.Errorf("remove the passkeys of account %s: %w", userID, err)
	}
	return nil
}
