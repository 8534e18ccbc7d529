package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/render"
)

// Version is an earlier picture of an image as it is stored, with its files.
type Version struct {
	ImageID    string                    `db:"image_id"`
	Number     int64                     `db:"version"` // greater than those of earlier pictures of the image
	AI         db.JSON[*AIResult]        `db:"ai"`
	Page       db.JSON[card.PageData]    `db:"source"`
	Alt        string                    `db:"alt"`
	Warnings   db.JSON[[]render.Warning] `db:"warnings"`
	Picture    string                    `db:"picture"` // see [PictureOf]
	ShownFrom  db.Millis                 `db:"shown_from"`
	ShownUntil db.Millis                 `db:"shown_until"`
	Files      []File                    `db:"-"`
	Background *File                     `db:"-"` // its AI picture, if that is kept
}

// MaxVersions is how many earlier pictures an image has at most.
const MaxVersions = 10

// ErrNoVersion says that an image has no earlier picture with the number that was asked for.
var ErrNoVersion = apperr.New(apperr.NotFound, "There is no earlier version of this image with this number.")

// noPosition is the position of an AI picture among the files of a version.
const noPosition = -1

const versionFiles = `image_id, version, position, name, digest, content_type, width, height, size_bytes`

// keepVersion makes a version of the image that fresh replaces, if there is one and its picture is another. It locks
// the row of the image first, so that nothing else replaces it.
func keepVersion(ctx context.Context, tx *db.Tx, fresh Image) (kept bool, err error) {
	var was Image
	err = tx.Get(ctx, &was, `UPDATE images SET version = version WHERE cache_key = ? RETURNING `+columns, fresh.CacheKey)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		was.Files, err = filesOf(ctx, tx, was.ID)
	}
	if err != nil {
		return false, fmt.Errorf("find the picture to replace: %w", err)
	}
	picture := PictureOf(was.Files)
	if was.IsOutdated() || picture == PictureOf(fresh.Files) {
		return false, nil
	}
	var size int64
	for _, f := range was.Files {
		size += f.SizeBytes
	}
	statements := []struct {
		query string
		args  []any
	}{
		{
			`INSERT INTO image_versions (image_id, version, owner_id, ai, source, alt, warnings, picture, size, shown_from,
				shown_until) SELECT id, version, owner_id, ai, source, alt, warnings, CAST(? AS TEXT),
				CAST(? AS BIGINT) + COALESCE((SELECT b.size FROM image_backgrounds b WHERE b.image_id = images.id), 0), updated_at,
				CAST(? AS BIGINT) FROM images WHERE id = ?`,
			[]any{picture, size, fresh.UpdatedAt, was.ID},
		},
		{
			`INSERT INTO image_version_files (` + versionFiles + `) SELECT image_id, CAST(? AS BIGINT), position, name, digest,
				content_type, width, height, size_bytes FROM image_files WHERE image_id = ?
			UNION ALL SELECT image_id, CAST(? AS BIGINT), CAST(? AS INTEGER), name, digest, 'image/jpeg', 0, 0, size
				FROM image_backgrounds WHERE image_id = ?`,
			[]any{was.Version, was.ID, was.Version, noPosition, was.ID},
		},
		{`UPDATE images SET version = version + 1 WHERE id = ?`, []any{was.ID}},
	}
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s.query, s.args...); err != nil {
			return false, fmt.Errorf("keep the picture to replace: %w", err)
		}
	}
	return true, nil
}

// Versions returns the versions of an image that were shown after a moment, the latest first.
func (s Store) Versions(ctx context.Context, imageID string, after db.Millis) ([]Version, error) {
	return s.versionsThat(ctx, ``, imageID, after)
}

// Version returns one of them, or [ErrNoVersion].
func (s Store) Version(ctx context.Context, imageID string, number int64, after db.Millis) (Version, error) {
	found, err := s.versionsThat(ctx, ` AND v.version = ?`, imageID, after, number)
	if err != nil {
		return Version{}, err
	}
	if len(found) == 0 {
		return Version{}, ErrNoVersion
	}
	return found[0], nil
}

func (s Store) versionsThat(ctx context.Context, condition string, args ...any) (all []Version, err error) {
	var rows []struct {
		Version
		File
		Position int `db:"position"`
	}
	err = s.db.Brief().Select(ctx, &rows, `SELECT v.image_id, v.version, v.ai, v.source, v.alt, v.warnings, v.picture,
			v.shown_from, v.shown_until, f.position, f.name, f.digest, f.content_type, f.width, f.height, f.size_bytes
		FROM image_versions v JOIN image_version_files f ON f.image_id = v.image_id AND f.version = v.version
		WHERE v.image_id = ? AND v.shown_until > ?`+condition+` ORDER BY v.version DESC, f.position`, args...)
	if err != nil {
		return nil, fmt.Errorf("find versions of an image: %w", err)
	}
	for _, r := range rows {
		if n := len(all); n == 0 || all[n-1].Number != r.Number {
			all = append(all, r.Version)
		}
		last := &all[len(all)-1]
		if r.Position == noPosition {
			last.Background = &r.File
			continue
		}
		last.Files = append(last.Files, r.File)
	}
	return all, nil
}

// PruneVersions deletes the versions of an account that are more than their image can have, repeat a later one, or are
// over a limit of bytes for all, of which the latest have the first.
func (s Store) PruneVersions(ctx context.Context, ownerID string, limit int64) error {
	_, err := s.db.Exec(ctx, `DELETE FROM image_versions WHERE (image_id, version) IN (SELECT image_id, version FROM (
		SELECT image_id, version, ROW_NUMBER() OVER (PARTITION BY image_id ORDER BY version DESC) AS nth,
			ROW_NUMBER() OVER (PARTITION BY image_id, picture ORDER BY version DESC) AS repeats,
			SUM(size) OVER (ORDER BY shown_until DESC, image_id, version DESC) AS bytes
		FROM image_versions WHERE owner_id = ?) AS ranked WHERE nth > ? OR repeats > 1 OR bytes > ?)`,
		ownerID, MaxVersions, limit)
	if err != nil {
		return fmt.Errorf("prune the versions of account %s: %w", ownerID, err)
	}
	return nil
}

// SweepVersions deletes the versions that were last shown before a moment.
func (s Store) SweepVersions(ctx context.Context, before db.Millis) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM image_versions WHERE shown_until <= ?`, before); err != nil {
		return fmt.Errorf("sweep versions of images: %w", err)
	}
	return nil
}

// DropVersions deletes the versions of an image that have a file, which is lost; of an AI picture only that.
func (s Store) DropVersions(ctx context.Context, imageID string, n blob.Name) error {
	query := `DELETE FROM image_versions WHERE image_id = ? AND version IN (SELECT f.version FROM image_version_files f
		WHERE f.image_id = image_versions.image_id AND f.digest = ? AND f.name = ?)`
	if n.File == BackgroundName {
		query = `DELETE FROM image_version_files WHERE image_id = ? AND digest = ? AND name = ?`
	}
	if _, err := s.db.Exec(ctx, query, imageID, n.Digest, n.File); err != nil {
		return fmt.Errorf("drop the versions of image %s with a lost file: %w", imageID, err)
	}
	return nil
}
