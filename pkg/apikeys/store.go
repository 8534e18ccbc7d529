package apikeys

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"masthead/pkg/apperr"
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

// insert stores a key, unless there are most already of its project, or of its owner for all projects: then it is
// Conflict.
func (s store) insert(ctx context.Context, k Key, digest string, most int) error {
	same, of := `owner_id = ? AND project_id IS NULL`, k.OwnerID
	full := "An account has at most %d keys that are for all of its projects. Revoke one that is needed no more."
	if k.ProjectID != "" {
		same, of = `project_id = ?`, k.ProjectID
		full = "A project has at most %d keys. Revoke one that is needed no more."
	}
	var rows int64
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		// The counting sees what others have inserted only once they have ended, so those that count the same take turns.
		if err := tx.Lock(ctx, "keys of "+of); err != nil {
			return err
		}
		rows, err = tx.Exec(ctx,
			`INSERT INTO api_keys (id, owner_id, project_id, name, prefix, digest, created_at)
			SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM api_keys WHERE `+same+`) < ?`,
			k.ID, k.OwnerID, sql.NullString{String: k.ProjectID, Valid: k.ProjectID != ""}, k.Name, k.Prefix, digest,
			db.Millis{Time: k.CreatedAt}, of, most)
		return err
	})
	if err != nil {
		return fmt.Errorf("store a key of account %s: %w", k.OwnerID, err)
	}
	if rows == 0 {
		return apperr.New(apperr.Conflict, fmt.Sprintf(full, most))
	}
	return nil
}

func (s store) get(ctx context.Context, ownerID, id string) (Key, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM api_keys WHERE id = ? AND owner_id = ?`, id, ownerID)
	return r.key(), db.Missing(err, noKey, "find key "+id)
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

// byDigest returns the key of a secret; sql.ErrNoRows when there is none. What every request with a key needs of its
// owner is read along.
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
