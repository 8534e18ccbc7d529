package images

import (
	"context"

	"masthead/pkg/apperr"
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

// lookAgain ends the job when the image came to be between the caller's look and now: another node drew it, or this one just before.
// For a forced job one that was drawn since its request came will do.
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
	if found {
		// Its address is in pages: from its replacement on it has the time of an orphan, however old it is.
		return s.blobs.Touch(ctx, kept.blobName())
	}
	return nil
}

// existing is the answer of a request that finds its image.
func existing(kept Record, createOnly bool) (Record, error) {
	if createOnly {
		return Record{}, apperr.New(apperr.Conflict,
			"The image exists already, with id "+kept.ID+". Send force: true, without If-None-Match, to draw it anew.")
	}
	return kept, nil
}

// find returns the image under key if its file is there too: one whose file was lost is drawn anew.
func (s *Service) find(ctx context.Context, key string) (row, bool, error) {
	kept, found, err := s.store.byKey(ctx, key)
	if err != nil || !found {
		return row{}, false, err
	}
	has, err := s.blobs.Has(ctx, kept.blobName())
	if err != nil || !has {
		return row{}, false, err
	}
	return kept, true, nil
}
