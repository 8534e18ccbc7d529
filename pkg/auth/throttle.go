package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// Source of these: security requirements, 5.
const (
	failureWindow = 15 * time.Minute
	// pairFailures and accountFailures are how many wrong passwords are free, for an account from one address and from
	// anywhere.
	pairFailures    = 5
	accountFailures = 50

	shortestPause = time.Second
	longestPause  = 5 * time.Minute
)

// bucket counts the wrong passwords of somebody. Its key is a digest, so that the table holds no email addresses.
type bucket struct {
	key  string
	free int64
}

func newBucket(free int64, parts ...string) bucket {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return bucket{key: hex.EncodeToString(h.Sum(nil)), free: free}
}

// loginBuckets are those of a try to sign in: the account alone, and the account from that network.
func loginBuckets(emailKey, network string) []bucket {
	return []bucket{newBucket(accountFailures, "account", emailKey), newBucket(pairFailures, "pair", emailKey, network)}
}

// confirmBuckets are those of a signed-in account that is asked for its password: failed logins from outside do not
// lock it out.
func confirmBuckets(userID string) []bucket {
	return []bucket{newBucket(pairFailures, "confirm", userID)}
}

// failures is what a bucket holds.
type failures struct {
	Bucket       string    `db:"bucket"`
	Count        int64     `db:"failures"`
	WindowStart  db.Millis `db:"window_start"`
	BlockedUntil db.Millis `db:"blocked_until"`
}

// add returns f after one more failure at now. Up to the free ones, they count within one window; from then on each
// starts the window anew and brings a pause, the next twice as long.
func (f failures) add(free int64, now time.Time) failures {
	if passed := now.Sub(f.WindowStart.Time); passed >= failureWindow || passed < -longestPause {
		f.Count, f.WindowStart = 0, db.Millis{Time: now}
	}
	f.Count++
	if f.Count >= free {
		f.WindowStart = db.Millis{Time: now}
		f.BlockedUntil = db.Millis{Time: now.Add(pause(f.Count - free))}
	}
	return f
}

// left returns what is left of f's pause at now, and f. A pause that is longer than any was given by a clock that has
// gone back since: it ends as if it had begun now.
func (f failures) left(now time.Time) (time.Duration, failures, bool) {
	latest := now.Add(longestPause)
	if !f.BlockedUntil.After(latest) {
		return f.BlockedUntil.Sub(now), f, false
	}
	f.BlockedUntil, f.WindowStart = db.Millis{Time: latest}, db.Millis{Time: now}
	return longestPause, f, true
}

// pause returns the wait after a failure, of which n were paid for before.
func pause(n int64) time.Duration {
	// 2^9 seconds are past the longest pause already.
	return min(shortestPause<<min(n, 9), longestPause)
}

// attempt is one try with a password, which counts as failed from its start: tries at the same time cannot slip past
// the count.
type attempt struct {
	store   store
	buckets []bucket
}

// try begins an attempt; RateLimited while there is a pause, and such a try does not count.
func (s *Service) try(ctx context.Context, buckets []bucket) (attempt, error) {
	wait, err := s.store.countFailure(ctx, buckets, s.now())
	if err != nil {
		return attempt{}, err
	}
	if wait > 0 {
		err := apperr.New(apperr.RateLimited, "Too many wrong passwords. Try again after the time in Retry-After.")
		err.RetryAfter = wait
		return attempt{}, err
	}
	return attempt{s.store, buckets}, nil
}

// succeed takes the attempt back, and with it the other failures from this address. Those of the account alone stay:
// somebody else may be guessing.
func (a attempt) succeed(ctx context.Context) error {
	last := len(a.buckets) - 1
	return a.store.forgiveFailures(ctx, a.buckets[:last], a.buckets[last:])
}

// undo takes the attempt back: the password was never looked at.
func (a attempt) undo(ctx context.Context) error {
	return a.store.forgiveFailures(ctx, a.buckets, nil)
}
