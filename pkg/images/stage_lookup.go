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
	kept, whole, err := s.find(ctx, j.key)
	if err != nil || !whole {
		return err
	}
	j.done = true
	j.record, err = existing(s.cached(kept), j.request.CreateOnly)
	return err
}

// lookAgain ends the job when the image came to be between the caller's look and now: another node drew it, or this one
// just before. A forced job takes only what another forced one, that it waited for, has put in the place of the image.
func (s *Service) lookAgain(ctx context.Context, j *job) error {
	kept, whole, err := s.find(ctx, j.key)
	if err != nil {
		return err
	}
	if kept.ID != "" && !whole {
		slog.ErrorContext(ctx, "a file of an image is lost or damaged; it is drawn anew", "image", kept.ID)
	}
	drawnAnew := j.waited && !kept.UpdatedAt.Equal(j.seen.Time)
	if !whole || j.request.Force && !drawnAnew {
		j.seen = kept.UpdatedAt
		return nil
	}
	j.record, j.done = s.cached(kept), true
	if j.waited {
		s.asNew(j)
	}
	return nil
}

// asNew makes the record, which another job has just drawn, as new to this caller as to that one's.
func (s *Service) asNew(j *job) { j.record.Cached, j.record.Generation = false, s.now().Sub(j.began) }

// existing is the answer of a request that finds its image.
func existing(kept Record, createOnly bool) (Record, error) {
	if createOnly {
		return Record{}, &apperr.Error{
			Code: apperr.Conflict, ExistingID: kept.ID,
			Detail: "The image already exists, with id " + kept.ID +
				". Send force: true, without If-None-Match, to draw it anew.",
		}
	}
	return kept, nil
}

// find returns the image under key; it has no id when there is none. It is whole when its files are there too, each as
// long as it was.
func (s *Service) find(ctx context.Context, key string) (kept imageRow, whole bool, err error) {
	kept, found, err := s.store.byKey(ctx, key)
	if err != nil || !found {
		return imageRow{}, false, err
	}
	for _, f := range kept.Files {
		size, err := s.blobs.Stat(ctx, f.blobName())
		if errors.Is(err, blob.ErrNotFound) || err == nil && size != f.SizeBytes {
			return kept, false, nil
		}
		if err != nil {
			return imageRow{}, false, err
		}
	}
	return kept, true, nil
}
