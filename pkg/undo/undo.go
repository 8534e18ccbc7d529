// Package undo deletes rows in a way that can be taken back for a minute: rows are marked with the time of their
// deletion, in the column deleting_at, and a job deletes them then. The module that owns the table leaves marked rows
// out of its queries.
package undo

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

// Time is how long a deletion can be taken back.
const Time = time.Minute

// Limits of the jobs.
const (
	jobTime  = 10 * time.Second
	attempts = 20
	pause    = 30 * time.Second
)

// Kind says how rows of a table are deleted. Its texts are SQL, in which callers' input has no place.
type Kind struct {
	// Name is part of the kind of its jobs: NAME_deletion.
	Name string
	// Table has the columns owner_id and deleting_at, a time in milliseconds with an index.
	Table string
	// Returns is a column that identifies a row for the module.
	Returns string
	// Mark and Unmark are other changes of a row, as in UPDATE … SET, each beginning with a comma; or "". A parameter of
	// Mark is the time of the deletion.
	Mark, Unmark string
	// Deleted is called after rows were deleted, with the column Returns of each; nil for nothing.
	Deleted func(returned []string)
}

// Deletions are those of one kind. They are safe for concurrent use.
type Deletions struct {
	kind  Kind
	db    *db.DB
	queue *jobs.Queue
	// Now is the clock, which the service of the module may replace.
	Now func() time.Time
}

// New returns the deletions of a kind, whose jobs are done by w.
func New(d *db.DB, w *jobs.Worker, kind Kind) *Deletions {
	u := &Deletions{kind: kind, db: d, Now: time.Now}
	u.queue = w.Handle(kind.Name+"_deletion", jobs.Work{
		Do: u.delete, AtOnce: 1, Time: jobTime, Attempts: attempts, Pause: jobs.Pauses(pause),
	})
	return u
}

// deletion is a job: it deletes the rows that are to be deleted by a time. So the job of a mark that was taken back
// does nothing, and the next job deletes what one that was given up left.
type deletion struct {
	At db.Millis `json:"at"`
}

// Mark marks the rows of an account that satisfy a condition and aren't marked yet, and returns them; none is no error.
func (u *Deletions) Mark(
	ctx context.Context, tx *db.Tx, ownerID, condition string, args ...any,
) (returned []string, err error) {
	at := db.Millis{Time: db.Moment(u.Now().Add(Time))}
	all := []any{at}
	for range strings.Count(u.kind.Mark, "?") {
		all = append(all, at)
	}
	err = tx.Select(ctx, &returned, `UPDATE `+u.kind.Table+` SET deleting_at = ?`+u.kind.Mark+`
		WHERE owner_id = ? AND deleting_at IS NULL AND (`+condition+`) RETURNING `+u.kind.Returns,
		append(append(all, ownerID), args...)...)
	if err != nil {
		return nil, fmt.Errorf("mark rows of %s: %w", u.kind.Table, err)
	}
	if len(returned) == 0 {
		return nil, nil
	}
	key := ownerID + " " + strconv.FormatInt(at.UnixMilli(), 10)
	return returned, u.queue.EnqueueAt(ctx, tx, ownerID, key, at.Time, deletion{at})
}

// Unmark takes [Deletions.Mark] back for the marked rows that satisfy a condition and whose time isn't up, and returns
// them; none is no error.
func (u *Deletions) Unmark(
	ctx context.Context, tx *db.Tx, ownerID, condition string, args ...any,
) (returned []string, err error) {
	err = tx.Select(ctx, &returned, `UPDATE `+u.kind.Table+` SET deleting_at = NULL`+u.kind.Unmark+`
		WHERE owner_id = ? AND deleting_at > ? AND (`+condition+`) RETURNING `+u.kind.Returns,
		append([]any{ownerID, db.Millis{Time: u.Now()}}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("take back a deletion in %s: %w", u.kind.Table, err)
	}
	return returned, nil
}

// delete is a job: it deletes the marked rows whose time is up.
func (u *Deletions) delete(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var d deletion
	if err := json.Unmarshal(j.Payload, &d); err != nil {
		return nil, fmt.Errorf("read a deletion: %w", err)
	}
	var returned []string
	err := u.db.SelectWrite(ctx, &returned, `DELETE FROM `+u.kind.Table+` WHERE deleting_at <= ? RETURNING `+
		u.kind.Returns, d.At)
	if err != nil {
		return nil, fmt.Errorf("delete marked rows of %s: %w", u.kind.Table, err)
	}
	if len(returned) > 0 && u.kind.Deleted != nil {
		u.kind.Deleted(returned)
	}
	return nil, nil //nolint:nilnil // there is nothing to write
}
