package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
)

// This file is what an operator sees of the jobs, and does about them.

// keptFor is how long a job that was given up is kept.
const keptFor = 7 * 24 * time.Hour

// State is where a job is on its way.
type State string

// The states.
const (
	Waiting State = "WAITING"
	Running State = "RUNNING"
	GivenUp State = "GIVEN_UP"
)

// Summary is a job as an operator sees it. Its payload isn't shown: it may hold what belongs to the owner alone.
type Summary struct {
	ID, Kind, Key, OwnerID string
	State                  State
	Attempts               int
	// DueAt is when the next attempt may start, or the lease of the present one expires; zero for a job that was given up.
	DueAt     time.Time
	GivenUpAt time.Time // zero unless it was given up
	LastError string    // of the last attempt that failed; at most 500 characters
	Retryable bool      // by [Worker.Retry], once it was given up
}

// Filter selects jobs; the zero value selects all.
type Filter struct {
	Kind    string
	GivenUp bool // only those
}

// noJob is the response for a job that isn't there.
const noJob = "There is no job with this id. It may be done."

// List returns a page of jobs, the newest first, and the cursor of the next one; "" on the last page.
func (w *Worker) List(ctx context.Context, f Filter, p cursor.Page) (page []Summary, next string, err error) {
	return cursor.List(p, func(l Summary) string { return l.ID }, func(before string, limit int) ([]Summary, error) {
		query, args := `SELECT id, kind, key, owner, holder, attempts, due_at, given_up_at, last_error, retryable
			FROM jobs WHERE id < ?`, []any{before}
		if f.Kind != "" {
			query, args = query+` AND kind = ?`, append(args, f.Kind)
		}
		if f.GivenUp {
			query += ` AND given_up_at IS NOT NULL`
		}
		list, err := db.SelectAs(ctx, w.db, listedRow.listed, query+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
		if err != nil {
			return nil, fmt.Errorf("list the jobs: %w", err)
		}
		return list, nil
	})
}

// listedRow is a Listed as its table has it.
type listedRow struct {
	ID        string    `db:"id"`
	Kind      string    `db:"kind"`
	Key       string    `db:"key"`
	Owner     string    `db:"owner"`
	Holder    string    `db:"holder"`
	Attempts  int       `db:"attempts"`
	DueAt     int64     `db:"due_at"`
	GivenUpAt db.Millis `db:"given_up_at"`
	LastError string    `db:"last_error"`
	Retryable bool      `db:"retryable"`
}

func (r listedRow) listed() Summary {
	l := Summary{
		ID: r.ID, Kind: r.Kind, Key: r.Key, OwnerID: r.Owner, State: Waiting, Attempts: r.Attempts,
		GivenUpAt: r.GivenUpAt.Time, LastError: r.LastError, Retryable: r.Retryable,
	}
	switch {
	case !l.GivenUpAt.IsZero():
		l.State = GivenUp
		return l
	case r.Holder != "":
		l.State = Running
	}
	l.DueAt = time.UnixMilli(r.DueAt).UTC()
	return l
}

// Retry makes a job that was given up due again, with all its attempts. NotFound for a job that isn't there, Conflict
// for one that wasn't given up or can't be retried.
func (w *Worker) Retry(ctx context.Context, id string) error {
	return w.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Exec(ctx, `UPDATE jobs SET given_up_at = NULL, due_at = ?, attempts = 0
			WHERE id = ? AND given_up_at IS NOT NULL AND retryable`, w.now().UnixMilli(), id)
		if err != nil {
			return fmt.Errorf("retry job %s: %w", id, err)
		}
		if rows > 0 {
			return nil
		}
		if err := tx.Get(ctx, new(string), `SELECT id FROM jobs WHERE id = ?`, id); err != nil {
			return db.Missing(err, noJob, "retry job "+id)
		}
		return apperr.New(apperr.Conflict,
			"Only a job that was given up, and whose failure had no consequences, can be retried.")
	})
}

// Cancel ends a job in any state. One that wasn't given up yet fails with [ErrCanceled]; if it is running, its attempt
// is interrupted when it next renews its lease, and its result isn't written. NotFound for a job that isn't there.
func (w *Worker) Cancel(ctx context.Context, id string) error {
	return w.db.InTx(ctx, func(tx *db.Tx) error {
		var r struct {
			Kind      string    `db:"kind"`
			Key       string    `db:"key"`
			Payload   string    `db:"payload"`
			Attempts  int       `db:"attempts"`
			GivenUpAt db.Millis `db:"given_up_at"`
		}
		err := tx.Get(ctx, &r, `DELETE FROM jobs WHERE id = ? RETURNING kind, key, payload, attempts, given_up_at`, id)
		if errors.Is(err, sql.ErrNoRows) {
			return apperr.New(apperr.NotFound, noJob)
		}
		if err != nil {
			return fmt.Errorf("cancel job %s: %w", id, err)
		}
		k := w.kinds[r.Kind]
		if k == nil || !r.GivenUpAt.IsZero() {
			return nil
		}
		j := &Job{Key: r.Key, Payload: json.RawMessage(r.Payload), Attempt: r.Attempts}
		if result := k.failed(ctx, j, ErrCanceled); result != nil {
			return result(ctx, tx)
		}
		return nil
	})
}

// Sweep deletes the jobs that were given up more than 7 days ago.
func (w *Worker) Sweep(ctx context.Context) error {
	_, err := w.db.Exec(ctx, `DELETE FROM jobs WHERE given_up_at < ?`, w.now().Add(-keptFor).UnixMilli())
	if err != nil {
		return fmt.Errorf("delete jobs that were given up: %w", err)
	}
	return nil
}
