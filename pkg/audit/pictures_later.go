package audit

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/render/encode"
)

// This file draws the share images of reports when they are first requested: decoding, scaling and encoding one takes
// ten times as long as the audit itself, and most reports are only read as JSON. Until then the site's file is stored.
// It is never served.

const (
	// sourceExt is the extension of a stored file of a site.
	sourceExt = ".bin"
	// maxFlat is the maximum size of an opaque file, other than JPEG, that is drawn as a PNG; larger ones are photographs.
	maxFlat = 280_000
	// drawTime is the time limit for drawing a picture, no matter who waits for it.
	drawTime = 30 * time.Second
)

// file is the name of the stored file.
func (s *Thumbnail) file() string {
	if s.Later {
		return sourceOf(s.Name)
	}
	return s.Name
}

// sourceOf returns the name of the file that a picture is drawn from: share-jpg.bin for share.jpg, so that it is drawn
// as nothing else.
func sourceOf(name string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + strings.TrimPrefix(ext, ".") + sourceExt
}

// The extensions of pictures.
const pngExt, jpegExt = ".png", ".jpg"

// later returns a picture that is drawn from the site's file when it is requested.
func later(name string, f *scrape.ShareImage) *Thumbnail {
	shown := &Thumbnail{Name: name + pngExt, ContentType: "image/png", Data: f.File, Later: true}
	if photographic(f, int64(len(f.File))) {
		shown.Name, shown.ContentType = name+jpegExt, "image/jpeg"
	}
	shown.Width, shown.Height = picture.Contained(f.Facts.Width, f.Facts.Height, shownSide, shownSide)
	if f.Facts.Width <= shownSide && f.Facts.Height <= shownSide {
		shown.Width, shown.Height = f.Facts.Width, f.Facts.Height
	}
	return shown
}

// asJPEG is how photographs are encoded: as PNG they would take longer and be larger.
var asJPEG = encode.Limits{NoPNG: true, MaxJPEG: encode.OG.MaxJPEG}

// photographic reports whether a share image, of a file of a size, is a photograph: a JPEG, or an opaque file that is
// too large for drawn areas.
func photographic(f *scrape.ShareImage, size int64) bool {
	photo := f.Facts.Format == picture.WebP || size > maxFlat && f.Facts.Format != picture.GIF
	return f.Facts.Format == picture.JPEG || photo && f.Facts.Alpha == picture.No
}

// encodedAs returns a picture as a file of the extension in a name, reduced until it takes at most most bytes.
func encodedAs(name string, img *image.NRGBA, most int) ([]byte, error) {
	limits := encode.Lossless
	if path.Ext(name) == jpegExt {
		limits = asJPEG
	}
	for {
		made, err := encode.Encode(img, limits)
		if err != nil || len(made.Bytes) <= most {
			return made.Bytes, err
		}
		img = picture.Scale(img, img.Rect.Dx()/2, img.Rect.Dy()/2)
	}
}

// drawn draws a picture of a report from the site's file, stores it in its place, and returns it; concurrent requests
// share one drawing. NotFound if there is no such file, or if it can't be decoded.
func (s *Service) drawn(ctx context.Context, id, name string) ([]byte, blob.Name, error) {
	type result struct {
		data []byte
		name blob.Name
	}
	done := s.drawing.DoChan(id+"/"+name, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawTime)
		defer cancel()
		data, made, err := s.draw(ctx, id, name)
		return result{data, made}, err
	})
	select {
	case got := <-done:
		made, _ := got.Val.(result)
		return made.data, made.name, got.Err
	case <-ctx.Done():
		return nil, blob.Name{}, ctx.Err()
	}
}

func (s *Service) draw(ctx context.Context, id, name string) ([]byte, blob.Name, error) {
	source, err := s.store.fileNamed(ctx, id, sourceOf(name), s.oldest())
	if err != nil {
		return nil, blob.Name{}, err
	}
	data, err := s.stored(ctx, source)
	if err != nil {
		return nil, blob.Name{}, err
	}
	leave, err := s.encoding.Enter(ctx, "")
	if err != nil {
		return nil, blob.Name{}, err
	}
	made, err := s.redraw(ctx, name, data)
	leave()
	var fault *apperr.Error
	switch {
	case errors.As(err, &fault), ctx.Err() != nil:
		return nil, blob.Name{}, err
	case err != nil: // it never can be
		if err := s.store.dropFile(ctx, source); err != nil {
			return nil, blob.Name{}, err
		}
		return nil, blob.Name{}, noPicture(err)
	}
	return s.swap(ctx, id, source, file{blob.Name{Digest: files.Digest(id, made), File: name}, len(made)}, made)
}

// redraw returns the picture of a name from the site's file. The error is UNAVAILABLE for now, or for good.
func (s *Service) redraw(ctx context.Context, name string, data []byte) ([]byte, error) {
	img, err := s.scraper.Shown(ctx, data, shownSide)
	switch {
	case picture.Transient(err):
		busy := apperr.Wrap(apperr.Unavailable, "The picture can't be drawn now. Try again in a moment.", err)
		busy.RetryAfter = 2 * time.Second
		return nil, busy
	case err != nil:
		return nil, err
	}
	return encodedAs(name, img, maxLater)
}

// swap stores a drawn picture in place of the file that it was drawn from.
func (s *Service) swap(
	ctx context.Context, id string, source blob.Name, by file, data []byte,
) ([]byte, blob.Name, error) {
	for try := 1; ; try++ {
		hold, err := s.files.Write(ctx, map[blob.Name][]byte{by.Name: data})
		if err != nil {
			return nil, blob.Name{}, fmt.Errorf("store a picture of a report: %w", err)
		}
		replaced, err := s.store.replaceFile(ctx, source, by, func(tx *db.Tx) error {
			return s.files.Refer(ctx, tx, hold, nil)
		})
		if errors.Is(err, files.ErrGone) && try < storeTries {
			continue
		}
		if err != nil {
			return nil, blob.Name{}, err
		}
		s.files.SweepSoon()
		if !replaced { // another node was faster, or the report is gone
			return s.shownFile(ctx, id, by.File)
		}
		return data, by.Name, nil
	}
}
