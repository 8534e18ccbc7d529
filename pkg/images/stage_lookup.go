package images

import (
	"context"
	"errors"
	"log/slog"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
)

// lookUp ends the job when the image is kept, unless it is to be drawn anew.
func (s *Service) lookUp(ctx context.Context, j *job) (err error) {
	if j.request.Force {
		return nil
	}
	kept, found, err := s.find(ctx, j.key)
	if err != nil || !found {
		return err
	}
	j.done = true
	j.record, err = existing(s.kept(kept), j.request.CreateOnly)
	return err
}

// lookAgain ends the job when the image came to be between the caller's look and now: another node drew it, or this one
// just before. For a forced job one that was drawn since its request came will do.
func (s *Service) lookAgain(ctx context.Context, j *job) error {
	kept, found, err := s.find(ctx, j.key)
	if err != nil {
		return err
	}
	if found && (!j.request.Force || kept.UpdatedAt.After(j.began)) {
		j.record, j.done = s.kept(kept), true
		if j.waited {
			j.record.Cached, j.record.Generation = false, s.now().Sub(j.began) // it is as new to this caller
		}
		return nil
	}
	return nil
}

// existing is the answer of a request that finds its image.
func existing(kept Record, createOnly bool) (Record, error) {
	if createOnly {
		return Record{}, &apperr.Error{
			Code: apperr.Conflict, ExistingID: kept.ID,
			Detail: "The image exists already, with id " + kept.ID +
				". Send force: true, without If-None-Match, to draw it anew.",
		}
	}
	return kept, nil
}

// find returns the image under key if its files are there too, each as long as it was: one that was lost or damaged is
// drawn anew.
func (s *Service) find(ctx context.Context, key string) (kept imageRow, found bool, err error) {
	if kept, found, err = s.store.byKey(ctx, key); err != nil || !found {
		return imageRow{}, false, err
	}
	for _, f := range kept.Files {
		size, err := s.blobs.Stat(ctx, f.blobName())
		if err != nil && !errors.Is(err, blob.ErrNotFound) {
			return imageRow{}, false, err
		}
		if err != nil || size != f.SizeBytes {
			slog.ErrorContext(ctx, "file of an image is lost or damaged", "digest", f.Digest, "bytes", size, "want", f.SizeBytes)
			return imageRow{}, false, nil
		}
	}
	return kept, true, nil
}
