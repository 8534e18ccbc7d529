// Package idempotency implements the Idempotency-Key header. The first response to a request is stored under its key
// for a day, and identical requests get that response instead of running again.
//
// All attempts at a request get the same ID for the resource they create. If an attempt is killed after creating the
// resource but before storing the response, the next attempt finds the existing ID.
package idempotency

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

const (
	// keepTime is how long a response is stored. Source: docs/security.md#retried-requests.
	keepTime = 24 * time.Hour
	// leaseTime is how long an attempt counts as running. It exceeds the maximum duration of a request, so that a
	// second attempt starts only after the first was killed.
	leaseTime = 65 * time.Second
	// retryAfter is when a client should retry a request that is still running.
	retryAfter = 2 * time.Second
)

// Answer is a stored response.
type Answer struct {
	Status int
	Header http.Header // the few headers that are part of the response
	Body   []byte
}

// Request is a request with a key. Equal requests have equal digests.
type Request struct {
	OwnerID, Key, Digest string
	// Earlier lists digests that the same request may have been stored with before.
	Earlier []string
}

// Attempt is the right to run a request. Callers must call either Keep or Release.
type Attempt struct {
	// ResourceID is a UUID for the resource that the request creates. It is the same for all attempts.
	ResourceID string

	keys    *Keys
	request Request
	number  int64
}

// Keys stores the responses of all nodes. It is safe for concurrent use.
type Keys struct {
	store store
	now   func() time.Time
}

// New returns a store of responses in d.
func New(d *db.DB) *Keys { return &Keys{store: store{d}, now: time.Now} }

// Begin starts a request. It returns either the stored response or an attempt that the caller must run. It returns
// IDEMPOTENCY_MISMATCH if the key was used with a different request, and CONFLICT while the request is still running.
func (k *Keys) Begin(ctx context.Context, r Request) (*Attempt, *Answer, error) {
	for {
		now := k.now()
		fresh := row{ResourceID: db.NewID(), Attempt: 1}
		claimed, err := k.store.claim(ctx, r, fresh.ResourceID, now, now.Add(leaseTime), now.Add(-keepTime))
		if err != nil {
			return nil, nil, err
		}
		if claimed {
			return k.attempt(r, fresh), nil, nil
		}
		known, found, err := k.store.get(ctx, r)
		switch {
		case err != nil:
			return nil, nil, err
		case !found:
			continue // it was released concurrently
		case known.RequestDigest != r.Digest && !slices.Contains(r.Earlier, known.RequestDigest):
			return nil, nil, apperr.New(apperr.IdempotencyMismatch,
				"This Idempotency-Key was used with a different request in the last 24 hours. "+
					"Send a new key with each new request.")
		case known.Status.Valid:
			return nil, known.answer(), nil
		case known.LeasedUntil.After(now) && !known.LeasedUntil.After(now.Add(2*leaseTime)):
			// A later time was written before a clock was set back.
			return nil, nil, &apperr.Error{Code: apperr.Conflict, RetryAfter: retryAfter,
				Detail: "A request with this Idempotency-Key is still running. Try again in 2 seconds."}
		}
		taken, err := k.store.takeOver(ctx, r, known.Attempt, now.Add(leaseTime))
		if err != nil {
			return nil, nil, err
		}
		if taken {
			known.Attempt++
			return k.attempt(r, known), nil, nil
		}
	}
}

func (k *Keys) attempt(r Request, known row) *Attempt {
	return &Attempt{ResourceID: known.ResourceID, keys: k, request: r, number: known.Attempt}
}

// Keep stores the response of the attempt, unless another attempt has replaced it.
func (a *Attempt) Keep(ctx context.Context, answer Answer) error {
	return a.keys.store.keep(ctx, a.request, a.number, answer)
}

// Release deletes the request as if it had never been sent: it had no effect that a retry should return.
func (a *Attempt) Release(ctx context.Context) error {
	return a.keys.store.release(ctx, a.request, a.number)
}

// Sweep deletes responses older than a day.
func (k *Keys) Sweep(ctx context.Context) error {
	if err := k.store.sweep(ctx, k.now().Add(-keepTime)); err != nil {
		return fmt.Errorf("delete old responses to repeated requests: %w", err)
	}
	return nil
}
