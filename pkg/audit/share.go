package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/lease"
	"masthead/pkg/weburl"
)

// This file returns the same report for the same address to anonymous callers for a while, so that they can't have a
// site audited over and over.

const (
	// sharedFor is how long a report is returned to other anonymous callers.
	sharedFor = 30 * time.Second
	// pollEvery is how often a request that waits for another node checks for its report.
	pollEvery = 100 * time.Millisecond
	// leaseTime is how long the lease of a killed node lasts: longer than clocks of nodes may differ.
	leaseTime = 18 * time.Second
	// releaseTime is the time limit for releasing a lease, possibly after the end of its request.
	releaseTime = 5 * time.Second
)

// runs are the running audits for anonymous callers, by address. The zero value is ready for use.
type runs struct {
	mu sync.Mutex
	of map[weburl.URL]*run
}

// run is one audit for all concurrent requests. Its fields are set before done is closed.
type run struct {
	done chan struct{}
	made *record
	err  error
	left bool // its caller left before it was done
}

// join returns the run for an address; if first is true, the caller must do it and end it.
func (r *runs) join(u weburl.URL) (joined *run, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if joined, ok := r.of[u]; ok {
		return joined, false
	}
	if r.of == nil {
		r.of = map[weburl.URL]*run{}
	}
	joined = &run{done: make(chan struct{}), err: errors.New("an audit panicked")}
	r.of[u] = joined
	return joined, true
}

func (r *runs) end(u weburl.URL, ended *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.of, u)
	close(ended.done)
}

// share audits a page for an anonymous caller, unless one was audited for another within sharedFor; concurrent requests
// share one audit, on any number of nodes.
func (s *Service) share(ctx context.Context, caller identity.Caller, u weburl.URL, r Request) (*record, error) {
	for {
		joined, first := s.runs.join(u)
		if first {
			return s.lead(ctx, joined, caller, u, r)
		}
		select {
		case <-joined.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if joined.err == nil {
			return joined.made.reused(), nil
		}
		if !joined.left {
			return nil, joined.err
		}
	}
}

// lead does a run for all who joined it.
func (s *Service) lead(
	ctx context.Context, own *run, caller identity.Caller, u weburl.URL, r Request,
) (*record, error) {
	defer s.runs.end(u, own)
	own.made, own.err = s.acrossNodes(ctx, caller, u, r)
	own.left = ctx.Err() != nil
	return own.made, own.err
}

// acrossNodes returns the report that another request has made recently, waits for one that another node is making, or
// makes it.
func (s *Service) acrossNodes(ctx context.Context, caller identity.Caller, u weburl.URL, r Request) (*record, error) {
	sum := sha256.Sum256([]byte(u.String()))
	name := "audit " + hex.EncodeToString(sum[:])
	for {
		if found, err := s.latest(ctx, u); found != nil || err != nil {
			return found, err
		}
		if s.leases == nil {
			return s.create(ctx, caller, u, r)
		}
		held, err := s.leases.Acquire(ctx, name)
		if err != nil {
			return nil, err
		}
		if held != nil {
			defer s.release(ctx, held)
			if found, err := s.latest(ctx, u); found != nil || err != nil {
				return found, err // it was made between the query and the lease
			}
			return s.create(ctx, caller, u, r)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// latest returns the report of an address that anonymous callers share now, or nil. One from the future is from a node
// whose clock is ahead.
func (s *Service) latest(ctx context.Context, u weburl.URL) (*record, error) {
	now := s.now()
	found, err := s.store.ofNobody(ctx, u.String(), now.Add(-sharedFor), now.Add(sharedFor))
	switch {
	case apperr.CodeOf(err) == apperr.NotFound:
		return nil, nil //nolint:nilnil // no error, and no report
	case err != nil:
		return nil, err
	}
	return found.reused(), nil
}

// release releases a lease; if that fails, the lease expires.
func (s *Service) release(ctx context.Context, held *lease.Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if err := held.Release(ctx); err != nil {
		slog.WarnContext(ctx, "lease of an audit not released", "err", err)
	}
}

// reused returns r for a request other than the one that it was made for.
func (r *record) reused() *record {
	other := *r
	other.Reused = true
	return &other
}
