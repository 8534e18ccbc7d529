package designs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/render/design"
)

type store struct{ db *db.DB }

// row is a Document as it is stored.
type row struct {
	ID        string            `db:"id"`
	ProjectID string            `db:"project_id"`
	Slug      string            `db:"slug"`
	Title     string            `db:"title"`
	Version   int               `db:"version"`
	Digest    string            `db:"digest"`
	Size      int64             `db:"size"`
	Source    string            `db:"source"`
	Sizes     db.JSON[[]string] `db:"sizes"`
	Images    int               `db:"images"`
	Outdated  int               `db:"outdated"`
	CreatedAt db.Millis         `db:"created_at"`
	UpdatedAt db.Millis         `db:"updated_at"`
}

const (
	columns = `d.id, d.project_id, d.slug, d.title, v.version, v.digest, v.size, v.sizes, d.created_at, d.updated_at`
	joined  = ` FROM designs d JOIN design_versions v ON v.design_id = d.id `
	// scope is the condition of what a caller may use: the account's that aren't marked as deleted, see undo.go, and with
	// a key of a project, that project's.
	scope     = `owner_id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?) AND deleting_at IS NULL`
	noDesign  = "There is no design with this id."
	noVersion = "The design has no version with this number. GET /designs/{designId}/versions lists those that are kept."
)

func inScope(c identity.Caller) []any { return []any{c.UserID, c.KeyProjectID, c.KeyProjectID} }

func (r row) design() Design {
	return Design{
		ID: r.ID, ProjectID: r.ProjectID, Slug: r.Slug, Name: r.Title, Version: r.Version, Digest: r.Digest,
		SizeBytes: r.Size, Sizes: sizesNamed(r.Sizes.V), Images: r.Images, Outdated: r.Outdated,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// sizesNamed returns the sizes that a row names.
func sizesNamed(names []string) (sizes []image.Point) {
	for _, name := range names {
		if size, ok := design.ParseSize(name); ok {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// insert stores a design with its first version, or returns TIER_LOCKED if the plan has no room for it.
func (s store) insert(ctx context.Context, c identity.Caller, d Document, plan billing.Plan) error {
	ownerID := c.UserID
	full := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// The count doesn't see uncommitted inserts, so those of an account are serialized.
		if err := lockAccount(ctx, tx, ownerID); err != nil {
			return err
		}
		now := db.Millis{Time: d.CreatedAt}
		rows, err := tx.Exec(ctx, `INSERT INTO designs
			(id, owner_id, project_id, slug, title, version, created_at, updated_at)
			SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER),
				CAST(? AS BIGINT), CAST(? AS BIGINT)
			WHERE (SELECT COUNT(*) FROM designs WHERE owner_id = ? AND deleting_at IS NULL) < ?`,
			d.ID, ownerID, d.ProjectID, d.Slug, d.Name, d.Version, now, now, ownerID, plan.Designs)
		if full = err == nil && rows == 0; err != nil || full {
			return err
		}
		return addVersion(ctx, tx, d.ID, d.Version, d.HTML, c.KeyID, d.CreatedAt)
	})
	if err != nil {
		return fmt.Errorf("store a design of account %s: %w", ownerID, err)
	}
	if full {
		return noRoom(plan)
	}
	return nil
}

// lockAccount serializes what changes the number of an account's designs until tx ends.
func lockAccount(ctx context.Context, tx *db.Tx, ownerID string) error {
	return tx.Lock(ctx, "designs of "+ownerID)
}

// noRoom says that the plan has no room for another design.
func noRoom(plan billing.Plan) error {
	return apperr.New(apperr.TierLocked, fmt.Sprintf("The plan %s allows %s of your own. Delete one, or change the plan.",
		humanize.Capital(plan.Name), humanize.Count(plan.Designs, "design")))
}

// addVersion stores a version of a design.
func addVersion(
	ctx context.Context, tx *db.Tx, id string, version int, html, keyID string, now time.Time,
) error {
	sizes, err := design.SizesOf(html)
	names := make([]string, len(sizes))
	for i, size := range sizes {
		names[i] = design.SizeName(size)
	}
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO design_versions
			(design_id, version, digest, size, source, sizes, key_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			id, version, design.Digest(html), len(html), html, db.JSON[[]string]{V: names}, keyID, db.Millis{Time: now})
	}
	if err != nil {
		return fmt.Errorf("store version %d of design %s: %w", version, id, err)
	}
	return nil
}

// get returns a design with the document of a version, 0 for the active one.
func (s store) get(ctx context.Context, c identity.Caller, id string, version int) (Document, error) {
	d, err := get(ctx, s.db.Get, c, id, version)
	if version > 0 && apperr.CodeOf(err) == apperr.NotFound {
		if _, missing := get(ctx, s.db.Get, c, id, 0); missing == nil {
			return Document{}, apperr.New(apperr.NotFound, noVersion)
		}
	}
	return d, err
}

// getter is Get of a database or a transaction.
type getter func(ctx context.Context, to any, query string, args ...any) error

func get(ctx context.Context, from getter, c identity.Caller, id string, version int) (Document, error) {
	var r row
	err := from(ctx, &r, `SELECT `+columns+`, v.source`+joined+`WHERE d.id = ? AND `+scope+`
		AND v.version = CASE WHEN CAST(? AS INTEGER) = 0 THEN d.version ELSE CAST(? AS INTEGER) END`,
		append(append([]any{id}, inScope(c)...), version, version)...)
	return Document{Design: r.design(), HTML: r.Source}, db.Missing(err, noDesign, "find design "+id)
}

func (s store) list(
	ctx context.Context, c identity.Caller, projectID, before string, limit int,
) ([]Design, error) {
	args := append(inScope(c), projectID, projectID, before, limit)
	list, err := db.SelectAs(ctx, s.db, row.design, `SELECT `+columns+`,
		(SELECT COUNT(*) FROM images i WHERE i.design_id = d.id AND i.design_id <> ''
			AND i.deleting_at IS NULL) AS images,
		(SELECT COUNT(*) FROM images i WHERE i.design_id = d.id AND i.design_id <> '' AND i.deleting_at IS NULL
			AND i.redraw <> 'null' AND (i.ai = 'null' OR i.ai LIKE '%"fellBack":true%')) AS outdated`+joined+`
		AND v.version = d.version
		WHERE `+scope+` AND (CAST(? AS TEXT) = '' OR project_id = ?) AND d.id < ? ORDER BY d.id DESC LIMIT ?`, args...)
	if err != nil {
		return nil, fmt.Errorf("list the designs of account %s: %w", c.UserID, err)
	}
	return list, nil
}

// ofProject returns all designs of a project.
func (s store) ofProject(ctx context.Context, projectID string) ([]Design, error) {
	list, err := db.SelectAs(ctx, s.db.Brief(), row.design,
		`SELECT `+columns+joined+`AND v.version = d.version WHERE project_id = ?`, projectID)
	if err != nil {
		return nil, fmt.Errorf("list the designs of project %s: %w", projectID, err)
	}
	return list, nil
}

// source returns the document of a version of a design.
func (s store) source(ctx context.Context, id string, version int) (html string, err error) {
	err = s.db.Get(ctx, &html, `SELECT source FROM design_versions WHERE design_id = ? AND version = ?`, id, version)
	return html, db.Missing(err, noVersion, "find the document of design "+id)
}

// versions returns the versions of a design, newest first.
func (s store) versions(ctx context.Context, id string) ([]Version, error) {
	type versionRow struct {
		Number    int               `db:"version"`
		Digest    string            `db:"digest"`
		Size      int64             `db:"size"`
		Sizes     db.JSON[[]string] `db:"sizes"`
		Active    bool              `db:"active"`
		KeyID     string            `db:"key_id"`
		CreatedAt db.Millis         `db:"created_at"`
	}
	list, err := db.SelectAs(ctx, s.db, func(r versionRow) Version {
		return Version{
			Number: r.Number, Digest: r.Digest, SizeBytes: r.Size, Sizes: sizesNamed(r.Sizes.V),
			Active: r.Active, KeyID: r.KeyID, CreatedAt: r.CreatedAt.Time,
		}
	}, `SELECT v.version, v.digest, v.size, v.sizes, v.version = d.version AS active, v.key_id, v.created_at`+joined+`
		WHERE d.id = ? ORDER BY v.version DESC`, id)
	if err != nil {
		return nil, fmt.Errorf("list the versions of design %s: %w", id, err)
	}
	return list, nil
}

// lock returns a design that nobody else changes until tx ends.
func lock(ctx context.Context, tx *db.Tx, c identity.Caller, id string) (Document, error) {
	rows, err := tx.Exec(ctx, `UPDATE designs SET updated_at = updated_at WHERE id = ? AND `+scope,
		append([]any{id}, inScope(c)...)...)
	if err != nil {
		return Document{}, fmt.Errorf("lock design %s: %w", id, err)
	}
	if rows == 0 {
		return Document{}, apperr.New(apperr.NotFound, noDesign)
	}
	return get(ctx, tx.Get, c, id, 0)
}

// update changes a design; activated is called in the same transaction if it has another active version then.
func (s store) update(
	ctx context.Context, c identity.Caller, id string, u Update, now time.Time,
	activated func(context.Context, *db.Tx, string) error,
) (changed Document, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		was, err := lock(ctx, tx, c, id)
		if err != nil {
			return err
		}
		if u.BaseVersion != 0 && u.BaseVersion != was.Version {
			return apperr.New(apperr.Conflict, fmt.Sprintf(
				"Version %d is the active one by now. Load it, and make your change there.", was.Version))
		}
		if u.Name != nil {
			was.Name = *u.Name
		}
		if u.HTML != nil && *u.HTML != was.HTML {
			if was.Version, err = nextVersion(ctx, tx, id); err != nil {
				return err
			}
			if err := addVersion(ctx, tx, id, was.Version, *u.HTML, c.KeyID, now); err != nil {
				return err
			}
			if err := activated(ctx, tx, id); err != nil {
				return err
			}
		}
		changed, err = setActive(ctx, tx, c, was.Design, now)
		return err
	})
	if err != nil {
		return Document{}, fmt.Errorf("change design %s: %w", id, err)
	}
	return changed, nil
}

// restore makes a version the active one; activated is called in the same transaction if it wasn't before.
func (s store) restore(
	ctx context.Context, c identity.Caller, id string, version int, now time.Time,
	activated func(context.Context, *db.Tx, string) error,
) (changed Document, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		was, err := lock(ctx, tx, c, id)
		if err != nil {
			return err
		}
		if was.Version != version {
			if err := activated(ctx, tx, id); err != nil {
				return err
			}
		}
		was.Version = version
		changed, err = setActive(ctx, tx, c, was.Design, now)
		return err
	})
	if apperr.CodeOf(err) == apperr.NotFound {
		return Document{}, apperr.New(apperr.NotFound, noVersion)
	}
	if err != nil {
		return Document{}, fmt.Errorf("restore version %d of design %s: %w", version, id, err)
	}
	return changed, nil
}

// nextVersion returns the number after the highest version.
func nextVersion(ctx context.Context, tx *db.Tx, id string) (next int, err error) {
	err = tx.Get(ctx, &next, `SELECT COALESCE(MAX(version), 0) + 1 FROM design_versions WHERE design_id = ?`, id)
	if err != nil {
		return 0, fmt.Errorf("find the versions of design %s: %w", id, err)
	}
	return next, nil
}

// setActive stores the name and the active version of a design, and deletes versions beyond [MaxVersions].
func setActive(ctx context.Context, tx *db.Tx, c identity.Caller, d Design, now time.Time) (Document, error) {
	_, err := tx.Exec(ctx, `UPDATE designs SET title = ?, version = ?, updated_at = ? WHERE id = ?`, d.Name, d.Version,
		db.Millis{Time: now}, d.ID)
	if err != nil {
		return Document{}, fmt.Errorf("set the version of design %s: %w", d.ID, err)
	}
	var oldest int
	err = tx.Get(ctx, &oldest, `SELECT version FROM design_versions WHERE design_id = ? ORDER BY version DESC
		LIMIT 1 OFFSET ?`, d.ID, MaxVersions-1)
	if err == nil {
		_, err = tx.Exec(ctx, `DELETE FROM design_versions WHERE design_id = ? AND version < ? AND version <> ?`,
			d.ID, oldest, d.Version)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Document{}, fmt.Errorf("delete old versions of design %s: %w", d.ID, err)
	}
	return get(ctx, tx.Get, c, d.ID, 0)
}

func (s store) delete(ctx context.Context, c identity.Caller, id string) error {
	rows, err := s.db.Exec(ctx, `DELETE FROM designs WHERE id = ? AND `+scope, append([]any{id}, inScope(c)...)...)
	if err != nil {
		return fmt.Errorf("delete design %s: %w", id, err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, noDesign)
	}
	return nil
}
