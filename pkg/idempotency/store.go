package idempotency

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// row is the stored state of a key.
type row struct {
	RequestDigest string               `db:"request_digest"`
	ResourceID    string               `db:"resource_id"`
	Attempt       int64                `db:"attempt"`
	LeasedUntil   db.Millis            `db:"leased_until"`
	Status        sql.NullInt64        `db:"status"`
	Headers       db.JSON[http.Header] `db:"headers"`
	Body          string               `db:"body"`
}

func (r row) answer() *Answer {
	return &Answer{Status: int(r.Status.Int64), Header: r.Headers.V, Body: []byte(r.Body)}
}

// claim stores a request under its key, unless one was stored there after stale.
func (s store) claim(
	ctx context.Context, r Request, resourceID string, now, leasedUntil, stale time.Time,
) (claimed bool, err error) {
	rows, err := s.db.Exec(ctx, `INSERT INTO idempotency_keys (owner_id, idempotency_key, request_digest, resource_id,
			attempt, leased_until, status, headers, body, created_at)
		VALUES (?, ?, ?, ?, 1, ?, NULL, '{}', '', ?)
		ON CONFLICT (owner_id, idempotency_key) DO UPDATE SET request_digest = excluded.request_digest,
			resource_id = excluded.resource_id, attempt = 1, leased_until = excluded.leased_until, status = NULL,
			headers = '{}', body = '', created_at = excluded.created_at
		WHERE idempotency_keys.created_at <= ?`,
		r.OwnerID, r.Key, r.Digest, resourceID, db.Millis{Time: leasedUntil}, db.Millis{Time: now}, db.Millis{Time: stale})
	if err != nil {
		return false, fmt.Errorf("note a request with a key: %w", err)
	}
	return rows > 0, nil
}

func (s store) get(ctx context.Context, r Request) (known row, found bool, err error) {
	err = s.db.Get(ctx, &known, `SELECT request_digest, resource_id, attempt, leased_until, status, headers, body
		FROM idempotency_keys WHERE owner_id = ? AND idempotency_key = ?`, r.OwnerID, r.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, false, nil
	}
	if err != nil {
		return row{}, false, fmt.Errorf("find a request with a key: %w", err)
	}
	return known, true, nil
}

// takeOver starts the next attempt after one that ended without a response. It returns false if another attempt
// started first.
func (s store) takeOver(ctx context.Context, r Request, after int64, leasedUntil time.Time) (taken bool, err error) {
	rows, err := s.db.Exec(ctx, `UPDATE idempotency_keys SET attempt = attempt + 1, leased_until = ?
		WHERE owner_id = ? AND idempotency_key = ? AND attempt = ? AND status IS NULL`,
		db.Millis{Time: leasedUntil}, r.OwnerID, r.Key, after)
	if err != nil {
		return false, fmt.Errorf("take over a request with a key: %w", err)
	}
	return rows > 0, nil
}

func (s store) keep(ctx context.Context, r Request, attempt int64, a Answer) error {
	_, err := s.db.Exec(ctx, `UPDATE idempotency_keys SET status = ?, headers = ?, body = ?
		WHERE owner_id = ? AND idempotency_key = ? AND attempt = ? AND status IS NULL`,
		a.Status, db.JSON[http.Header]{V: a.Header}, string(a.Body), r.OwnerID, r.Key, attempt)
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}

func (s store) release(ctx context.Context, r Request, attempt int64) error {
	_, err := s.db.Exec(ctx, `DELETE FROM idempotency_keys
		WHERE owner_id = ? AND idempotency_key = ? AND attempt = ? AND status IS NULL`, r.OwnerID, r.Key, attempt)
	if err != nil {
		return fmt.Errorf("forget a request with a key: %w", err)
	}
	return nil
}

func (s store) sweep(ctx context.Context, before time.Time) error {
	_, err := s.db.Exec(ctx, `DELETE FROM idempotency_keys WHERE created_at <= ?`, db.Millis{Time: before})
	return err
}
