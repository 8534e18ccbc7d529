package images

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// store is the SQL of images.
type store struct{ db *db.DB }

const columns = `id, public_id, cache_key, owner_id, project_id, kind, url, template, style, ai, source, alt, width, height,
	digest, version, file_name, content_type, size_bytes, created_at, updated_at`

var errNoImage = apperr.New(apperr.NotFound, "There is no image with this id.")

// one turns "no rows" into the answer that an id without an image gets.
func one(r row, err error) (row, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, errNoImage
	}
	if err != nil {
		return row{}, fmt.Errorf("find image: %w", err)
	}
	return r, nil
}

// byKey returns the image under a cache key; found is false when there is none.
func (s *store) byKey(ctx context.Context, key string) (r row, found bool, err error) {
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM images WHERE cache_key = ?`, key)
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, false, nil
	}
	if err != nil {
		return row{}, false, fmt.Errorf("find image by key: %w", err)
	}
	return r, true, nil
}

func (s *store) byID(ctx context.Context, ownerID, id string) (r row, err error) {
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM images WHERE id = ? AND owner_id = ?`, id, ownerID)
	return one(r, err)
}

func (s *store) byPublicID(ctx context.Context, publicID string) (r row, err error) {
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM images WHERE public_id = ?`, publicID)
	return one(r, err)
}

// list returns the owner's images, newest first, from the one before the given id on. Ids are UUIDv7, which sort by time.
func (s *store) list(ctx context.Context, ownerID, projectID string, kind Kind, before string, limit int) ([]row, error) {
	query, args := `SELECT `+columns+` FROM images WHERE owner_id = ? AND id < ?`, []any{ownerID, before}
	if projectID != "" {
		query, args = query+` AND project_id = ?`, append(args, projectID)
	}
	if kind != "" {
		query, args = query+` AND kind = ?`, append(args, kind)
	}
	var rows []row
	if err := s.db.Select(ctx, &rows, query+` ORDER BY id DESC LIMIT ?`, append(args, limit)...); err != nil {
		return nil, fmt.Errorf("list images: %w", err)
	}
	return rows, nil
}

// save keeps r under its key, in a transaction in which put has first made sure of its file. An image that is there already
// keeps its id, public id and time of creation; everything else is replaced at once, so that a reader sees the old or the new.
//
// The project may have gone while the picture was drawn: that is NOT_FOUND.
func (s *store) save(ctx context.Context, r row, put func() error) (saved row, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		// No sweep may remove the file between the moment it is found there and the moment a record names it.
		if err := tx.Lock(ctx, r.Digest); err != nil {
			return err
		}
		if err := put(); err != nil {
			return err
		}
		return tx.Get(ctx, &saved, `INSERT INTO images (`+columns+`)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (cache_key) DO UPDATE SET template = excluded.template, style = excluded.style, ai = excluded.ai,
				source = excluded.source, alt = excluded.alt, width = excluded.width, height = excluded.height,
				digest = excluded.digest, version = excluded.version, file_name = excluded.file_name,
				content_type = excluded.content_type, size_bytes = excluded.size_bytes, updated_at = excluded.updated_at
			RETURNING `+columns,
			r.ID, r.PublicID, r.CacheKey, r.OwnerID, r.ProjectID, r.Kind, r.URL, r.Template, r.Style, r.AI, r.Page, r.Alt,
			r.Width, r.Height, r.Digest, r.Version, r.FileName, r.ContentType, r.SizeBytes, r.CreatedAt, r.UpdatedAt)
	})
	if db.IsForeignKey(err) {
		return row{}, apperr.New(apperr.Forbidden, "The project was deleted while the picture was drawn.")
	}
	if err != nil {
		return row{}, fmt.Errorf("save image: %w", err)
	}
	return saved, nil
}

// delete removes the owner's image and returns what it was.
func (s *store) delete(ctx context.Context, ownerID, id string) (r row, err error) {
	err = s.db.GetWrite(ctx, &r, `DELETE FROM images WHERE id = ? AND owner_id = ? RETURNING `+columns, id, ownerID)
	return one(r, err)
}

// filesOf returns the files that the images name whose column, one of ours, has the value.
func (s *store) filesOf(ctx context.Context, column, value string) ([]blob.Name, error) {
	var rows []row
	if err := s.db.Select(ctx, &rows, `SELECT DISTINCT digest, file_name FROM images WHERE `+column+` = ?`, value); err != nil {
		return nil, fmt.Errorf("list the files of images: %w", err)
	}
	names := make([]blob.Name, len(rows))
	for i, r := range rows {
		names[i] = r.blobName()
	}
	return names, nil
}

// version returns the start of the SHA-256 of the file that a record names by digest; "" when no record does.
func (s *store) version(ctx context.Context, digest string) (version string, err error) {
	err = s.db.Get(ctx, &version, `SELECT version FROM images WHERE digest = ? LIMIT 1`, digest)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the record of a file: %w", err)
	}
	return version, nil
}

// ifUnnamed calls drop when no record names digest, and lets none come to name it meanwhile.
func (s *store) ifUnnamed(ctx context.Context, digest string, drop func() error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, digest); err != nil {
			return err
		}
		var named bool
		if err := tx.Get(ctx, &named, `SELECT EXISTS (SELECT 1 FROM images WHERE digest = ?)`, digest); err != nil {
			return fmt.Errorf("look for records of a file: %w", err)
		}
		if named {
			return nil
		}
		return drop()
	})
}
