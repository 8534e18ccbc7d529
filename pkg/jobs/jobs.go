// Package jobs owns durable work in the background: a job is enqueued in the transaction that makes it necessary, and
// tried until it is done, whatever happens to the program meanwhile.
//
// An attempt has a lease, during which nobody else begins the job, on this node or another; who is killed lets it end.
// What an attempt comes to is written in one transaction with the end of the job, which only the holder of the lease
// can end: a job has one result, though an attempt that was cut off is made again.
//
// A table of our own and not River, since that would pass the gate of package db by, which bounds every statement and
// keeps work from a database that does not answer; on SQLite it takes the one writer each second and for its elections,
// work or not; and what a killed node was at, its rescuer finds after half a minute more than the lease.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// Job is work to be done.
type Job struct {
	// Key is what it is about.
	Key     string
	Payload json.RawMessage
	// Attempt counts the attempts, this one included.
	Attempt int

	holder string
}

// Queue is the jobs of one kind.
type Queue struct {
	db   *db.DB
	kind string
	now  func() time.Time
}

// NewQueue returns the jobs in d of a kind, such as "analysis". Nodes must agree on the time within the half of a
// lease.
func NewQueue(d *db.DB, kind string) *Queue { return &Queue{d, kind, time.Now} }

// Enqueue adds a job of an owner in a transaction, with which it comes or not. While there is one for the key nothing
// is added. Owners take turns: who has many jobs does not keep others waiting for all of them.
func (q *Queue) Enqueue(ctx context.Context, tx *db.Tx, ownerID, key string, payload any) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("encode the job %s: %w", key, err)
	}
	_, err = tx.Exec(ctx, `INSERT INTO jobs (kind, key, payload, attempts, due_at, holder, owner, turn)
		SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), 0, CAST(? AS BIGINT), '', CAST(? AS TEXT),
			CASE WHEN own > present THEN own ELSE present END
		FROM (SELECT COALESCE((SELECT MIN(turn) FROM jobs WHERE kind = ?), 0) AS present,
			COALESCE((SELECT MAX(turn) + 1 FROM jobs WHERE kind = ? AND owner = ?), 0) AS own) AS turns
		WHERE TRUE
		ON CONFLICT (kind, key) DO NOTHING`,
		q.kind, key, string(text), q.now().UnixMilli(), ownerID, q.kind, q.kind, ownerID)
	if err != nil {
		return fmt.Errorf("enqueue the job %s: %w", key, err)
	}
	return nil
}

// Waiting returns how many jobs there are, those being done included.
func (q *Queue) Waiting(ctx context.Context) (count int, err error) {
	err = q.db.Get(ctx, &count, `SELECT COUNT(*) FROM jobs WHERE kind = ?`, q.kind)
	if err != nil {
		return 0, fmt.Errorf("count the jobs: %w", err)
	}
	return count, nil
}

// claim begins an attempt at the due job whose turn it is; nil when none is due.
func (q *Queue) claim(ctx context.Context, lease time.Duration) (*Job, error) {
	now := q.now()
	// Looking takes no write lock, and mostly there is nothing.
	var due bool
	err := q.db.Get(ctx, &due, `SELECT EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND due_at <= ?)`,
		q.kind, now.UnixMilli())
	if err != nil || !due {
		return nil, err
	}
	skip := ""
	if q.db.Dialect() == db.Postgres {
		skip = ` FOR UPDATE SKIP LOCKED`
	}
	var rows []struct {
		Key      string `db:"key"`
		Payload  string `db:"payload"`
		Attempts int    `db:"attempts"`
	}
	holder := db.NewID()
	err = q.db.SelectWrite(ctx, &rows, `UPDATE jobs SET attempts = attempts + 1, due_at = ?, holder = ?
		WHERE kind = ? AND key = (SELECT key FROM jobs WHERE kind = ? AND due_at <= ?
			ORDER BY turn, due_at, key LIMIT 1`+skip+`)
		RETURNING key, payload, attempts`,
		now.Add(lease).UnixMilli(), holder, q.kind, q.kind, now.UnixMilli())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &Job{rows[0].Key, json.RawMessage(rows[0].Payload), rows[0].Attempts, holder}, nil
}

// end ends a job with what its attempt came to, unless the lease went to somebody else: then nothing is done.
func (q *Queue) end(ctx context.Context, j *Job, result func(context.Context, *db.Tx) error) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Exec(ctx, `DELETE FROM jobs WHERE kind = ? AND key = ? AND holder = ?`, q.kind, j.Key, j.holder)
		if err != nil || rows == 0 || result == nil {
			return err
		}
		return result(ctx, tx)
	})
}

// again puts a job back for another attempt after a pause; one that was cut off does not count.
func (q *Queue) again(ctx context.Context, j *Job, pause time.Duration, cut bool) error {
	off := 0
	if cut {
		off = 1
	}
	_, err := q.db.Exec(ctx, `UPDATE jobs SET due_at = ?, attempts = attempts - ?, holder = ''
		WHERE kind = ? AND key = ? AND holder = ?`, q.now().Add(pause).UnixMilli(), off, q.kind, j.Key, j.holder)
	return err
}
