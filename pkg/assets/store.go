package assets

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/humanize"
)

type store struct{ db *db.DB }

// row is an Asset as it is stored.
type row struct {
	ID        string `db:"id"`
	ProjectID string `db:"project_id"`
	Title     string `db:"title"`
	blob.Name
	Width     int       `db:"width"`
	Height    int       `db:"height"`
	Size      int64     `db:"size"`
	CreatedAt db.Millis `db:"created_at"`
}

const (
	columns = `id, project_id, title, digest, name, width, height, size, created_at`
	noAsset = "There is no asset with this id."
)

func (r row) asset() Asset {
	return Asset{
		ID: r.ID, ProjectID: r.ProjectID, Name: r.Title, File: r.Name, Width: r.Width, Height: r.Height, SizeBytes: r.Size,
		CreatedAt: r.CreatedAt.Time,
	}
}

// errFull rolls back an insert for which the account has no room.
var errFull = errors.New("the account has no room")

// insert stores an asset, or returns the one of the project that has the same file. refer ends the hold of the file.
// It returns TierLocked if the account has no room for it, with all that counts in the ledger.
func (s store) insert(
	ctx context.Context, ownerID string, a Asset, plan billing.Plan, ledger *files.Ledger, refer func(*db.Tx) error,
) (stored Asset, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := files.LockAccount(ctx, tx, ownerID); err != nil {
			return err
		}
		var known row
		err := tx.Get(ctx, &known, `SELECT `+columns+` FROM assets WHERE project_id = ? AND digest = ? AND name = ?`,
			a.ProjectID, a.File.Digest, a.File.File)
		if err == nil {
			stored = known.asset()
			return refer(tx)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		stored = a
		rows, err := tx.Exec(ctx, `INSERT INTO assets (owner_id, `+columns+`)
			SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
				CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS BIGINT)
			WHERE (SELECT COUNT(*) FROM assets WHERE owner_id = ?) < ?`,
			ownerID, a.ID, a.ProjectID, a.Name, a.File.Digest, a.File.File, a.Width, a.Height, a.SizeBytes,
			db.Millis{Time: a.CreatedAt}, ownerID, MaxAssets)
		if err != nil {
			return err
		}
		fits, err := ledger.Fits(ctx, tx, ownerID, plan.AssetBytes)
		if err != nil {
			return err
		}
		if rows == 0 || !fits {
			return errFull
		}
		return refer(tx)
	})
	if errors.Is(err, errFull) {
		return Asset{}, apperr.New(apperr.TierLocked, fmt.Sprintf(
			"The plan %s has room for %s of uploaded pictures and AI pictures, and for at most %d uploaded ones. "+
				"Delete some, or change the plan.",
			humanize.Capital(plan.Name), humanize.Bytes(plan.AssetBytes), MaxAssets))
	}
	if err != nil {
		return Asset{}, fmt.Errorf("store an asset of account %s: %w", ownerID, err)
	}
	return stored, nil
}

func (s store) get(ctx context.Context, ownerID, projectID, id string) (Asset, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM assets WHERE id = ? AND project_id = ? AND owner_id = ?`,
		id, projectID, ownerID)
	return r.asset(), db.Missing(err, noAsset, "find asset "+id)
}

// list returns at most limit assets of a project whose ids are less than before, newest first.
func (s store) list(ctx context.Context, ownerID, projectID, before string, limit int) ([]Asset, error) {
	list, err := db.SelectAs(ctx, s.db, row.asset, `SELECT `+columns+` FROM assets
		WHERE owner_id = ? AND project_id = ? AND id < ? ORDER BY id DESC LIMIT ?`, ownerID, projectID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the assets of project %s: %w", projectID, err)
	}
	return list, nil
}

func (s store) delete(ctx context.Context, ownerID, projectID, id string) error {
	var deleted string
	err := s.db.GetWrite(ctx, &deleted,
		`DELETE FROM assets WHERE id = ? AND project_id = ? AND owner_id = ? RETURNING id`, id, projectID, ownerID)
	return db.Missing(err, noAsset, "delete asset "+id)
}

func (s store) named(ctx context.Context, projectID, title string) (n blob.Name, err error) {
	err = s.db.Brief().Get(ctx, &n, `SELECT digest, name FROM assets WHERE project_id = ? AND title = ?
		ORDER BY id DESC LIMIT 1`, projectID, title)
	return n, db.Missing(err, "The project has no asset with this name.", "find an asset of project "+projectID)
}

// has reports whether a file is an asset of a project.
func (s store) has(ctx context.Context, projectID string, n blob.Name) (bool, error) {
	var count int
	err := s.db.Brief().Get(ctx, &count, `SELECT COUNT(*) FROM assets WHERE project_id = ? AND digest = ? AND name = ?`,
		projectID, n.Digest, n.File)
	if err != nil {
		return false, fmt.Errorf("find an asset of project %s: %w", projectID, err)
	}
	return count > 0, nil
}
