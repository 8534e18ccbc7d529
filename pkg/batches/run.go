package batches

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
)

const (
	// drawTime is more than all stages of an image may take together.
	drawTime = 3 * time.Minute
	// maxTries is how many times an entry is tried that may succeed later.
	maxTries = 3
	// busyPause is when an entry is tried again that the service had no room for, or whose site gets too many requests.
	// That doesn't count as a try, but ends a day after the batch was accepted.
	busyPause = 30 * time.Second
	maxWait   = 24 * time.Hour
)

// pendingEntry is an entry that waits, with what its drawing needs of its batch.
type pendingEntry struct {
	OwnerID      string    `db:"owner_id"`
	KeyID        string    `db:"key_id"`
	KeyProjectID string    `db:"key_project_id"`
	Request      string    `db:"request"`
	CreatedAt    db.Millis `db:"created_at"`
}

// draw draws an entry, as a job whose key is keyOf.
func (s *Service) draw(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	id, index, err := entryOf(j.Key)
	if err != nil {
		return nil, err
	}
	e, ok, err := s.store.waiting(ctx, id, index)
	if err != nil || !ok { // it has a result, or was deleted with its project or account
		return nil, err
	}
	owner, err := s.deps.Users.ByID(ctx, e.OwnerID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, nil //nolint:nilnil // it was deleted meanwhile
	}
	if err != nil {
		return nil, err
	}
	if owner.Disabled {
		return s.ended(id, Entry{Index: index, State: Failed, Problem: problemOf(
			apperr.New(apperr.Forbidden, "The account is disabled."))}), nil
	}
	request, err := readRequest(json.RawMessage(e.Request))
	if err == nil {
		request.Patient = true
		record, failed := s.deps.Images.Generate(ctx, identity.Caller{
			UserID: e.OwnerID, KeyID: e.KeyID, KeyProjectID: e.KeyProjectID, Plan: owner.Plan, Via: identity.Key,
			ResourceID: resourceOf(id, index),
		}, request)
		if failed == nil {
			return s.ended(id, Entry{Index: index, State: Done, ImageID: record.ID, PublicURL: record.PublicURL}), nil
		}
		err = failed
	}
	return s.failed(ctx, j, e, id, index, err)
}

// failed returns what to write of an entry that wasn't drawn, or the error if another try may succeed.
func (s *Service) failed(
	ctx context.Context, j *jobs.Job, e pendingEntry, id string, index int, err error,
) (jobs.Result, error) {
	code := apperr.CodeOf(err)
	busy := code == apperr.Unavailable || code == apperr.RateLimited || errors.Is(err, fetch.ErrTooOften)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case busy && s.now().Sub(e.CreatedAt.Time) < maxWait:
		return func(ctx context.Context, tx *db.Tx) error {
			return s.queue.EnqueueAt(ctx, tx, e.OwnerID, j.Key, s.now().Add(busyPause), nil)
		}, nil
	case code.Meaning().Status >= 500 && !busy && j.Attempt < maxTries:
		return nil, err
	}
	return s.ended(id, Entry{Index: index, State: Failed, Problem: problemOf(err)}), nil
}

// fail returns what to write of an entry that was given up: its node was killed at the last try, or an operator has
// canceled it.
func (s *Service) fail(_ context.Context, j *jobs.Job, cause error) jobs.Result {
	id, index, err := entryOf(j.Key)
	if err != nil {
		return nil
	}
	problem := apperr.New(apperr.Internal, "The image could not be drawn.")
	if errors.Is(cause, jobs.ErrCanceled) {
		problem = apperr.New(apperr.Unavailable, "The operator canceled this request.")
	}
	return s.ended(id, Entry{Index: index, State: Failed, Problem: problemOf(problem)})
}

// ended writes the result of an entry.
func (s *Service) ended(batchID string, e Entry) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error { return setResult(ctx, tx, batchID, e, db.Moment(s.now())) }
}

// problemOf is an error as callers may see it.
func problemOf(err error) *Problem {
	var known *apperr.Error
	if !errors.As(err, &known) || known.Code == apperr.Internal {
		return &Problem{Code: apperr.Internal, Detail: "The image could not be drawn, by a fault of this service."}
	}
	return &Problem{Code: known.Code, Detail: known.Detail, Fields: known.Fields}
}
