package apikeys

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// row is a Key as stored in its table.
type row struct {
	ID         string         `db:"id"`
	OwnerID    string         `db:"owner_id"`
	ProjectID  sql.NullString `db:"project_id"`
	Name       string         `db:"name"`
	Prefix     string         `db:"prefix"`
	CreatedAt  db.Millis      `db:"created_at"`
	LastUsedAt db.Millis      `db:"last_used_at"`
}

// credential is a key with the properties of its owner that authentication needs.
type credential struct {
	ID            string         `db:"id"`
	OwnerID       string         `db:"owner_id"`
	ProjectID     sql.NullString `db:"project_id"`
	LastUsedAt    db.Millis      `db:"last_used_at"`
	OwnerPlan     string         `db:"plan"`
	OwnerDisabled bool           `db:"disabled"`
}

const columns = `id, owner_id, project_id, name, prefix, created_at, last_used_at`

// noKey is the message for a key that doesn't exist or belongs to another account.
const noKey = "There is no key with this id."

// justRotated is the message for a rotation shortly after another one.
const justRotated = "Another request has just rotated this key; this request changed nothing. Use the secret in the " +
	"response to the other request, or rotate the key again after the seconds in Retry-After."

func (r row) key() Key {
	return Key{
		ID: r.ID, OwnerID: r.OwnerID, ProjectID: r.ProjectID.String, Name: r.Name, Prefix: r.Prefix,
		CreatedAt: r.CreatedAt.Time, LastUsedAt: r.LastUsedAt.Time,
	}
}

// insert stores a key, or returns Conflict if its project, or its owner for keys of all projects, already has most
// keys.
func (s store) insert(ctx context.Context, k Key, digest string, most int) error {
	same, of := `owner_id = ? AND project_id IS NULL`, k.OwnerID
	full := "An account can have at most %d keys for all of its projects. Revoke one that you no longer need."
	if k.ProjectID != "" {
		same, of = `project_id = ?`, k.ProjectID
		full = "A project can have at most %d keys. Revoke one that you no longer need."
	}
	var rows int64
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		// The count doesn't see uncommitted inserts, so inserts that count the same keys are serialized.
		if err := tx.Lock(ctx, "keys of "+of); err != nil {
			return err
		}
		rows, err = tx.Exec(ctx,
			`INSERT INTO api_keys (id, owner_id, project_id, name, prefix, digest, created_at)
			SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM api_keys WHERE `+same+`) < ?`,
			k.ID, k.OwnerID, db.OrNull(k.ProjectID), k.Name, k.Prefix, digest,
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

// list returns at most limit keys, of a project or "" for all, whose IDs are less than before, in descending order.
// IDs are UUIDv7, so the newest come first.
func (s store) list(ctx context.Context, ownerID, projectID, before string, limit int) ([]Key, error) {
	list, err := db.SelectAs(ctx, s.db, row.key,
		`SELECT `+columns+` FROM api_keys WHERE owner_id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?) AND id < ?
			ORDER BY id DESC LIMIT ?`, ownerID, projectID, projectID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the keys of account %s: %w", ownerID, err)
	}
	return list, nil
}

// byDigest returns the key with a digest, or sql.ErrNoRows. The same query reads what every request needs to know
// about the owner.
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

// replaceSecret sets a new secret and returns the old prefix and the updated key. It returns Conflict if another
// rotation happened less than rotateEvery before asked, or later: of several concurrent rotations, one takes effect.
// clock is read once the row's lock is the only one left to wait for.
func (s store) replaceSecret(
	ctx context.Context, ownerID, id, digest, prefix string, asked time.Time, clock func() time.Time,
) (oldPrefix string, key Key, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		find := `SELECT prefix FROM api_keys WHERE id = ? AND owner_id = ?`
		if err := tx.Get(ctx, &oldPrefix, find, id, ownerID); err != nil {
			return db.Missing(err, noKey, "find key "+id)
		}
		now := clock()
		var r row
		// A rotation far in the future comes from a clock that was wrong.
		err := tx.Get(ctx, &r,
			`UPDATE api_keys SET digest = ?, prefix = ?, rotated_at = ? WHERE id = ? AND owner_id = ?
				AND (rotated_at IS NULL OR rotated_at <= ? OR rotated_at > ?) RETURNING `+columns,
			digest, prefix, db.Millis{Time: now}, id, ownerID,
			db.Millis{Time: asked.Add(-rotateEvery)}, db.Millis{Time: now.Add(rotateEvery)})
		if errors.Is(err, sql.ErrNoRows) {
			if err := tx.Get(ctx, &oldPrefix, find, id, ownerID); err != nil { // revoked concurrently
				return db.Missing(err, noKey, "find key "+id)
			}
			return &apperr.Error{Code: apperr.Conflict, Detail: justRotated, RetryAfter: rotateEvery}
		}
		if err != nil {
			return fmt.Errorf("rotate key %s: %w", id, err)
		}
		key = r.key()
		return nil
	})
	return oldPrefix, key, err
}

// noteUse updates the last use of a key, unless one at or after stale is recorded.
func (s store) noteUse(ctx context.Context, id string, at, stale time.Time) error {
	_, err := s.db.Exec(ctx,
		`UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)`,
		db.Millis{Time: at}, id, db.Millis{Time: stale})
	if err != nil {
		return fmt.Errorf("record the use of key %s: %w", id, err)
	}
	return nil
}
