package images

import (
	"context"
	"errors"

	"masthead/pkg/db"
	"masthead/pkg/images/store"
)

// This file holds what a redraw does in the stages of a making.

// redrawing is the making of an image for an outdated one.
func (s *Service) redrawing() stages {
	return append(stages{{name: "redraw", run: s.beginRedraw, bound: databaseTime}}, s.making()...)
}

// beginRedraw notes an attempt before anything is done, so that one which kills the program is not repeated at once. It
// ends the job when the image was redrawn, tried or deleted since it was queued.
func (s *Service) beginRedraw(ctx context.Context, j *job) error {
	kept, found, err := s.store.Find(ctx, j.outdated.ID)
	if err != nil {
		return err
	}
	now := s.now()
	if !found || !kept.IsOutdated() || kept.Redraw.V.After > now.UnixMilli() {
		j.done = true
		return nil
	}
	if kept.Variant {
		project, err := s.projects.Recent(ctx, j.caller, kept.ProjectID)
		if err != nil {
			return err
		}
		j.public = &publicJob{project: project} // its page must still be on the project's domains
	}
	j.outdated = &kept
	j.commit = append(j.commit, func(ctx context.Context, tx *db.Tx) error { return store.IsThere(ctx, tx, kept.ID) })
	return s.store.NoteRedraw(ctx, kept, kept.Redraw.V.Next(now))
}

// sameBackground gets an AI picture by the prompt of the outdated image, if that has one. It takes no unit of the
// owner's; the ceiling of the installation's spending holds.
func (s *Service) sameBackground(ctx context.Context, j *job) (err error) {
	was := *j.outdated.AI.V
	j.ai = &was
	if !was.FellBack {
		j.composed.Background, err = s.picture(ctx, j)
	}
	return err
}

// errNoBackground says that an outdated image stays, since its AI background could not be used again.
var errNoBackground = errors.New("no card with an AI background came of the redraw")
