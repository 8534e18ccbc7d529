package apikeys

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// row is a Key as its table has it.
type row struct {
	ID         string         `db:"id"`
	OwnerID    string         `db:"owner_id"`
	ProjectID  sql.NullString `db:"project_id"`
	Name       string         `db:"name"`
	Prefix     string         `db:"prefix"`
	CreatedAt  db.Millis      `db:"created_at"`
	LastUsedAt db.Millis      `db:"last_used_at"`
}

// credential is a key with what its use needs to know of its owner.
type credential struct {
	ID            string         `db:"id"`
	OwnerID       string         `db:"owner_id"`
	ProjectID     sql.NullString `db:"project_id"`
	LastUsedAt    db.Millis      `db:"last_used_at"`
	OwnerPlan     string         `db:"plan"`
	OwnerDisabled bool           `db:"disabled"`
}

const columns = `id, owner_id, project_id, name, prefix, created_at, last_used_at`

// noKey is the response for a key that is not there, or somebody else's.
const noKey = "There is no key with this id."

func (r row) key() Key {
	return Key{
		ID: r.ID, OwnerID: r.OwnerID, ProjectID: r.ProjectID.String, Name: r.Name, Prefix: r.Prefix,
		CreatedAt: r.CreatedAt.Time, LastUsedAt: r.LastUsedAt.Time,
	}
}

func (s store) insert(ctx context.Context, k Key, digest string) error {
	_, err := s.db.Exec(ctx,
		`INSERT INTO api_keys (id, owner_id, project_id, name, prefix, digest, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.OwnerID, sql.NullString{String: k.ProjectID, Valid: k.ProjectID != ""}, k.Name, k.Prefix, digest,
		db.Millis{Time: k.CreatedAt})
	if err != nil {
		return fmt.Errorf("store a key of account %s: %w", k.OwnerID, err)
	}
	return nil
}

// list returns at most limit keys with ids before an id, the greatest first: ids are UUIDs of version 7, so that is the
// newest.
func (s store) list(ctx context.Context, ownerID, before string, limit int) ([]Key, error) {
	list, err := db.SelectAs(ctx, s.db, row.key,
		`SELECT `+columns+` FROM api_keys WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
		ownerID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the keys of account %s: %w", ownerID, err)
	}
	return list, nil
}

// byDigest returns the key of a secret; sql.ErrNoRows when there is none. Every request with a key reads this, so it
// reads the owner along.
func (s store) byDigest(ctx context.Context, digest string) (credential, error) {
	var c credential
	err := s.db.Get(ctx, &c, `SELECT k.id, k.owner_id, k.project_id, k.last_used_at, u.plan, u.disabled
		FROM api_keys k JOIN users u ON u.id = k.owner_id WHERE k.digest = ?`, digest)
	if err != nil {
		return credential{}, fmt.Errorf("find a key: %w", err)
	}
	return c, nil
}

func (s store) delete(ctx context.Context, ownerID, id string) (prefix string, err error) {
	err = s.db.GetWrite(ctx, &prefix,
		`DELETE FROM api_keys WHERE id = ? AND owner_id = ? RETURNING prefix`, id, ownerID)
	return prefix, db.Missing(err, noKey, "revoke key "+id)
}

// replaceSecret returns the prefix of the old secret and the key as it is with the new one.
func (s store) replaceSecret(
	ctx context.Context, ownerID, id, digest, prefix string,
) (oldPrefix string, key Key, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, &oldPrefix, `SELECT prefix FROM api_keys WHERE id = ? AND owner_id = ?`, id, ownerID)
		if err != nil {
			return db.Missing(err, noKey, "find key "+id)
		}
		var r row
		err = tx.Get(ctx, &r,
			`UPDATE api_keys SET digest = ?, prefix = ? WHERE id = ? AND owner_id = ? RETURNING `+columns,
			digest, prefix, id, ownerID)
		key = r.key()
		return db.Missing(err, noKey, "rotate key "+id)
	})
	return oldPrefix, key, err
}

// noteUse sets the last use of a key, unless one since stale is known.
func (s store) noteUse(ctx context.Context, id string, at, stale time.Time) error {
	_, err := s.db.Exec(ctx,
		`UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)`,
		db.Millis{Time: at}, id, db.Millis{Time: stale})
	if err != nil {
		return fmt.Errorf("note the use of key %s: %w", id, err)
	}
	return nil
}
