package images

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
)

// This file deletes images in a way that can be taken back: a marked image is in no list and not found, and it isn't
// the image of its request any more. A job deletes it.

// undoTime is how long a deletion can be taken back.
const undoTime = time.Minute

// keyMark begins the cache key of a marked image, followed by its ID and the key. It is the length of a prefix that
// undelete cuts off.
const keyMark = "deleting "

// Limits of the job that deletes a marked image.
const (
	deletionTime     = 10 * time.Second
	deletionAttempts = 20
	deletionPause    = 30 * time.Second
)

// deletion is a job: when the image was to be deleted, so that one of an earlier mark does nothing.
type deletion struct {
	ImageID string    `json:"imageId"`
	At      db.Millis `json:"at"`
}

// deletions returns the queue of deletions.
func (s *Service) newDeletions(w *jobs.Worker) *jobs.Queue {
	return w.Handle("image_deletion", jobs.Work{
		Do: s.deleteMarked, AtOnce: 1, Time: deletionTime, Attempts: deletionAttempts, Pause: jobs.Pauses(deletionPause),
	})
}

// DeleteLater marks one image of the caller, to be deleted in a minute. [Service.Undelete] takes that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	var publicID string
	at := db.Millis{Time: db.Moment(s.now().Add(undoTime))}
	err := s.store.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Get(ctx, &publicID, `UPDATE images SET deleting_at = ?, cache_key = ? || id || ' ' || cache_key
			WHERE id = ? AND owner_id = ? AND deleting_at IS NULL RETURNING public_id`, at, keyMark, id, caller.UserID)
		if err != nil {
			return db.Missing(err, noImage, "mark image "+id)
		}
		key := fmt.Sprint(id, " ", at.UnixMilli())
		return s.deletions.EnqueueAt(ctx, tx, caller.UserID, key, at.Time, deletion{id, at})
	})
	if err == nil {
		s.memory.index.Forget(publicID)
	}
	return err
}

// Undelete takes back [Service.DeleteLater]. It returns NOT_FOUND for an image that isn't marked or is deleted already,
// and CONFLICT if the same image was drawn again in the meantime.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Record, error) {
	var publicID string
	err := s.store.db.GetWrite(ctx, &publicID, `UPDATE images SET deleting_at = NULL, cache_key = SUBSTR(cache_key, ?)
		WHERE id = ? AND owner_id = ? AND deleting_at > ? RETURNING public_id`,
		len(keyMark)+len(id)+len(" ")+1, id, caller.UserID, millis(s.now()))
	if db.IsUnique(err) {
		return Record{}, apperr.Wrap(apperr.Conflict,
			"The image was drawn again after it was deleted. That one stays, with an id of its own.", err)
	}
	if err != nil {
		return Record{}, db.Missing(err, "There is no image with this id whose deletion can be taken back.",
			"undelete image "+id)
	}
	s.memory.index.Forget(publicID)
	return s.Get(ctx, caller, id)
}

// deleteMarked is a job: it deletes an image whose time is up, unless that was taken back.
func (s *Service) deleteMarked(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var d deletion
	if err := json.Unmarshal(j.Payload, &d); err != nil {
		return nil, err
	}
	var publicIDs []string
	err := s.store.db.SelectWrite(ctx, &publicIDs,
		`DELETE FROM images WHERE id = ? AND deleting_at = ? RETURNING public_id`, d.ImageID, d.At)
	if err != nil {
		return nil, fmt.Errorf("delete image %s: %w", d.ImageID, err)
	}
	for _, publicID := range publicIDs {
		s.memory.index.Forget(publicID)
		s.files.SweepSoon()
	}
	return nil, nil //nolint:nilnil // there is nothing to write
}
