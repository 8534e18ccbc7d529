package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/blob"
)

// File returns the bytes at a /cdn address. A file that is damaged is removed and counts as absent: its image is drawn anew when
// it is asked for.
func (s *Service) File(ctx context.Context, name blob.Name) (File, error) {
	data, written, err := s.blobs.Get(ctx, name)
	if errors.Is(err, blob.ErrNotFound) {
		return File{}, apperr.New(apperr.NotFound, "There is no picture at this address.")
	}
	if err != nil {
		return File{}, err
	}
	if err := s.verify(ctx, name, data); err != nil {
		return File{}, err
	}
	return File{Bytes: data, ContentType: contentTypeOf(name.File), Written: written}, nil
}

// Public returns the current picture of the image that publicID names.
func (s *Service) Public(ctx context.Context, publicID string) (File, error) {
	if len(publicID) != publicIDLength || strings.Trim(publicID, base62.Alphabet) != "" {
		return File{}, errNoImage // and nothing that a database could not even compare
	}
	row, err := s.store.byPublicID(ctx, publicID)
	if err != nil {
		return File{}, err
	}
	return s.File(ctx, row.blobName())
}

// File is a picture as it is served.
type File struct {
	Bytes       []byte
	ContentType string
	Written     time.Time
}

// verify compares a file with what its record says. Without a record there is nothing to compare with.
func (s *Service) verify(ctx context.Context, name blob.Name, data []byte) error {
	version, err := s.store.version(ctx, name.Digest)
	if err != nil {
		// Pictures go on while the database is away.
		slog.WarnContext(ctx, "file served unverified", "err", err)
		return nil
	}
	sum := sha256.Sum256(data)
	if version == "" || version == hex.EncodeToString(sum[:6]) {
		return nil
	}
	slog.ErrorContext(ctx, "damaged file removed", "digest", name.Digest)
	if err := s.blobs.Delete(ctx, name); err != nil {
		return err
	}
	return apperr.New(apperr.NotFound, "The picture at this address was damaged; generate it again.")
}
