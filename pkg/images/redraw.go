package images

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"masthead/pkg/ai"
	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
	"masthead/render"
)

// This file redraws outdated pictures: those of an older JPEG encoder, which damaged blocks, and those that show an
// earlier version of their design or an earlier brand. A migration, or what made them outdated, has marked them. The
// next use of one puts it into a queue of the node, which redraws one image after the other while a worker is free. The
// mark stays until the new picture takes the place of the old one, in one transaction; until then clients may cache the
// old bytes for minutes only. Nothing of it counts against the owner.

const (
	// maxRedraws bounds the uses that wait on a node; a further one is queued when the picture is used again.
	maxRedraws = 1000
	// useRest is how long further uses of a picture are not looked at.
	useRest = time.Minute
	// yieldTime is how long redraws wait each time they find all places for drawing taken.
	yieldTime = 250 * time.Millisecond
	// outdatedWarning is the code of the warning about a picture that is still to be redrawn.
	outdatedWarning = "OUTDATED"
)

// canRedraw is false for an image whose AI background cannot be generated again, since no provider is configured.
func (s *Service) canRedraw(r store.Image) bool {
	return !r.IsAI() || s.backgrounds.draws(r.AI.V.Model)
}

// outdatedWarnings says of an image that is still to be redrawn why that is so.
func (s *Service) outdatedWarnings(r store.Image) []render.Warning {
	if !r.IsOutdated() {
		return nil
	}
	if r.ShowsEarlier() {
		return []render.Warning{{Code: outdatedWarning, Detail: earlierState(r)}}
	}
	state := "It is redrawn in the background when it is used."
	switch known := r.Redraw.V; {
	case !s.canRedraw(r):
		state = "It stays as it is: its background is an AI picture, and no AI provider is configured."
	case known.Fault == store.FaultCeiling:
		state = "It stays as it is until its AI background fits into the operator's monthly spending ceiling."
	case known.Fault == store.FaultPolicy:
		state = "It stays as it is: the AI provider refused the prompt of its background."
	case known.Fault != "":
		state = "It could not be redrawn; its use after " + time.UnixMilli(known.After).UTC().Format(time.RFC3339) +
			" starts another attempt."
	}
	return []render.Warning{{
		Code: outdatedWarning, Detail: "An older JPEG encoder may have damaged parts of this picture. " + state,
	}}
}

// use is a use of an outdated picture: of the image with a public id, or of a file.
type use struct {
	publicID string
	file     blob.Name
}

// redraws is the queue of uses. It is safe for concurrent use.
type redraws struct {
	mu      sync.Mutex
	waiting []use
	queued  map[use]bool
	looked  *lru.Cache[use, time.Time] // when each was queued last
	running bool
}

func newRedraws() *redraws {
	looked, err := lru.New[use, time.Time](4 * maxRedraws)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &redraws{queued: map[use]bool{}, looked: looked}
}

// push queues a use; start is true when the caller is to take the uses from the queue.
func (r *redraws) push(u use, now time.Time) (start bool) {
	if at, ok := r.looked.Get(u); ok && now.Sub(at).Abs() < useRest {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.queued[u] || len(r.waiting) >= maxRedraws {
		return false
	}
	r.looked.Add(u, now)
	r.waiting, r.queued[u] = append(r.waiting, u), true
	start, r.running = !r.running, true
	return start
}

// pop returns the next use; ok is false when there is none, and the caller is done.
func (r *redraws) pop() (u use, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.running = false
		return use{}, false
	}
	u, r.waiting = r.waiting[0], r.waiting[1:]
	delete(r.queued, u)
	return u, true
}

// clear drops all uses, and the caller is done.
func (r *redraws) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting, r.running = nil, false
	clear(r.queued)
}

// used queues the redraw of a picture that was used. It does not wait.
func (s *Service) used(u use) {
	if !s.redraws.push(u, s.now()) {
		return
	}
	work, err := s.tasks.Begin(context.Background())
	if err != nil { // the service is closing
		s.redraws.clear()
		return
	}
	go func() {
		defer work.End()
		s.redrawQueued(work.Ctx)
	}()
}

// usedRow queues the redraw of an image that was used, if it is outdated.
func (s *Service) usedRow(r store.Image) {
	if r.IsOutdated() {
		s.used(use{publicID: r.PublicID})
	}
}

// redrawQueued redraws what is queued, one image at a time, until the queue is empty or ctx ends. Requests come first:
// it waits while all workers are busy.
func (s *Service) redrawQueued(ctx context.Context) {
	for {
		if err := s.idle(ctx); err != nil {
			s.redraws.clear()
			return
		}
		u, ok := s.redraws.pop()
		if !ok {
			return
		}
		if err := s.redrawUsed(ctx, u); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "outdated picture not looked at", "image", u.publicID, "digest", u.file.Digest, "err", err)
		}
	}
}

// idle waits until a place for drawing is free, or ctx ends.
func (s *Service) idle(ctx context.Context) error {
	for s.workers.Busy() && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(yieldTime):
		}
	}
	return ctx.Err()
}

// redrawUsed redraws the image that a use is of, or those that name its file.
func (s *Service) redrawUsed(ctx context.Context, u use) error {
	var found []store.Image
	var err error
	if u.publicID != "" {
		var kept store.Image
		if kept, err = s.store.ByPublicID(ctx, u.publicID); apperr.CodeOf(err) == apperr.NotFound {
			return nil // it was deleted
		}
		found = []store.Image{kept}
	} else {
		found, err = s.store.Naming(ctx, u.file, maxNaming)
	}
	if err != nil {
		return err
	}
	for _, kept := range found {
		switch {
		case kept.IsOutdated():
			s.redrawImage(ctx, kept)
		case u.file.Digest != "": // another node has drawn the same file again
			s.files.Redrawn(u.file.Digest)
		}
	}
	return nil
}

// redrawImage redraws an outdated image, unless it has to wait. What comes of it is in the image's row.
func (s *Service) redrawImage(ctx context.Context, kept store.Image) {
	now := s.now()
	if kept.Redraw.V.After > now.UnixMilli() || !s.canRedraw(kept) || kept.StaysDrawn() {
		return
	}
	request, err := s.againWithBrand(ctx, kept)
	if kept.DesignID != "" && apperr.CodeOf(err) == apperr.NotFound {
		if err := s.settle(ctx, kept); err != nil {
			slog.WarnContext(ctx, "image of a deleted design still marked as outdated", "image", kept.ID, "err", err)
		}
		return
	}
	key := kept.CacheKey
	if err == nil {
		key, err = s.present(ctx, kept, request)
	}
	if err == nil {
		if was := kept.AI.V; was != nil {
			request.AI = &card.AI{Model: was.Model, Prompt: was.Prompt, Override: true}
		}
		steps := s.redrawing()
		bounded, cancel := context.WithTimeout(ctx, steps.bound())
		defer cancel()
		_, err = s.share(bounded, &job{
			caller: identity.Caller{UserID: kept.OwnerID}, request: request, key: key,
			outdated: &kept, began: now,
		}, nil, steps)
	}
	s.metrics.redrawn(err)
	if err == nil { // another version of its design, or another brand, may follow soon
		s.redraws.looked.Remove(use{publicID: kept.PublicID})
	}
	if err == nil || ctx.Err() != nil {
		return // should the program end now, the attempt has been noted before
	}
	slog.WarnContext(ctx, "outdated picture not redrawn; it stays until a later attempt", "image", kept.ID, "err", err)
	if err := s.store.NoteRedraw(ctx, kept, failedRedraw(*kept.Redraw.V, now, err)); err != nil {
		slog.WarnContext(ctx, "failed redraw not noted", "image", kept.ID, "err", err)
	}
	s.renewOne(ctx, kept.PublicID)
}

// failedRedraw is what is known of the attempts once one that began at the given moment has failed.
func failedRedraw(r store.Redraw, now time.Time, err error) store.Redraw {
	next := r.Next(now)
	switch {
	case errors.Is(err, ai.ErrCeiling):
		next.Fault = store.FaultCeiling
	case errors.Is(err, ai.ErrPolicy):
		next.Fault = store.FaultPolicy
	case apperr.CodeOf(err) == apperr.Unavailable: // that says nothing about the picture
		return store.Redraw{After: now.Add(useRest).UnixMilli(), Tries: r.Tries, Fault: r.Fault, Brand: r.Brand}
	default:
		next.Fault = store.FaultOther
	}
	return next
}
