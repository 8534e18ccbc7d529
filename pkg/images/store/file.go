package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// File is one of the pictures of an image: of a card one in each size, of an icon set each of the assets.
type File struct {
	Name        string `db:"name"`   // that it is served by, such as og.png
	Digest      string `db:"digest"` // of project and bytes: see [files.Digest]
	ContentType string `db:"content_type"`
	Width       int    `db:"width"` // in pixels
	Height      int    `db:"height"`
	SizeBytes   int64  `db:"size_bytes"`
}

// BlobName is the name of the file in the store of files.
func (f File) BlobName() blob.Name { return blob.Name{Digest: f.Digest, File: f.Name} }

const (
	// References are the files that images, their versions and their AI pictures name, as [files.Kind] asks for them.
	References = `SELECT f.digest, f.name, f.image_id AS owner, i.project_id AS scope, f.size_bytes AS size
			FROM image_files f JOIN images i ON i.id = f.image_id
			UNION ALL SELECT b.digest, b.name, b.image_id AS owner, i.project_id AS scope, b.size
			FROM image_backgrounds b JOIN images i ON i.id = b.image_id
			UNION ALL SELECT v.digest, v.name, v.image_id AS owner, i.project_id AS scope, v.size_bytes AS size
			FROM image_version_files v JOIN images i ON i.id = v.image_id`
	// Counted are those of them that count against the storage of their owner.
	Counted = `SELECT i.owner_id, b.size FROM image_backgrounds b JOIN images i ON i.id = b.image_id`
)

// NamesOf returns the names of files in the store of files.
func NamesOf(files []File) (names []blob.Name) {
	for _, f := range files {
		names = append(names, f.BlobName())
	}
	return names
}

func filesOf(ctx context.Context, tx *db.Tx, imageID string) (files []File, err error) {
	err = tx.Select(ctx, &files, `SELECT name, digest, content_type, width, height, size_bytes FROM image_files
		WHERE image_id = ? ORDER BY position`, imageID)
	if err != nil {
		return nil, fmt.Errorf("find the files of an image: %w", err)
	}
	return files, nil
}

// setFiles gives an image, whose row tx holds, files in place of its old ones.
func setFiles(ctx context.Context, tx *db.Tx, imageID string, files, old []File) error {
	for _, f := range old {
		if slices.ContainsFunc(files, func(other File) bool { return other.Name == f.Name }) {
			continue // it is replaced below
		}
		if _, err := tx.Exec(ctx, `DELETE FROM image_files WHERE image_id = ? AND name = ?`, imageID, f.Name); err != nil {
			return fmt.Errorf("remove a file of an image: %w", err)
		}
	}
	for i, f := range files {
		_, err := tx.Exec(ctx, `INSERT INTO image_files
			(image_id, position, name, digest, content_type, width, height, size_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (image_id, name) DO UPDATE SET position = excluded.position, digest = excluded.digest,
				content_type = excluded.content_type, width = excluded.width, height = excluded.height,
				size_bytes = excluded.size_bytes`,
			imageID, i, f.Name, f.Digest, f.ContentType, f.Width, f.Height, f.SizeBytes)
		if err != nil {
			return fmt.Errorf("add a file of an image: %w", err)
		}
	}
	return nil
}

// PictureOf returns a digest of all files of an image.
func PictureOf(all []File) string {
	h := sha256.New()
	for _, f := range all {
		fmt.Fprintln(h, f.Name, f.Digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// IsWhole says whether files are there, each as long as it was.
func IsWhole(ctx context.Context, blobs blob.Store, files []File) (bool, error) {
	for _, f := range files {
		size, err := blobs.Stat(ctx, f.BlobName())
		if errors.Is(err, blob.ErrNotFound) || err == nil && size != f.SizeBytes {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
