package audit

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/etag"
)

// This file serves the pictures of reports.

// ShownRoute is the route of reports' pictures in the router's syntax.
const ShownRoute = "/audit/:id/:name"

// ShownPath is the path of a picture of a report.
func ShownPath(id, name string) string { return "/audit/" + id + "/" + name }

// shownAge is how long browsers cache a picture: after a report is deleted, it soon disappears everywhere.
const shownAge = "public, max-age=3600"

// ShownFile returns a picture of a report; NotFound if there is none. It may be drawn only now.
func (s *Service) ShownFile(ctx context.Context, id, name string) ([]byte, blob.Name, error) {
	ext := path.Ext(name)
	if ext != pngExt && ext != jpegExt {
		return nil, blob.Name{}, noPicture(nil)
	}
	data, found, err := s.shownFile(ctx, id, name)
	if err != nil && apperr.CodeOf(err) == apperr.NotFound {
		return s.drawn(ctx, id, name)
	}
	return data, found, err
}

// shownFile returns a stored picture of a report; NotFound if there is none.
func (s *Service) shownFile(ctx context.Context, id, name string) ([]byte, blob.Name, error) {
	found, err := s.store.fileNamed(ctx, id, name, s.oldest())
	if err != nil {
		return nil, blob.Name{}, err
	}
	data, err := s.stored(ctx, found)
	return data, found, err
}

// stored returns a stored file; NotFound if it is lost or damaged.
func (s *Service) stored(ctx context.Context, n blob.Name) ([]byte, error) {
	data, err := s.pictures.Get(ctx, n)
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) {
		return nil, noPicture(err)
	}
	return data, err
}

// noPicture is the error for a picture that a report doesn't have.
func noPicture(cause error) error {
	return apperr.Wrap(apperr.NotFound, "There is no such picture.", cause)
}

// ServeShown responds with a picture of a report, excluded from search engines, since it is only for readers of the
// report.
func (s *Service) ServeShown(w http.ResponseWriter, r *http.Request, id, name string) error {
	data, file, err := s.ShownFile(r.Context(), id, name)
	if err != nil {
		return err
	}
	h := w.Header()
	tag := etag.OfDigest(file.Digest)
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", shownAge)
	h.Set("ETag", tag)
	if etag.Match(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(file.File)))
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, err = w.Write(data)
	return err
}
