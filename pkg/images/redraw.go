package images

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
	"masthead/pkg/images/uses"
	"masthead/render"
)

// This file redraws outdated pictures: those of an older JPEG encoder, which damaged blocks, and those that show an
// earlier version of their design or an earlier brand. A migration, or what made them outdated, has marked them. The
// next use of one puts it into a queue of the node, which redraws one image after the other while a worker is free. The
// mark stays until the new picture takes the place of the old one, in one transaction; until then clients may cache the
// old bytes for minutes only. Nothing of it counts against the owner.

const (
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

// used queues the redraw of a picture that was used. It does not wait.
func (s *Service) used(u uses.Use) {
	if !s.redraws.Push(u, s.now()) {
		return
	}
	work, err := s.tasks.Begin(context.Background())
	if err != nil { // the service is closing
		s.redraws.Clear()
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
		s.used(uses.Use{PublicID: r.PublicID})
	}
}

// redrawQueued redraws what is queued, one image at a time, until the queue is empty or ctx ends. Requests come first:
// it waits while all workers are busy.
func (s *Service) redrawQueued(ctx context.Context) {
	for {
		if err := s.idle(ctx); err != nil {
			s.redraws.Clear()
			return
		}
		u, ok := s.redraws.Pop()
		if !ok {
			return
		}
		if err := s.redrawUsed(ctx, u); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "outdated picture not looked at", "image", u.PublicID, "digest", u.File.Digest, "err", err)
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
func (s *Service) redrawUsed(ctx context.Context, u uses.Use) error {
	var found []store.Image
	var err error
	if u.PublicID != "" {
		var kept store.Image
		if kept, err = s.store.ByPublicID(ctx, u.PublicID); apperr.CodeOf(err) == apperr.NotFound {
			return nil // it was deleted
		}
		found = []store.Image{kept}
	} else {
		found, err = s.store.Naming(ctx, u.File, maxNaming)
	}
	if err != nil {
		return err
	}
	for _, kept := range found {
		switch {
		case kept.IsOutdated():
			s.redrawImage(ctx, kept)
		case u.File.Digest != "": // another node has drawn the same file again
			s.files.Redrawn(u.File.Digest)
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
		s.redraws.Forget(uses.Use{PublicID: kept.PublicID})
	}
	if err == nil || ctx.Err() != nil {
		return // should the program end now, the attempt has been noted before
	}
	slog.WarnContext(ctx, "outdated picture not redrawn; it stays until a later attempt", "image", kept.ID, "err", err)
	if err := s.store.NoteRedraw(ctx, kept, failedRedraw(*kept.Redraw.V, now, err)); err != nil {
		slog.WarnContext(ctx, "failed redraw not noted", "image", kept.ID, "err", err)
	}
	s.follower.Renew(ctx, kept.PublicID)
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
		return store.Redraw{After: now.Add(uses.Rest).UnixMilli(), Tries: r.Tries, Fault: r.Fault, Brand: r.Brand}
	default:
		next.Fault = store.FaultOther
	}
	return next
}
