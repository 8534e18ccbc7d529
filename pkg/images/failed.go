package images

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/worker"
)

// This file tells owners of images that couldn't be drawn.

// maxReason is how many characters an event says about a failure.
const maxReason = 500

// failed publishes [events.ImageFailed] if err is a failure of the page or of drawing it. The program's own redraws
// don't count. There is no other change to commit, so the event has a transaction of its own.
func (s *Service) failed(ctx context.Context, j *job, err error) {
	reason := failure(err)
	if reason == "" || j.outdated != nil || !events.ImageFailed.Wanted(s.events) {
		return
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
	defer cancel()
	once := j.request.ProjectID + " " + s.now().UTC().Format(time.DateOnly) + " " + j.request.URL
	err = s.db.InTx(bounded, func(tx *db.Tx) error {
		return events.ImageFailed.PublishOnce(bounded, tx, s.events, j.caller.UserID, once, events.ImageFailure{
			ProjectId: j.request.ProjectID, Kind: events.ImageKind(j.request.Kind), Url: j.request.URL,
			Reason: cleantext.Clean(reason, maxReason),
		})
	})
	if err != nil {
		slog.WarnContext(ctx, "owner not told of a failed image", "project", j.request.ProjectID, "err", err)
	}
}

// failure says for people why an image couldn't be drawn; "" if the request was at fault, over a limit or interrupted,
// or the service was too busy.
func failure(err error) string {
	var fault *apperr.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, fetch.ErrRefused), db.IsUnavailable(err):
		return ""
	case errors.Is(err, errLeft):
		return "The page or its logo redirects to a domain that isn't one of the project's."
	case errors.Is(err, worker.ErrHung):
		return "Drawing the page didn't finish."
	case errors.Is(err, context.DeadlineExceeded):
		return "Reading or drawing the page took too long."
	case !errors.As(err, &fault):
		return "The server couldn't draw the image."
	case fault.Code == apperr.UpstreamFailed:
		return fault.Detail
	}
	return ""
}
