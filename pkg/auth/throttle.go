package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// Source: docs/security.md#accounts-sessions-and-keys.
const (
	failureWindow = 15 * time.Minute
	// pairFailures and accountFailures are the numbers of wrong passwords before pauses start, for an account from
	// one address and from all addresses.
	pairFailures    = 5
	accountFailures = 50

	shortestPause = time.Second
	longestPause  = 5 * time.Minute
)

// factorFailures is the number of wrong codes within failureWindow, after which none is accepted for as long.
const factorFailures = 5

// bucket counts wrong passwords or codes under a key. Keys are digests, so that the table contains no email addresses.
type bucket struct {
	key  string
	free int64
	hold bool // the pause takes a whole failureWindow from the first
}

func newBucket(free int64, parts ...string) bucket {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return bucket{key: hex.EncodeToString(h.Sum(nil)), free: free}
}

// pause returns the pause after n failures beyond the free ones.
func (b bucket) pause(n int64) time.Duration {
	if b.hold {
		return failureWindow
	}
	// 2^9 seconds exceed the longest pause.
	return min(shortestPause<<min(n, 9), longestPause)
}

// longest returns the longest pause.
func (b bucket) longest() time.Duration {
	if b.hold {
		return failureWindow
	}
	return longestPause
}

// loginBuckets returns the buckets for a login: the account, and the account from that network.
func loginBuckets(emailKey, network string) []bucket {
	return []bucket{newBucket(accountFailures, "account", emailKey), newBucket(pairFailures, "pair", emailKey, network)}
}

// confirmBuckets returns the bucket for confirming the password of a signed-in account. It is separate, so that
// failed logins by others don't lock the owner out.
func confirmBuckets(userID string) []bucket {
	return []bucket{newBucket(pairFailures, "confirm", userID)}
}

// factorBuckets returns the bucket for codes of an account's second factor. Who gets there has the password.
func factorBuckets(userID string) []bucket {
	b := newBucket(factorFailures, "factor", userID)
	b.hold = true
	return []bucket{b}
}

// failures is the state of a bucket.
type failures struct {
	Bucket       string    `db:"bucket"`
	Count        int64     `db:"failures"`
	WindowStart  db.Millis `db:"window_start"`
	BlockedUntil db.Millis `db:"blocked_until"`
}

// add returns f after another failure at now. Failures are counted within one window up to the bucket's free number.
// Each further failure restarts the window and doubles the pause.
func (f failures) add(b bucket, now time.Time) failures {
	if passed := now.Sub(f.WindowStart.Time); passed >= failureWindow || passed < -b.longest() {
		f.Count, f.WindowStart = 0, db.Millis{Time: now}
	}
	f.Count++
	if f.Count >= b.free {
		f.WindowStart = db.Millis{Time: now}
		f.BlockedUntil = db.Millis{Time: now.Add(b.pause(f.Count - b.free))}
	}
	return f
}

// left returns the rest of f's pause at now, and f. A pause longer than the maximum was written before a clock was
// set back; it is shortened as if it started now.
func (f failures) left(b bucket, now time.Time) (time.Duration, failures, bool) {
	latest := now.Add(b.longest())
	if !f.BlockedUntil.After(latest) {
		return f.BlockedUntil.Sub(now), f, false
	}
	f.BlockedUntil, f.WindowStart = db.Millis{Time: latest}, db.Millis{Time: now}
	return b.longest(), f, true
}

// attempt is one attempt with a password. It counts as failed from its start, so that concurrent attempts can't evade
// the count.
type attempt struct {
	store   store
	buckets []bucket
}

// try starts an attempt. During a pause, it returns RateLimited and counts nothing.
func (s *Service) try(ctx context.Context, buckets []bucket) (attempt, error) {
	wait, err := s.store.countFailure(ctx, buckets, s.now())
	if err != nil {
		return attempt{}, err
	}
	if wait > 0 {
		err := apperr.New(apperr.RateLimited, "Too many wrong passwords or codes. Try again after the time in Retry-After.")
		err.RetryAfter = wait
		return attempt{}, err
	}
	return attempt{s.store, buckets}, nil
}

// succeed undoes the attempt and the other failures from this address. The account-wide failures remain, since an
// attacker may be guessing from elsewhere.
func (a attempt) succeed(ctx context.Context) error {
	last := len(a.buckets) - 1
	return a.store.forgiveFailures(ctx, a.buckets[:last], a.buckets[last:])
}

// undo undoes the attempt: the password was never checked.
func (a attempt) undo(ctx context.Context) error {
	return a.store.forgiveFailures(ctx, a.buckets, nil)
}
