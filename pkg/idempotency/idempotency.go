// Package idempotency owns the answers to requests that may be sent again: under the key that a client gave a request,
// the first answer is kept for a day, and an identical request later gets that one instead of a second effect.
//
// Every attempt at a request is given the same id for what it makes. So an attempt that was killed between its effect
// and its answer does no harm: the next one runs into the unique id of what is there already.
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
	// keepTime is how long an answer is kept. Source: security requirements, "Idempotency".
	keepTime = 24 * time.Hour
	// leaseTime is how long an attempt is taken to be running: longer than any request may take, so that a second one
	// begins only after a first that was killed.
	leaseTime = 65 * time.Second
	// retryAfter is when a request that is still running is worth asking for again.
	retryAfter = 2 * time.Second
)

// Answer is a response as it is kept.
type Answer struct {
	Status int
	Header http.Header // those few that belong to the answer
	Body   []byte
}

// Request is one that came with a key. Digest tells it from others: equal ones have equal digests.
type Request struct {
	OwnerID, Key, Digest string
	// Earlier are digests that an equal request may have been noted with before.
	Earlier []string
}

// Attempt is the right to do what a request asks for. One of Keep and Release must be called.
type Attempt struct {
	// ResourceID is a UUID for what the request makes; every attempt at the request has the same.
	ResourceID string

	keys    *Keys
	request Request
	number  int64
}

// Keys keeps the answers of all nodes. It is safe for concurrent use.
type Keys struct {
	store store
	now   func() time.Time
}

// New returns the answers in d.
func New(d *db.DB) *Keys { return &Keys{store: store{d}, now: time.Now} }

// Begin takes a request: either its answer is there already, or the caller is to make it. Errors: IDEMPOTENCY_MISMATCH
// when the key belongs to another request, CONFLICT while the request is still running.
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
			continue // it was given back since
		case known.RequestDigest != r.Digest && !slices.Contains(r.Earlier, known.RequestDigest):
			return nil, nil, apperr.New(apperr.IdempotencyMismatch,
				"This Idempotency-Key was used for another request within the last day; send a key of its own with each.")
		case known.Status.Valid:
			return nil, known.answer(), nil
		case known.LeasedUntil.After(now) && !known.LeasedUntil.After(now.Add(2*leaseTime)):
			// Beyond that is what a clock that has gone back since has given.
			return nil, nil, &apperr.Error{Code: apperr.Conflict, RetryAfter: retryAfter,
				Detail: "A request with this Idempotency-Key is still running; send it again in a moment."}
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

// Keep keeps the answer of the attempt, unless another attempt has taken its place.
func (a *Attempt) Keep(ctx context.Context, answer Answer) error {
	return a.keys.store.keep(ctx, a.request, a.number, answer)
}

// Release forgets the request, as if it had not been sent: nothing came of it that a repeat should get.
func (a *Attempt) Release(ctx context.Context) error {
	return a.keys.store.release(ctx, a.request, a.number)
}

// Sweep removes the answers whose day is over.
func (k *Keys) Sweep(ctx context.Context) error {
	if err := k.store.sweep(ctx, k.now().Add(-keepTime)); err != nil {
		return fmt.Errorf("sweep the answers to repeated requests: %w", err)
	}
	return nil
}
