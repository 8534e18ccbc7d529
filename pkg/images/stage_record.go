package images

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"masthead/pkg/base62"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
	"masthead/pkg/lease"
	"masthead/pkg/usage"
	"masthead/render"
)

// maxVariants is how many pictures of one page are kept that GET /og has made.
const maxVariants = 50

// keepRecord keeps the image, whose files are there, and makes the answer.
func (s *Service) keepRecord(ctx context.Context, j *job) error {
	if j.outdated != nil && j.outdated.IsAI() && j.ai.FellBack {
		return errNoBackground
	}
	now := millis(s.now())
	fresh := rowOf(j, now)
	var dropped []string
	if j.public != nil {
		j.commit = append(j.commit, func(ctx context.Context, tx *db.Tx) (err error) {
			dropped, err = store.DropVariants(ctx, tx, fresh.ProjectID, fresh.URL, maxVariants)
			return err
		})
	}
	saving := s.store.Brief()
	if j.ai == nil { // nothing was paid for it
		saving = saving.Regenerable()
	}
	for {
		seen := &j.seen
		fellBack := j.ai != nil && j.ai.FellBack
		if fellBack && j.found.IsAI() {
			j.record = s.unkept(j, fresh, j.found)
			return nil
		}
		if j.request.Force && !fellBack && !j.overtaken {
			seen = nil
		}
		saved, err := saving.Save(ctx, fresh, seen,
			func(tx *db.Tx, old []blob.Name) error { return s.files.Refer(ctx, tx, j.hold, old) },
			func(tx *db.Tx, saved store.Image) error { return s.commitIn(ctx, tx, j, saved, fresh.ID) })
		if err == nil {
			s.kept(ctx, j, saved, fresh.ID, dropped)
			return nil
		}
		if errors.Is(err, store.ErrOvertaken) {
			// A forced job that ran beside this one, and whose page may be newer: its picture stays.
			if err := s.lookAgain(ctx, j); err != nil || j.done {
				s.asNew(j)
				return err
			}
			continue // it was deleted or lost since
		}
		if err := s.prepareAgain(ctx, j, err); err != nil {
			return err
		}
		fresh.Files = j.files
	}
}

// prepareAgain does what a job needs for another try to keep its image after err; it returns err where there is none.
func (s *Service) prepareAgain(ctx context.Context, j *job, err error) error {
	switch {
	case errors.Is(err, lease.ErrLost):
		// This process was stopped for so long that another node draws the same, or has drawn it: see lookAgain.
		j.overtaken, j.waited = true, true
		return nil
	case errors.Is(err, files.ErrGone):
		// Another image had the same file, and was deleted since.
	case errors.Is(err, usage.ErrQuota):
		// The unit was not kept within its lease, and the month has no other: the picture is not the owner's.
		j.fallBack(ctx, store.ReasonQuota)
		if err := s.draw(ctx, j); err != nil {
			return err
		}
	default:
		return err
	}
	return s.keepFiles(ctx, j)
}

// kept makes the answer of a job whose image is kept, under the fresh id unless there was one; dropped are the public
// ids of those that went for it.
func (s *Service) kept(ctx context.Context, j *job, saved store.Image, fresh string, dropped []string) {
	s.keepings.Add(1)
	if saved.ID != fresh || saved.DesignID != "" {
		s.follower.Renew(ctx, saved.PublicID)
	}
	for _, publicID := range dropped {
		s.memory.index.Forget(publicID)
	}
	if saved.Keep {
		s.versions.Prune(ctx, saved.OwnerID)
	}
	for _, f := range saved.Files {
		s.files.Redrawn(f.Digest) // it was drawn by this encoder now
	}
	j.record, j.saved = s.record(saved), true
	j.record.Generation = s.now().Sub(j.began)
	for _, w := range j.drawn.Warnings {
		slog.InfoContext(ctx, "picture does without", "code", w.Code, "detail", w.Detail)
	}
	if j.outdated == nil && !j.late { // else nobody asked for it
		s.usage.Count(usage.Drawn, saved.OwnerID,
			usage.Source{ProjectID: saved.ProjectID, KeyID: j.caller.KeyID, Kind: string(saved.Kind)})
	}
}

// commitIn does what belongs to the transaction that keeps the image, under the fresh id unless there was one.
func (s *Service) commitIn(ctx context.Context, tx *db.Tx, j *job, saved store.Image, fresh string) error {
	// A forced job replaces whatever there is, others only what they have seen.
	if j.request.Force && j.held != nil && !j.overtaken {
		if err := j.held.Check(ctx, tx); err != nil {
			return err
		}
	}
	for _, commit := range j.commit {
		if err := commit(ctx, tx); err != nil {
			return err
		}
	}
	if err := store.NoteVariant(ctx, tx, saved, fresh); err != nil {
		return err
	}
	if err := store.SetBackground(ctx, tx, s.files, saved, backgroundOf(j), j.storage); err != nil {
		return err
	}
	if err := store.CheckVersion(ctx, tx, saved, j.request.Design); err != nil || saved.ID != fresh {
		return err
	}
	return events.ImageCreated.Publish(ctx, tx, s.events, saved.OwnerID, events.Image{
		ImageId: saved.ID, PublicId: saved.PublicID, ProjectId: saved.ProjectID,
		Kind: events.ImageKind(saved.Kind), Url: saved.URL,
	})
}

// rowOf is the row of the image that a job has made.
func rowOf(j *job, now db.Millis) store.Image {
	r, designID := j.request, ""
	if r.Design != nil {
		designID = r.Design.ID
	}
	open, isAI := int64(r.Open), j.ai != nil && !j.ai.FellBack
	if isAI { // it stays when the brand changes
		r.Open = 0
	}
	base, err := r.BaseKey(r.ProjectID)
	if err != nil { // its key was computed from the same
		base = ""
	}
	return store.Image{
		ID: db.NewID(), PublicID: base62.Random(publicIDLength), CacheKey: j.key,
		OwnerID:   j.caller.UserID,
		ProjectID: r.ProjectID, Kind: r.Kind, URL: r.URL, Template: r.Template,
		Style: db.JSON[card.Style]{V: r.Style}, AI: db.JSON[*store.AIResult]{V: j.ai},
		Page:    db.JSON[card.PageData]{V: j.drawn.Page},
		Content: db.JSON[*card.Content]{V: &r.Content},
		Alt:     j.drawn.Alt, CreatedAt: now, UpdatedAt: now,
		Files: j.files, Variant: j.public != nil || j.variant, Lacks: j.composed.Lacks,
		Warnings: db.JSON[[]render.Warning]{V: j.drawn.Warnings}, Version: 1,
		DesignID: designID, BaseKey: base, Data: db.JSON[json.RawMessage]{V: r.Data}, LeftOpen: &open,
		ChecksBrand: r.Open&card.OpenBrand != 0, BrandVersion: r.brandVersion, Keep: j.request.Force && j.found.ID != "",
	}
}
