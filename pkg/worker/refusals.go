package worker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

const (
	// RefusedFor is how long work that hung is refused. Source: docs/security.md#decoding.
	RefusedFor = time.Hour
	// maxKnown bounds the keys in memory.
	maxKnown = 4096
	// storeTime is how long the caller of work that hung waits for the row.
	storeTime = 3 * time.Second
)

// Refusals are the keys of work that hung. It is safe for concurrent use.
type Refusals struct {
	store *store // nil without a database
	// known are those that are in no database.
	known simplelru.LRUCache[string, refusal]
	node  string
	now   func() time.Time
}

// NewRefusals returns those of all nodes that share d; those of this process with nil.
func NewRefusals(d *db.DB) *Refusals {
	known, err := lru.New[string, refusal](maxKnown)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	r := &Refusals{known: known, now: time.Now}
	if d != nil {
		r.store = &store{d}
		r.node, _ = os.Hostname() // it is for people who read the row
	}
	return r
}

// check returns the error for a key that is refused.
func (r *Refusals) check(ctx context.Context, key string) error {
	if err := r.recall(key); err != nil || r.store == nil {
		return err
	}
	now := r.now()
	found, ok, err := r.store.find(ctx, key)
	if err == nil && ok && found.holds(now) {
		return found.err(now)
	}
	return err
}

// recall returns the error for a key that this process alone refuses.
func (r *Refusals) recall(key string) error {
	now := r.now()
	if found, ok := r.known.Get(key); ok && found.holds(now) {
		return found.err(now)
	}
	return nil
}

// refusal says until when work is refused, and what it was that didn't finish.
type refusal struct {
	stage string
	until time.Time
}

// holds reports whether a refusal is in force. One that expires later than any can was written by a clock that has
// since gone back.
func (r refusal) holds(now time.Time) bool {
	left := r.until.Sub(now)
	return left > 0 && left <= RefusedFor+clockMargin
}

// clockMargin is how far apart the clocks of nodes may be.
const clockMargin = 12 * time.Second

// add refuses a key from now on, "" for none, and returns the error for it.
func (r *Refusals) add(key, stage string) error {
	now := r.now()
	added := refusal{stage, now.Add(RefusedFor)}
	if key != "" {
		stored := false
		if r.store != nil {
			ctx, cancel := context.WithTimeout(context.Background(), storeTime)
			defer cancel()
			if err := r.store.put(ctx, key, r.node, added); err != nil {
				slog.Error("work that hung is refused on this node alone", "stage", stage, "key", brief(key), "err", err)
			} else {
				stored = true
			}
		}
		if !stored {
			r.known.Add(key, added)
		}
	}
	return added.err(now)
}

// err is the error for work that is refused.
func (r refusal) err(now time.Time) error {
	what, instead := "Drawing this picture", "Change the request, such as its template, or try again then."
	switch r.stage {
	case "read":
		what, instead = "Reading this page", "Try again then."
	case "decode":
		what, instead = "Decoding this picture", "Use another picture, or try again then."
	}
	e := apperr.Wrap(apperr.Unavailable, what+" did not finish, so it is not tried again before "+
		r.until.UTC().Format("15:04 MST on 2 January 2006")+". "+instead, ErrHung)
	e.RetryAfter = max(r.until.Sub(now), time.Second)
	return e
}

// Sweep deletes the rows that have expired.
func (r *Refusals) Sweep(ctx context.Context) error {
	if err := r.store.sweep(ctx, r.now()); err != nil {
		return fmt.Errorf("sweep work that hung: %w", err)
	}
	return nil
}
