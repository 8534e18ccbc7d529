package images

import (
	"context"
	"log/slog"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/images/store"
)

// lookUp ends the job when the image is kept, unless it is to be drawn anew.
func (s *Service) lookUp(ctx context.Context, j *job) (err error) {
	if j.request.Force {
		_, _, err = s.earlier(ctx, j) // which the new picture replaces
		return err
	}
	keepings := s.keepings.Load()
	found, none, err := s.recall(ctx, j.key)
	if err == nil && none {
		var kept store.Image
		var before bool
		if kept, before, err = s.earlier(ctx, j); before {
			found, none = &indexEntry{kept, s.cached(kept)}, false
		}
	}
	if err != nil || found == nil {
		j.none, j.keepings = none, keepings
		return err
	}
	// Who asks to create only has nothing replaced, not even a card whose AI picture may be had by now.
	if stands, err := s.stands(ctx, j, found.row); err != nil || !stands && !j.request.CreateOnly {
		return err
	}
	if found.row.Variant && j.public == nil {
		err := s.store.Adopt(ctx, found.row.ID)
		s.memory.index.Changed([]string{found.row.PublicID}) // with an error too: it may be committed
		if err != nil {
			return err
		}
	}
	if err := s.settleBrand(ctx, found.row, j.request); err != nil {
		return err
	}
	s.usedRow(found.row)
	j.done = true
	j.record, err = existing(found.record, j.request.CreateOnly)
	return err
}

// recall returns the whole image under key: from the index, else from the database for the index. Its files are looked
// for in either case. It returns nil when there is none; then none says that there is no other either, which is not
// whole.
func (s *Service) recall(ctx context.Context, key string) (found *indexEntry, none bool, err error) {
	if found, ok := s.memory.index.Record(key); ok && s.follower.Current() {
		if whole, err := s.seemsWhole(ctx, found.row.Files); err == nil && whole {
			return found, false, nil
		}
	}
	state := s.memory.index.State()
	kept, whole, err := s.find(ctx, key, s.seemsWhole)
	if err != nil || !whole {
		return nil, err == nil && kept.ID == "", err
	}
	found = &indexEntry{kept, s.cached(kept)}
	if kept.Lasts() { // others stand for a while, by more than themselves
		s.memory.index.PutRecord(key, kept.CacheImage(), found, state)
	}
	return found, false, nil
}

// lookAgain ends the job when the image came to be between the caller's look and now: another node drew it, or this one
// just before; a card without its AI picture is taken as long as its reason stands. A forced job takes only what
// another forced one, that it waited for, has put in the place of the image, and a redraw what is not outdated.
func (s *Service) lookAgain(ctx context.Context, j *job) error {
	if s.leases == nil && j.none && j.keepings == s.keepings.Load() {
		return nil // nobody else keeps any, and this node has kept none since
	}
	kept, whole, err := s.find(ctx, j.key, s.isWhole)
	if err != nil {
		return err
	}
	if kept.ID != "" && !whole {
		slog.ErrorContext(ctx, "a file of an image is lost or damaged; it is drawn anew", "image", kept.ID)
	}
	drawnAnew := j.waited && !kept.UpdatedAt.Equal(j.seen.Time)
	stands := false
	paid := j.composed.Background != nil && !kept.IsAI() // it has what the kept card lacks
	switch {
	case j.outdated != nil:
		stands = whole && !kept.IsOutdated()
	case whole && !paid && (!j.request.Force || drawnAnew):
		if stands, err = s.stands(ctx, j, kept); err != nil {
			return err
		}
	}
	if !stands {
		j.seen, j.found = kept.UpdatedAt, store.Image{}
		if whole {
			j.found = kept
		}
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
				". Send force: true, without If-None-Match, to draw it again.",
		}
	}
	return kept, nil
}

// find returns the image under key; it has no id when there is none. It is whole when its files are there too, as
// isWhole says.
func (s *Service) find(
	ctx context.Context, key string, isWhole func(context.Context, []store.File) (bool, error),
) (kept store.Image, whole bool, err error) {
	kept, found, err := s.store.ByKey(ctx, key)
	if err != nil || !found {
		return store.Image{}, false, err
	}
	whole, err = isWhole(ctx, kept.Files)
	if err != nil {
		return store.Image{}, false, err
	}
	return kept, whole, nil
}

// seemsWhole is isWhole for callers who only return the record. It doesn't ask a store on another machine: a file that
// is lost there is made again when it is read.
func (s *Service) seemsWhole(ctx context.Context, files []store.File) (bool, error) {
	if blob.IsRemote(s.blobs) {
		return true, nil
	}
	return s.isWhole(ctx, files)
}

// isWhole says whether files are there, each as long as it was.
func (s *Service) isWhole(ctx context.Context, files []store.File) (bool, error) {
	return store.IsWhole(ctx, s.blobs, files)
}
