package apikeys

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// This file remembers whom keys stand for, so that a client that asks often does not cost a look-up each time.

const (
	// keyFresh is how long a key is taken for what it was: its revocation, or a change of its owner, on another node
	// counts after that.
	keyFresh = 5 * time.Second
	// maxKnown bounds the keys that are remembered: some 4 MB.
	maxKnown = 10_000
)

// known are the keys that were used lately, by the digests of their secrets. It is safe for concurrent use.
type known struct {
	mu      sync.Mutex
	kept    *simplelru.LRU[string, *remembered]
	changes uint64 // made on this node: what was read before one of them is not kept
}

// remembered is a key as it was at a moment.
type remembered struct {
	credential
	at   time.Time    // before it was read
	used atomic.Int64 // its last use that is noted, or about to be: Unix milliseconds
}

func newKnown(most int) *known {
	kept, err := simplelru.NewLRU[string, *remembered](most, nil)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &known{kept: kept}
}

// find returns the key as it was less than keyFresh before now; else nil, and what keep is to be told of what is read
// then.
func (k *known) find(digest string, now time.Time) (found *remembered, changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.kept.Get(digest)
	if ok && now.Sub(found.at).Abs() < keyFresh { // a clock that goes back must not keep a key for longer
		return found, k.changes
	}
	return nil, k.changes
}

// keep remembers a key, unless anything was changed since find.
func (k *known) keep(digest string, read *remembered, changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes == changes {
		k.kept.Add(digest, read)
	}
}

// forget drops the keys for which gone says so, after the change that ended them was committed.
func (k *known) forget(gone func(credential) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changes++
	for _, digest := range k.kept.Keys() {
		if found, ok := k.kept.Peek(digest); ok && gone(found.credential) {
			k.kept.Remove(digest)
		}
	}
}

// ForgetOwner tells that an account was changed or deleted: what is remembered of its keys is right again at once.
func (s *Service) ForgetOwner(userID string) {
	s.known.forget(func(c credential) bool { return c.OwnerID == userID })
}

// ForgetProject tells that a project was deleted, with its keys.
func (s *Service) ForgetProject(projectID string) {
	s.known.forget(func(c credential) bool { return c.ProjectID.String == projectID })
}

func (s *Service) forgetKey(id string) {
	s.known.forget(func(c credential) bool { return c.ID == id })
}
