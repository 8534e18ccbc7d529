// Package uses is the queue of uses of outdated pictures: each use of one asks for its redraw.
package uses

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/blob"
)

const (
	// maxUses bounds the uses that wait on a node; a further one is queued when the picture is used again.
	maxUses = 1000
	// Rest is how long further uses of a picture are not looked at.
	Rest = time.Minute
)

// Use is a use of an outdated picture: of the image with a public id, or of a file.
type Use struct {
	PublicID string
	File     blob.Name
}

// Queue is the queue of uses. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting []Use
	queued  map[Use]bool
	looked  simplelru.LRUCache[Use, time.Time] // when each was queued last
	running bool
}

// New returns an empty queue.
func New() *Queue {
	looked, err := lru.New[Use, time.Time](4 * maxUses)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &Queue{queued: map[Use]bool{}, looked: looked}
}

// Push queues a use; start is true when the caller is to take the uses from the queue.
func (r *Queue) Push(u Use, now time.Time) (start bool) {
	if at, ok := r.looked.Get(u); ok && now.Sub(at).Abs() < Rest {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.queued[u] || len(r.waiting) >= maxUses {
		return false
	}
	r.looked.Add(u, now)
	r.waiting, r.queued[u] = append(r.waiting, u), true
	start, r.running = !r.running, true
	return start
}

// Pop returns the next use; ok is false when there is none, and the caller is done.
func (r *Queue) Pop() (u Use, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.running = false
		return Use{}, false
	}
	u, r.waiting = r.waiting[0], r.waiting[1:]
	delete(r.queued, u)
	return u, true
}

// Clear drops all uses, and the caller is done.
func (r *Queue) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting, r.running = nil, false
	clear(r.queued)
}

// Forget lets the next use of a picture be looked at, as if the last one were longer ago.
func (r *Queue) Forget(u Use) { r.looked.Remove(u) }

// ForgetAll is [Queue.Forget] for all uses.
func (r *Queue) ForgetAll() { r.looked.Purge() }
