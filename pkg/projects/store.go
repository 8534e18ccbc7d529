package projects

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/render"
)

type store struct {
	db        *db.DB
	rebranded []BrandHook
}

// row is a Project as stored in its table.
type row struct {
	ID        string            `db:"id"`
	PublicID  string            `db:"public_id"`
	OwnerID   string            `db:"owner_id"`
	Name      string            `db:"name"`
	Domains   db.JSON[[]string] `db:"domains"`
	PublicAI  bool              `db:"public_ai"`
	Template  string            `db:"brand_template"`
	Accent    string            `db:"brand_accent"`
	LogoID    string            `db:"brand_logo"`
	LogoFile  string            `db:"brand_logo_file"`
	LogoAt    string            `db:"brand_logo_position"`
	Heading   string            `db:"brand_heading_font"`
	Text      string            `db:"brand_text_font"`
	Branded   int64             `db:"brand_version"`
	CreatedAt db.Millis         `db:"created_at"`
	UpdatedAt db.Millis         `db:"updated_at"`

	SigningKey       string `db:"signing_key"`
	PreviousKey      string `db:"previous_signing_key"`
	RequireSignature bool   `db:"require_signature"`
}

const columns = `id, public_id, owner_id, name, domains, public_ai, brand_template, created_at, updated_at, signing_key,
	previous_signing_key, require_signature, brand_accent, brand_logo, brand_logo_position, brand_heading_font,
	brand_text_font, brand_version, COALESCE((SELECT assets.digest || '/' || assets.name FROM assets
		WHERE assets.id = projects.brand_logo AND assets.project_id = projects.id), '') AS brand_logo_file`

// noProject is the message for a project that doesn't exist or belongs to another account.
const noProject = "There is no project with this id."

func (r row) project() Project {
	p := Project{
		ID: r.ID, PublicID: r.PublicID, OwnerID: r.OwnerID, Name: r.Name, Domains: r.Domains.V, PublicAI: r.PublicAI,
		Brand: Brand{
			Template: r.Template, Accent: r.Accent, LogoID: r.LogoID, LogoFile: r.LogoFile, LogoPosition: r.LogoAt,
			HeadingFont: r.Heading, TextFont: r.Text,
		},
		BrandVersion: r.Branded, RequireSignature: r.RequireSignature, CreatedAt: r.CreatedAt.Time,
		UpdatedAt: r.UpdatedAt.Time,
	}
	for _, key := range []string{r.SigningKey, r.PreviousKey} {
		if key != "" {
			p.SigningKeys = append(p.SigningKeys, key)
		}
	}
	return p
}

// insert stores a project, or returns Conflict if its owner already has most projects. It does also in the same
// transaction.
func (s store) insert(ctx context.Context, p Project, most int, also func(*db.Tx, Project) error) error {
	var rows int64
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		// The count doesn't see uncommitted inserts, so inserts of one owner are serialized.
		if err := tx.Lock(ctx, "projects of "+p.OwnerID); err != nil {
			return err
		}
		rows, err = tx.Exec(ctx,
			`INSERT INTO projects (id, public_id, owner_id, name, domains, public_ai, created_at, updated_at)
			SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM projects WHERE owner_id = ?) < ?`,
			p.ID, p.PublicID, p.OwnerID, p.Name, db.JSON[[]string]{V: p.Domains}, p.PublicAI, db.Millis{Time: p.CreatedAt},
			db.Millis{Time: p.UpdatedAt}, p.OwnerID, most)
		if err != nil || rows == 0 {
			return err
		}
		return also(tx, p)
	})
	if err != nil {
		return fmt.Errorf("store a project of account %s: %w", p.OwnerID, err)
	}
	if rows == 0 {
		return apperr.New(apperr.Conflict,
			fmt.Sprintf("An account can have at most %d projects. Delete one that you no longer need.", most))
	}
	return nil
}

func (s store) get(ctx context.Context, ownerID, id string) (Project, error) {
	var r row
	err := s.db.Brief().Get(ctx, &r, `SELECT `+columns+` FROM projects WHERE id = ? AND owner_id = ?`, id, ownerID)
	return r.project(), db.Missing(err, noProject, "find project "+id)
}

func (s store) byPublicID(ctx context.Context, publicID string) (Project, error) {
	var r struct {
		row
		Closed bool `db:"closed"`
	}
	err := s.db.Get(ctx, &r, `SELECT `+columns+`,
			(SELECT disabled FROM users WHERE users.id = projects.owner_id) AS closed
		FROM projects WHERE public_id = ?`, publicID)
	p := r.project()
	p.Closed = r.Closed
	return p, db.Missing(err, errNoPublicID.Detail, "find a project by its public id")
}

func (s store) byName(ctx context.Context, ownerID, name string) (Project, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM projects WHERE owner_id = ? AND name = ? ORDER BY id LIMIT 1`,
		ownerID, name)
	return r.project(), db.Missing(err, "There is no project with this name.", "find a project by name")
}

// publicOwner returns the ID and owner of the project with a public ID.
func (s store) publicOwner(ctx context.Context, publicID string) (id, ownerID string, err error) {
	var r struct {
		ID      string `db:"id"`
		OwnerID string `db:"owner_id"`
	}
	err = s.db.Get(ctx, &r, `SELECT id, owner_id FROM projects WHERE public_id = ?`, publicID)
	return r.ID, r.OwnerID, db.Missing(err, noProject, "find a project by its public id")
}

// list returns at most limit projects whose IDs are less than before, in descending order. IDs are UUIDv7, so the
// newest come first.
func (s store) list(ctx context.Context, ownerID, before string, limit int) ([]Project, error) {
	list, err := db.SelectAs(ctx, s.db.Brief(), row.project,
		`SELECT `+columns+` FROM projects WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
		ownerID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the projects of account %s: %w", ownerID, err)
	}
	return list, nil
}

// update does also in the same transaction.
func (s store) update(
	ctx context.Context, ownerID, id string, u Update, now time.Time, also func(*db.Tx, Project) error,
) (Project, error) {
	var domains any
	if u.Domains != nil {
		domains = db.JSON[[]string]{V: *u.Domains}
	}
	var r row
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		was, err := s.brandBefore(ctx, tx, ownerID, id, u)
		if err != nil {
			return err
		}
		err = tx.Get(ctx, &r,
			`UPDATE projects SET name = COALESCE(?, name), domains = COALESCE(?, domains),
				public_ai = COALESCE(?, public_ai), brand_template = COALESCE(?, brand_template),
				require_signature = COALESCE(?, require_signature), brand_accent = COALESCE(?, brand_accent),
				brand_logo = COALESCE(?, brand_logo), brand_logo_position = COALESCE(?, brand_logo_position),
				brand_heading_font = COALESCE(?, brand_heading_font), brand_text_font = COALESCE(?, brand_text_font),
				brand_version = brand_version + ?, updated_at = ?
			WHERE id = ? AND owner_id = ? RETURNING `+columns,
			u.Name, domains, u.PublicAI, u.Template, u.RequireSignature, u.Accent, u.LogoID, u.LogoPosition,
			u.HeadingFont, u.TextFont, changes(was, u), db.Millis{Time: now}, id, ownerID)
		if err != nil {
			return err
		}
		if r.RequireSignature && r.SigningKey == "" {
			return apperr.New(apperr.Conflict, "The project has no signing key yet. Create one first.")
		}
		if err := checkBrand(ctx, tx, id, u); err != nil {
			return err
		}
		if is := r.project().Brand; was != nil && *was != is {
			for _, call := range s.rebranded {
				if err := call(ctx, tx, id, *was, is); err != nil {
					return err
				}
			}
		}
		return also(tx, r.project())
	})
	return r.project(), db.Missing(err, noProject, "update project "+id)
}

// brandBefore returns the brand of a project that an update may change, or nil if it changes no brand. Such updates of
// a project wait for each other.
func (s store) brandBefore(ctx context.Context, tx *db.Tx, ownerID, id string, u Update) (*Brand, error) {
	if !slices.ContainsFunc(u.brand(), func(part *string) bool { return part != nil }) {
		return nil, nil //nolint:nilnil // no error, and no change
	}
	if err := tx.Lock(ctx, "brand of "+id); err != nil {
		return nil, err
	}
	var r row
	err := tx.Get(ctx, &r, `SELECT `+columns+` FROM projects WHERE id = ? AND owner_id = ?`, id, ownerID)
	was := r.project().Brand
	return &was, err
}

// brand returns the parts of the brand that an update changes, nil for those that stay.
func (u Update) brand() []*string {
	return []*string{u.Template, u.Accent, u.LogoID, u.LogoPosition, u.HeadingFont, u.TextFont}
}

// changes is 1 for an update that changes a brand, otherwise 0.
func changes(was *Brand, u Update) int {
	if was == nil {
		return 0
	}
	now := []string{was.Template, was.Accent, was.LogoID, was.LogoPosition, was.HeadingFont, was.TextFont}
	for i, part := range u.brand() {
		if part != nil && *part != now[i] {
			return 1
		}
	}
	return 0
}

// checkBrand returns an error for a logo or font that the project doesn't have.
func checkBrand(ctx context.Context, tx *db.Tx, id string, u Update) error {
	if u.LogoID != nil && *u.LogoID != "" {
		var pictures int
		err := tx.Get(ctx, &pictures, `SELECT COUNT(*) FROM assets WHERE id = ? AND project_id = ? AND family = ''`,
			*u.LogoID, id)
		if err != nil {
			return err
		}
		if pictures == 0 {
			return apperr.Invalid("/brand/logoAssetId",
				"The project has no picture with this id. GET /projects/{projectId}/assets lists them.")
		}
	}
	for pointer, family := range map[string]*string{"/brand/headingFont": u.HeadingFont, "/brand/textFont": u.TextFont} {
		if family == nil || *family == "" || slices.Contains(render.Fonts(), *family) {
			continue
		}
		var fonts int
		err := tx.Get(ctx, &fonts, `SELECT COUNT(*) FROM assets WHERE project_id = ? AND family = ?`, id, *family)
		if err != nil {
			return err
		}
		if fonts == 0 {
			return apperr.Invalid(pointer, "The project has no font of this family. Upload one, or use one of: "+
				strings.Join(render.Fonts(), ", ")+".")
		}
	}
	return nil
}

// rotateSigningKey does also in the same transaction.
func (s store) rotateSigningKey(
	ctx context.Context, ownerID, id, key string, now time.Time, also func(*db.Tx, Project) error,
) (Project, error) {
	var r row
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, &r, `UPDATE projects SET previous_signing_key = signing_key, signing_key = ?, updated_at = ?
			WHERE id = ? AND owner_id = ? RETURNING `+columns, key, db.Millis{Time: now}, id, ownerID)
		if err != nil {
			return err
		}
		return also(tx, r.project())
	})
	return r.project(), db.Missing(err, noProject, "rotate the signing key of project "+id)
}

// delete does also in the same transaction.
func (s store) delete(ctx context.Context, ownerID, id string, also func(*db.Tx, Project) error) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var r row
		err := tx.Get(ctx, &r, `DELETE FROM projects WHERE id = ? AND owner_id = ? RETURNING `+columns, id, ownerID)
		if err != nil {
			return err
		}
		return also(tx, r.project())
	})
	return db.Missing(err, noProject, "delete project "+id)
}

// stopPublicAI does also in the same transaction.
func (s store) stopPublicAI(
	ctx context.Context, id string, now time.Time, also func(*db.Tx, Project) error,
) (stopped bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		stopped = false
		var r row
		err := tx.Get(ctx, &r, `UPDATE projects SET public_ai = FALSE, updated_at = ? WHERE id = ? AND public_ai
			RETURNING `+columns, db.Millis{Time: now}, id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		stopped = true
		return also(tx, r.project())
	})
	if err != nil {
		return false, fmt.Errorf("turn off public AI pictures of project %s: %w", id, err)
	}
	return stopped, nil
}
