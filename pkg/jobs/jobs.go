// Package jobs owns durable background work: a job is enqueued in the transaction that makes it necessary, and
// attempted until it succeeds or is given up, even if the program is killed meanwhile.
//
// An attempt holds a lease, during which no node starts the job again. A long attempt renews its lease; if its node is
// killed, the lease expires and another node takes over. The result of an attempt is written in the transaction that
// ends the job, and only the holder of the lease can end it: a job has one result, although an interrupted attempt is
// repeated. So effects outside the database, such as an email or a request, happen at least once, and carry an id that
// makes a repetition harmless.
//
// Jobs that were given up are kept for a week with their last error ([Worker.List], [Worker.Retry], [Worker.Cancel]).
//
// The table is our own because River would bypass the gate of package db, which bounds every statement and holds back
// work from a database that doesn't answer; on SQLite, River takes the only writer every second and for its elections,
// whether there is work or not; and it finds the jobs of a killed node only half a minute after their leases.
//
// To add a kind of job, call [Worker.Handle] where the module is made.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/tracing"
)

// Job is one attempt at a job.
type Job struct {
	// Key is what the job is about, unique within its kind.
	Key     string
	Payload json.RawMessage
	// Attempt is the number of this attempt, from 1.
	Attempt int

	holder string
	trace  string // see [tracing.Parent]
}

// Queue is the jobs of one kind. [Worker.Handle] makes it.
type Queue struct {
	db   *db.DB
	kind string
	now  func() time.Time
}

const (
	// maxErrorChars is how many characters of an error are kept.
	maxErrorChars = 500
	// never is the due time of a job that was given up.
	never = math.MaxInt64
)

// Enqueue adds a job of an owner in tx, due at once. If the kind has a job with this key already, nothing is added,
// unless that one was given up: then the new one replaces it. Owners take turns: the many jobs of one don't delay those
// of the others.
func (q *Queue) Enqueue(ctx context.Context, tx *db.Tx, ownerID, key string, payload any) error {
	return q.EnqueueAt(ctx, tx, ownerID, key, q.now(), payload)
}

// Wake is Enqueue for work that may wait for a later time under the same key: it becomes due at once. One that runs
// isn't changed, so its result must look again for what there is to do.
func (q *Queue) Wake(ctx context.Context, tx *db.Tx, ownerID, key string, payload any) error {
	return q.enqueue(ctx, tx, ownerID, key, q.now(), payload, true)
}

// WakeAt is Wake for a time: work that waits for a later one under the same key becomes due then.
func (q *Queue) WakeAt(ctx context.Context, tx *db.Tx, ownerID, key string, due time.Time, payload any) error {
	return q.enqueue(ctx, tx, ownerID, key, due, payload, true)
}

// EnqueueAt is Enqueue for a job that is due at a time. Periodic work enqueues its next run in the result of the last,
// with a key that names the period, such as page and day.
func (q *Queue) EnqueueAt(
	ctx context.Context, tx *db.Tx, ownerID, key string, due time.Time, payload any,
) error {
	return q.enqueue(ctx, tx, ownerID, key, due, payload, false)
}

// enqueue adds a job; wake replaces one with the key that waits for a later time.
func (q *Queue) enqueue(
	ctx context.Context, tx *db.Tx, ownerID, key string, due time.Time, payload any, wake bool,
) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("encode the job %s: %w", key, err)
	}
	now := q.now().UnixMilli()
	dueAt := max(due.UnixMilli(), 0)
	parent := tracing.Parent(ctx)
	if dueAt > now { // what is for later, such as the next of a periodic job, would make its trace endless
		parent = ""
	}
	_, err = tx.Exec(ctx, `INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, trace, turn)
		SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), 0, CAST(? AS BIGINT), '',
			CAST(? AS TEXT), CAST(? AS TEXT), CASE WHEN own > present THEN own ELSE present END
		FROM `+nextTurn+`
		WHERE TRUE
		ON CONFLICT (kind, key) DO UPDATE SET id = excluded.id, payload = excluded.payload, attempts = 0,
			due_at = excluded.due_at, holder = '', owner = excluded.owner, trace = excluded.trace, turn = excluded.turn,
			last_error = '', given_up_at = NULL, retryable = TRUE
			WHERE jobs.given_up_at IS NOT NULL OR ? AND jobs.holder = '' AND jobs.due_at > excluded.due_at`,
		db.NewID(), q.kind, key, string(text), dueAt, ownerID, parent, q.kind, now, q.kind, ownerID, dueAt, wake)
	if err != nil {
		return fmt.Errorf("enqueue the job %s: %w", key, err)
	}
	return nil
}

// EnqueueAll is Enqueue for many new jobs of an owner without a payload, in the order of their keys, which no job has.
func (q *Queue) EnqueueAll(ctx context.Context, tx *db.Tx, ownerID string, keys []string) error {
	now := q.now().UnixMilli()
	var turn int64
	err := tx.Get(ctx, &turn, `SELECT CASE WHEN own > present THEN own ELSE present END FROM `+nextTurn,
		q.kind, now, q.kind, ownerID, now)
	if err != nil {
		return fmt.Errorf("find the turn of %d jobs: %w", len(keys), err)
	}
	rows := make([][]any, len(keys))
	for i, key := range keys {
		rows[i] = []any{db.NewID(), q.kind, key, "null", 0, now, "", ownerID, tracing.Parent(ctx), turn + int64(i)}
	}
	const insert = `INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, trace, turn)`
	if err := tx.InsertRows(ctx, insert, rows); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(keys), err)
	}
	return nil
}

// nextTurn is a table with the present turn of a kind, and the one after an owner's last.
const nextTurn = `(SELECT COALESCE((SELECT MIN(turn) FROM jobs WHERE kind = ? AND due_at <= ?), 0) AS present,
	COALESCE((SELECT MAX(turn) + 1 FROM jobs WHERE kind = ? AND owner = ? AND due_at <= ?), 0) AS own) AS turns`

// Waiting returns the number of jobs that are waiting or running.
func (q *Queue) Waiting(ctx context.Context) (count int, err error) {
	err = q.db.Get(ctx, &count, `SELECT COUNT(*) FROM jobs WHERE kind = ? AND given_up_at IS NULL`, q.kind)
	if err != nil {
		return 0, fmt.Errorf("count the jobs: %w", err)
	}
	return count, nil
}

// claim starts an attempt at the due job whose turn it is; nil if none is due.
func (q *Queue) claim(ctx context.Context, lease time.Duration) (*Job, error) {
	now := q.now()
	skip := ""
	if q.db.Dialect() == db.Postgres {
		skip = ` FOR UPDATE SKIP LOCKED`
	}
	var rows []struct {
		Key      string `db:"key"`
		Payload  string `db:"payload"`
		Attempts int    `db:"attempts"`
		Trace    string `db:"trace"`
	}
	holder := db.NewID()
	err := q.db.SelectWrite(ctx, &rows, `UPDATE jobs SET attempts = attempts + 1, due_at = ?, holder = ?
		WHERE kind = ? AND key = (SELECT key FROM jobs WHERE kind = ? AND due_at <= ?
			ORDER BY turn, due_at, key LIMIT 1`+skip+`)
		RETURNING key, payload, attempts, trace`,
		now.Add(lease).UnixMilli(), holder, q.kind, q.kind, now.UnixMilli())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &Job{rows[0].Key, json.RawMessage(rows[0].Payload), rows[0].Attempts, holder, rows[0].Trace}, nil
}

// renew extends the lease of an attempt; held is false if the job has another holder by now, or was canceled.
func (q *Queue) renew(ctx context.Context, j *Job, lease time.Duration) (held bool, err error) {
	rows, err := q.db.Exec(ctx, `UPDATE jobs SET due_at = ? WHERE kind = ? AND key = ? AND holder = ?`,
		q.now().Add(lease).UnixMilli(), q.kind, j.Key, j.holder)
	return rows > 0, err
}

// end ends a job with the result of its attempt. It does nothing if the attempt no longer holds the lease.
func (q *Queue) end(ctx context.Context, j *Job, result Result) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Exec(ctx, `DELETE FROM jobs WHERE kind = ? AND key = ? AND holder = ?`, q.kind, j.Key, j.holder)
		if err != nil || rows == 0 || result == nil {
			return err
		}
		return result(ctx, tx)
	})
}

// giveUp keeps a job with the error of its last attempt. With a result, which is written too, the job can't be retried,
// and its payload goes. It does nothing if the attempt no longer holds the lease.
func (q *Queue) giveUp(ctx context.Context, j *Job, cause error, result Result) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Exec(ctx, `UPDATE jobs SET given_up_at = ?, due_at = ?, holder = '', last_error = ?, retryable = ?,
				payload = CASE WHEN ? THEN payload ELSE 'null' END
			WHERE kind = ? AND key = ? AND holder = ?`,
			q.now().UnixMilli(), int64(never), errorText(cause), result == nil, result == nil, q.kind, j.Key, j.holder)
		if err != nil || rows == 0 || result == nil {
			return err
		}
		return result(ctx, tx)
	})
}

// again puts a job back for another attempt after a pause. An interrupted attempt, without an error, doesn't count.
func (q *Queue) again(ctx context.Context, j *Job, pause time.Duration, cause error) error {
	uncounted := 0
	if cause == nil {
		uncounted = 1
	}
	_, err := q.db.Exec(ctx, `UPDATE jobs SET due_at = ?, attempts = attempts - ?, holder = '',
			last_error = CASE WHEN ? THEN last_error ELSE ? END
		WHERE kind = ? AND key = ? AND holder = ?`,
		q.now().Add(pause).UnixMilli(), uncounted, cause == nil, errorText(cause), q.kind, j.Key, j.holder)
	return err
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return cleantext.Clean(err.Error(), maxErrorChars)
}
