// Package store keeps images in the database: the one place with the SQL of their tables. It knows what an image, its
// files and its earlier pictures are, and nothing of how they are drawn, redrawn or served.
//
//   - image.go: [Image], finding, saving and deleting images; file.go: their files; ai.go: their AI pictures
//   - versions.go: earlier pictures; redraw.go, cause.go: images that are outdated, and what makes them so
//   - variants.go: what GET /og made of its own accord; undo.go: deletions that can be taken back
//   - changes.go: what other nodes have changed
package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/etag"
	"masthead/pkg/imagecache"
	"masthead/render"
)

// Store has the images of a database. Its methods are safe for concurrent use.
type Store struct{ db *db.DB }

// New returns the images in d.
func New(d *db.DB) Store { return Store{d} }

// Brief is the store for statements that find or change one image: see [db.DB.Brief].
func (s Store) Brief() Store { return Store{s.db.Brief()} }

// Regenerable is the store for images that can be made again: see [db.DB.Regenerable].
func (s Store) Regenerable() Store { return Store{s.db.Regenerable()} }

// Image is an image as the database keeps it, with its files.
type Image struct {
	ID        string                 `db:"id"`
	PublicID  string                 `db:"public_id"`
	CacheKey  string                 `db:"cache_key"`
	OwnerID   string                 `db:"owner_id"`
	ProjectID string                 `db:"project_id"`
	Kind      card.Kind              `db:"kind"`
	URL       string                 `db:"url"`
	Template  string                 `db:"template"` // as it was requested; for auto, Page has what was drawn
	Style     db.JSON[card.Style]    `db:"style"`
	AI        db.JSON[*AIResult]     `db:"ai"`
	Page      db.JSON[card.PageData] `db:"source"`
	Content   db.JSON[*card.Content] `db:"content"` // nil when it is not known
	Alt       string                 `db:"alt"`
	CreatedAt db.Millis              `db:"created_at"`
	UpdatedAt db.Millis              `db:"updated_at"`
	// Variant says that GET /og has made it, and nobody asked for it by POST.
	Variant bool `db:"variant"`
	// Lacks says what the picture had to do without for a while; "" when nothing.
	Lacks string `db:"lacks"`
	// Warnings are what the picture does without.
	Warnings db.JSON[[]render.Warning] `db:"warnings"`
	// Redraw is what is known of the attempts to redraw an outdated picture; nil for one that needs none.
	Redraw db.JSON[*Redraw] `db:"redraw"`
	// DesignID is the project's own design that was drawn, or "", Data the request's data for it. BaseKey is the key that
	// all of its versions, and all brands, have in common.
	DesignID string                   `db:"design_id"`
	BaseKey  string                   `db:"base_key"`
	Data     db.JSON[json.RawMessage] `db:"data"`
	// LeftOpen is what the request left open, as [card.Open]; nil for an image that was drawn before this was stored.
	LeftOpen *int64 `db:"left_open"`
	// Version is the number of the picture among those that the image had.
	Version int64 `db:"version"`
	// ChecksBrand makes the image an outdated one if the version of the project's brand isn't BrandVersion when it is
	// saved.
	ChecksBrand  bool
	BrandVersion int64
	// Keep makes the picture that this one replaces a version.
	Keep bool
	// Files are what was drawn, at least one.
	Files []File `db:"-"`
}

// CacheImage is what is kept in memory of the image.
func (r Image) CacheImage() *imagecache.Image {
	first := r.Files[0]
	return &imagecache.Image{
		PublicID: r.PublicID, ProjectID: r.ProjectID, OwnerID: r.OwnerID, Kind: string(r.Kind),
		File: first.BlobName(), ContentType: first.ContentType, Size: first.SizeBytes,
		ETag: []string{etag.OfDigest(first.Digest)}, UpdatedAt: r.UpdatedAt.UnixMilli(),
		Short: r.WillBeBetter(), Outdated: r.IsOutdated(), Variant: r.Variant, Permanent: r.Lasts(),
	}
}

// IsAI says whether an image has an AI picture behind its text.
func (r Image) IsAI() bool { return r.AI.V != nil && !r.AI.V.FellBack }

// Lasts says whether an image stands whatever the time.
func (r Image) Lasts() bool {
	ai := r.AI.V
	return r.Lacks == "" && (ai == nil || !ai.FellBack || ai.FallbackReason == ReasonTemplate)
}

// WillBeBetter says whether the same request may get a better picture soon.
func (r Image) WillBeBetter() bool {
	return r.Lacks != "" || r.IsOutdated() || r.AI.V != nil && r.AI.V.willBeBetter()
}

// Open returns what the row says that the request of its image left open.
func (r Image) Open() card.Open {
	if r.LeftOpen == nil {
		return 0
	}
	return card.Open(*r.LeftOpen)
}

// HasBrand reports whether the image follows the brand of its project.
func (r Image) HasBrand() bool { return r.Open()&card.OpenBrand != 0 && !r.IsAI() }

// joinedRow is an image beside one of its files.
type joinedRow struct {
	Image
	File
}

const (
	columns = `id, public_id, cache_key, owner_id, project_id, kind, url, template, style, ai, source, content,
		alt, created_at, updated_at, variant, lacks, warnings, redraw, version, design_id, base_key, data, left_open`
	joined = `SELECT ` + columns + `, name, digest, content_type, width, height, size_bytes FROM images
		JOIN image_files ON image_id = id`
	noImage = "There is no image with this id."
)

// ErrNoImage says that there is no image with the id that was asked for.
var ErrNoImage = apperr.New(apperr.NotFound, noImage)

// together gives each image its files; those of one image follow one another in rows.
func together(rows []joinedRow) (all []Image) {
	for _, r := range rows {
		if n := len(all); n == 0 || all[n-1].ID != r.ID {
			all = append(all, r.Image)
		}
		last := &all[len(all)-1]
		last.Files = append(last.Files, r.File)
	}
	return all
}

// one returns the image that the condition finds; sql.ErrNoRows when there is none.
func (s Store) one(ctx context.Context, condition string, args ...any) (Image, error) {
	var rows []joinedRow
	if err := s.db.Select(ctx, &rows, joined+` WHERE `+condition+` ORDER BY position`, args...); err != nil {
		return Image{}, err
	}
	if len(rows) == 0 {
		return Image{}, sql.ErrNoRows
	}
	return together(rows)[0], nil
}

// ByKey returns the image under a cache key; found is false when there is none.
func (s Store) ByKey(ctx context.Context, key string) (kept Image, found bool, err error) {
	kept, err = s.Brief().one(ctx, `cache_key = ?`, key)
	if errors.Is(err, sql.ErrNoRows) {
		return Image{}, false, nil
	}
	if err != nil {
		return Image{}, false, fmt.Errorf("find image by key: %w", err)
	}
	return kept, true, nil
}

// ByID returns an image of an owner, or NOT_FOUND.
func (s Store) ByID(ctx context.Context, ownerID, id string) (Image, error) {
	kept, err := s.Brief().one(ctx, `id = ? AND owner_id = ? AND deleting_at IS NULL`, id, ownerID)
	return kept, db.Missing(err, noImage, "find image "+id)
}

// ByPublicID returns the image with a public id, or NOT_FOUND.
func (s Store) ByPublicID(ctx context.Context, publicID string) (Image, error) {
	kept, err := s.Brief().one(ctx, `public_id = ?`, publicID)
	return kept, db.Missing(err, noImage, "find image by public id")
}

// Shown returns what GET /og needs to know of an image: less than half of what there is to read and decode.
func (s Store) Shown(ctx context.Context, publicID string) (*imagecache.Image, error) {
	var r joinedRow
	err := s.db.Brief().Get(ctx, &r, `SELECT public_id, owner_id, project_id, kind, updated_at, variant, lacks, ai, redraw,
			name, digest, content_type, size_bytes
		FROM images JOIN image_files ON image_id = id WHERE public_id = ? ORDER BY position LIMIT 1`, publicID)
	if err := db.Missing(err, noImage, "find image by public id"); err != nil {
		return nil, err
	}
	r.Files = []File{r.File}
	return r.CacheImage(), nil
}

// Filter selects images. Empty fields select all.
type Filter struct {
	ProjectID string
	Kind      card.Kind
	Template  string
	// Query is a part of the page's address or of the alternative text.
	Query string
}

// List returns the owner's images that f selects, newest first, from the one before the given id on. Ids are UUIDv7,
// which sort by time.
func (s Store) List(ctx context.Context, ownerID string, f Filter, before string, limit int) ([]Image, error) {
	query, args := `SELECT id FROM images WHERE owner_id = ? AND id < ? AND deleting_at IS NULL`,
		[]any{ownerID, before}
	also := func(condition string, more ...any) { query, args = query+` AND `+condition, append(args, more...) }
	if f.ProjectID != "" {
		also(`project_id = ?`, f.ProjectID)
	}
	if f.Kind != "" {
		also(`kind = ?`, f.Kind)
	}
	if f.Template != "" {
		also(`template = ?`, f.Template)
	}
	if f.Query != "" {
		// The database lowers both sides, since SQLite and Postgres do it for different characters.
		part := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(f.Query) + "%"
		also(`(LOWER(url) LIKE LOWER(?) ESCAPE '\' OR LOWER(alt) LIKE LOWER(?) ESCAPE '\')`, part, part)
	}
	query, args = query+` ORDER BY id DESC LIMIT ?`, append(args, limit)
	var rows []joinedRow
	if err := s.db.Select(ctx, &rows, joined+` WHERE id IN (`+query+`) ORDER BY id DESC, position`, args...); err != nil {
		return nil, fmt.Errorf("list images: %w", err)
	}
	return together(rows), nil
}

// ErrOvertaken says that another job has kept the image since this one looked.
var ErrOvertaken = errors.New("another job has kept the image")

// Save keeps an image, whose files were written, under its key. One that is there already keeps its id,
// public id and time of creation; everything else is replaced at once, so that a reader sees the old or the new. refer
// ends the hold of the files, in the same transaction, and takes those that are replaced; also is done after it.
//
// seen, unless it is nil, is the updated_at of the one image that may be replaced; with another under the key it is
// [ErrOvertaken]. That moment is another one after each save, whatever the clocks say.
//
// The project may have gone while the picture was drawn: that is FORBIDDEN.
func (s Store) Save(
	ctx context.Context, fresh Image, seen *db.Millis,
	refer func(tx *db.Tx, replaced []blob.Name) error, also func(*db.Tx, Image) error,
) (saved Image, err error) {
	condition, args := ``, fresh.values()
	if seen != nil {
		condition, args = ` WHERE images.updated_at = ?`, append(args, *seen)
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		// The row of the image comes first: whoever saves or deletes the same image waits here.
		saved = fresh
		kept := false
		if fresh.Keep {
			var err error
			if kept, err = keepVersion(ctx, tx, fresh); err != nil {
				return err
			}
		}
		err := tx.Get(ctx, &saved, `INSERT INTO images (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
				?, ?, ?, ?, `+redrawOf+`, ?, ?, ?, ?, ?)
			ON CONFLICT (cache_key) DO UPDATE SET template = excluded.template, style = excluded.style, ai = excluded.ai,
				`+openOf+`,
				source = excluded.source, content = excluded.content, alt = excluded.alt,
				variant = images.variant AND excluded.variant, lacks = excluded.lacks,
				warnings = excluded.warnings, redraw = excluded.redraw,
				updated_at = CASE WHEN excluded.updated_at > images.updated_at THEN excluded.updated_at
					ELSE images.updated_at + 1 END`+condition+`
			RETURNING id, public_id, created_at, updated_at, variant, version`, args...)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrOvertaken
		}
		if err != nil {
			return err
		}
		var old []File
		if saved.ID != fresh.ID {
			if old, err = filesOf(ctx, tx, saved.ID); err != nil {
				return err
			}
		}
		var replaced []blob.Name
		if !kept { // else the version has its files
			replaced = NamesOf(old)
		}
		if err := refer(tx, replaced); err != nil {
			return err
		}
		if err := setFiles(ctx, tx, saved.ID, fresh.Files, old); err != nil {
			return err
		}
		return also(tx, saved)
	})
	if db.IsForeignKey(err) {
		return Image{}, apperr.New(apperr.Forbidden, "The project was deleted while the picture was being drawn.")
	}
	if err != nil {
		return Image{}, fmt.Errorf("save image: %w", err)
	}
	saved.Files = fresh.Files
	return saved, nil
}

const (
	// redrawOf is the value of redraw for a picture that is saved: it is outdated if a brand has a part in it and the
	// project has another one by now.
	redrawOf = `CASE WHEN CAST(? AS BOOLEAN) AND EXISTS (SELECT 1 FROM projects WHERE id = ?
			AND brand_version NOT IN (0, ?)) THEN '{"brand":true}' ELSE CAST(? AS TEXT) END`
	// openOf keeps what all requests for an image leave open. Two that each name something else aren't found by their base
	// key any more.
	openOf = `left_open = CASE WHEN images.left_open IS NULL THEN excluded.left_open
					ELSE images.left_open & excluded.left_open END,
				base_key = CASE WHEN images.left_open IS NULL OR (images.left_open & excluded.left_open) = excluded.left_open
					THEN excluded.base_key WHEN (images.left_open & excluded.left_open) = images.left_open THEN images.base_key
					ELSE '' END`
)

// values are those of the columns.
func (r Image) values() []any {
	return []any{
		r.ID, r.PublicID, r.CacheKey, r.OwnerID, r.ProjectID, r.Kind, r.URL, r.Template, r.Style, r.AI, r.Page, r.Content,
		r.Alt, r.CreatedAt, r.UpdatedAt, r.Variant, r.Lacks, r.Warnings,
		r.ChecksBrand, r.ProjectID, r.BrandVersion, r.Redraw,
		r.Version, r.DesignID, r.BaseKey, r.Data, r.LeftOpen,
	}
}

// Delete removes the owner's image and returns its public id.
func (s Store) Delete(ctx context.Context, ownerID, id string) (publicID string, err error) {
	err = s.db.GetWrite(ctx, &publicID,
		`DELETE FROM images WHERE id = ? AND owner_id = ? AND deleting_at IS NULL RETURNING public_id`, id, ownerID)
	return publicID, db.Missing(err, noImage, "delete image "+id)
}

// Naming returns at most limit images that name a file.
func (s Store) Naming(ctx context.Context, n blob.Name, limit int) ([]Image, error) {
	var rows []joinedRow
	err := s.db.Select(ctx, &rows, joined+` WHERE id IN (SELECT image_id FROM image_files WHERE digest = ? AND name = ?
		ORDER BY image_id LIMIT ?) ORDER BY id, position`, n.Digest, n.File, limit)
	if err != nil {
		return nil, fmt.Errorf("find the images of a file: %w", err)
	}
	return together(rows), nil
}

// Find returns an image of any owner; found is false when there is none.
func (s Store) Find(ctx context.Context, id string) (kept Image, found bool, err error) {
	kept, err = s.one(ctx, `id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Image{}, false, nil
	}
	if err != nil {
		return Image{}, false, fmt.Errorf("find image %s: %w", id, err)
	}
	return kept, true, nil
}
