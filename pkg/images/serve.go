package images

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/blob"
	"masthead/pkg/etag"
)

// Picture is a file as it is served.
type Picture struct {
	ETag        string
	ContentType string
	Bytes       []byte
	NotModified bool // the client has it already; then there are no bytes
}

// File returns the picture at a /cdn address. ifNoneMatch is the header of that name, or "". It asks the store of files
// alone: what is kept is served while the database is away.
func (s *Service) File(ctx context.Context, name blob.Name, ifNoneMatch string) (p Picture, err error) {
	p = Picture{ETag: etag.OfDigest(name.Digest), ContentType: contentTypeOf(name.File)}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); p.NotModified {
		_, err = s.blobs.Stat(ctx, name)
	} else {
		p.Bytes, err = s.blobs.Get(ctx, name)
	}
	if errors.Is(err, blob.ErrNotFound) {
		err = apperr.New(apperr.NotFound, "There is no picture at this address.")
	}
	return p, err
}

// Public returns the current picture of the image that publicID names, or its first, which stands for the others.
func (s *Service) Public(ctx context.Context, publicID, ifNoneMatch string) (Picture, error) {
	if len(publicID) != publicIDLength || strings.Trim(publicID, base62.Alphabet) != "" {
		return Picture{}, errNoImage // and nothing that a database could not even compare
	}
	kept, err := s.store.byPublicID(ctx, publicID)
	if err != nil {
		return Picture{}, err
	}
	f := kept.Files[0]
	p := Picture{ETag: etag.OfDigest(f.Digest), ContentType: f.ContentType}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); p.NotModified {
		return p, nil
	}
	p.Bytes, err = s.blobs.Get(ctx, f.blobName())
	if err == nil && int64(len(p.Bytes)) == f.SizeBytes {
		return p, nil
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return Picture{}, err
	}
	if _, err := s.store.byPublicID(ctx, publicID); err != nil {
		return Picture{}, err // it was deleted meanwhile
	}
	slog.ErrorContext(ctx, "file of an image is lost or damaged",
		"digest", f.Digest, "bytes", len(p.Bytes), "want", f.SizeBytes)
	return Picture{}, apperr.New(apperr.NotFound, "The picture of this image has been lost; generate it again.")
}
