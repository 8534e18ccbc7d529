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

type store struct {
	db          *db.DB
	fontChanged []FontHook
	deleted     []DeleteHook
}

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
	Family    string    `db:"family"` // "" for a picture
	MinWeight int       `db:"min_weight"`
	MaxWeight int       `db:"max_weight"`
	Italic    bool      `db:"italic"`
}

const (
	columns = `id, project_id, title, digest, name, width, height, size, created_at, family, min_weight, max_weight,
		italic`
	noAsset = "There is no asset with this id."
)

func (r row) asset() Asset {
	a := Asset{
		ID: r.ID, ProjectID: r.ProjectID, Name: r.Title, File: r.Name, Width: r.Width, Height: r.Height, SizeBytes: r.Size,
		CreatedAt: r.CreatedAt.Time,
	}
	if r.Family != "" {
		a.Font = &FontFacts{r.Family, r.MinWeight, r.MaxWeight, r.Italic}
	}
	return a
}

// changed tells of a font that a project has got or lost.
func (s store) changed(ctx context.Context, tx *db.Tx, projectID, family string) error {
	if family == "" {
		return nil
	}
	for _, tell := range s.fontChanged {
		if err := tell(ctx, tx, projectID, family); err != nil {
			return err
		}
	}
	return nil
}

// errFonts rolls back an insert into a project that has all the fonts it may have.
var errFonts = apperr.New(apperr.Conflict,
	fmt.Sprintf("A project can have at most %d fonts. Delete one that you no longer need.", MaxFonts))

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
		font, err := fontOf(ctx, tx, ownerID, a)
		if err != nil {
			return err
		}
		rows, err := tx.Exec(ctx, `INSERT INTO assets (owner_id, `+columns+`)
			SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
				CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT),
				CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS BOOLEAN)
			WHERE (SELECT COUNT(*) FROM assets WHERE owner_id = ?) < ?`,
			ownerID, a.ID, a.ProjectID, a.Name, a.File.Digest, a.File.File, a.Width, a.Height, a.SizeBytes,
			db.Millis{Time: a.CreatedAt}, font.Family, font.MinWeight, font.MaxWeight, font.Italic, ownerID, MaxAssets)
		if err != nil {
			return err
		}
		if err := s.changed(ctx, tx, a.ProjectID, font.Family); err != nil {
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
	if errors.Is(err, errFonts) {
		return Asset{}, err
	}
	if err != nil {
		return Asset{}, fmt.Errorf("store an asset of account %s: %w", ownerID, err)
	}
	return stored, nil
}

// fontOf returns the facts of an asset that is a font, and an error if the project has all the fonts it may have.
func fontOf(ctx context.Context, tx *db.Tx, ownerID string, a Asset) (font FontFacts, err error) {
	if a.Font == nil {
		return font, nil
	}
	var fonts int
	err = tx.Get(ctx, &fonts, `SELECT COUNT(*) FROM assets WHERE owner_id = ? AND project_id = ? AND family <> ''`,
		ownerID, a.ProjectID)
	if err == nil && fonts >= MaxFonts {
		err = errFonts
	}
	return *a.Font, err
}

func (s store) get(ctx context.Context, ownerID, projectID, id string) (Asset, error) {
	var r row
	err := s.db.Brief().Get(ctx, &r, `SELECT `+columns+` FROM assets WHERE id = ? AND project_id = ? AND owner_id = ?`,
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
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var family string
		err := tx.Get(ctx, &family,
			`DELETE FROM assets WHERE id = ? AND project_id = ? AND owner_id = ? RETURNING family`, id, projectID, ownerID)
		if err != nil {
			return err
		}
		if family != "" {
			return s.changed(ctx, tx, projectID, family)
		}
		for _, tell := range s.deleted {
			if err := tell(ctx, tx, projectID, id); err != nil {
				return err
			}
		}
		return nil
	})
	return db.Missing(err, noAsset, "delete asset "+id)
}

// fontsOf returns the fonts of a project in the order of their digests.
func (s store) fontsOf(ctx context.Context, projectID string) ([]Asset, error) {
	list, err := db.SelectAs(ctx, s.db, row.asset, `SELECT `+columns+` FROM assets
		WHERE project_id = ? AND family <> '' ORDER BY digest, name LIMIT ?`, projectID, MaxFonts)
	if err != nil {
		return nil, fmt.Errorf("list the fonts of project %s: %w", projectID, err)
	}
	return list, nil
}

func (s store) named(ctx context.Context, projectID, title string) (n blob.Name, err error) {
	err = s.db.Brief().Get(ctx, &n, `SELECT digest, name FROM assets WHERE project_id = ? AND title = ? AND family = ''
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
