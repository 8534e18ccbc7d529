package apikeys

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/events"
)

// This file caches the owners of keys, so that frequent requests don't each cost a query.

const (
	// keyFresh is how long a key is cached. A revocation or a change of its owner on another node takes effect after
	// that.
	keyFresh = 5 * time.Second
	// maxCachedKeys bounds the cache to some 4 MB.
	maxCachedKeys = 10_000
)

// keyCache caches recently used keys by the digests of their secrets. It is safe for concurrent use.
type keyCache struct {
	mu      sync.Mutex
	kept    simplelru.LRUCache[string, *cachedKey]
	changes uint64 // number of changes on this node; results read before one aren't cached
}

// cachedKey is a key as of a point in time.
type cachedKey struct {
	credential
	at   time.Time    // time just before it was read
	used atomic.Int64 // its last recorded or queued use, in Unix milliseconds
}

func newKeyCache(most int) *keyCache {
	kept, err := simplelru.NewLRU[string, *cachedKey](most, nil)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &keyCache{kept: kept}
}

// find returns the cached key if it is less than keyFresh old. Otherwise it returns nil and the number of changes to
// pass to keep.
func (k *keyCache) find(digest string, now time.Time) (found *cachedKey, changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.kept.Get(digest)
	if ok && now.Sub(found.at).Abs() < keyFresh { // setting the clock back must not extend the life of an entry
		return found, k.changes
	}
	return nil, k.changes
}

// keep caches a key, unless something has changed since find.
func (k *keyCache) keep(digest string, read *cachedKey, changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes == changes {
		k.kept.Add(digest, read)
	}
}

// forget evicts the keys for which gone returns true. Call it after the change that invalidates them is committed.
func (k *keyCache) forget(gone func(credential) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changes++
	for _, digest := range k.kept.Keys() {
		if found, ok := k.kept.Peek(digest); ok && gone(found.credential) {
			k.kept.Remove(digest)
		}
	}
}

// subscribe evicts the keys of changed and deleted accounts and projects.
func (s *Service) subscribe(b *events.Bus) {
	forgetOwner := func(_ events.Event, a events.Account) {
		s.cache.forget(func(c credential) bool { return c.OwnerID == a.UserId })
	}
	events.AccountChanged.Notify(b, forgetOwner)
	events.AccountDeleted.Notify(b, forgetOwner)
	events.ProjectDeleted.Notify(b, func(_ events.Event, p events.Project) {
		s.cache.forget(func(c credential) bool { return c.ProjectID.String == p.ProjectId })
	})
}

func (s *Service) forgetKey(id string) {
	s.cache.forget(func(c credential) bool { return c.ID == id })
}
