// Package fair owns the order in which those who wait get what they wait for: owners take turns.
package fair

import "slices"

// Waiter is a request that waits, with what its queue must know of it.
type Waiter struct {
	Owner string
	// Of is what the owner of the queue gave with the request. It isn't a parameter of the types, since each package
	// that sees a pool in the field of a struct would compile them again (package cache).
	Of any
	// Ready gets nil when it is the waiter's turn, or the reason why it will never be. It holds one value, so that nobody
	// waits to send it.
	Ready chan error

	tag uint64
}

// Queue is who waits. Owners take turns, so that one with a thousand requests and one with a single one both get the
// next but one. Source: Goyal, Vin, Cheng, "Start-time Fair Queuing" (1996), with requests of equal length. It is
// guarded by the mutex of what is waited for. The zero value is an empty queue.
type Queue struct {
	waiters []*Waiter // in the order in which they came
	clock   uint64    // the tag of the one who was served last
	owners  map[string]*line
}

// line is what the queue knows of an owner of whom somebody waits.
type line struct {
	waiting int
	last    uint64 // the tag of its latest
}

// Push adds a request of owner.
func (q *Queue) Push(owner string, of any) *Waiter {
	w := &Waiter{Owner: owner, Of: of, Ready: make(chan error, 1), tag: q.nextTag(owner)}
	q.waiters = append(q.waiters, w)
	if q.owners == nil {
		q.owners = map[string]*line{}
	}
	if q.owners[owner] == nil {
		q.owners[owner] = &line{}
	}
	q.owners[owner].waiting++
	q.owners[owner].last = w.tag
	return w
}

// nextTag is the tag of the next request of owner: the round in which it is served.
func (q *Queue) nextTag(owner string) uint64 {
	if line := q.owners[owner]; line != nil {
		return max(q.clock, line.last) + 1
	}
	return q.clock + 1
}

// Ahead returns how many would be served before the next request of owner, if nobody else came.
func (q *Queue) Ahead(owner string) int {
	tag, n := q.nextTag(owner), 0
	for _, w := range q.waiters {
		if w.tag <= tag {
			n++
		}
	}
	return n
}

// Pop takes out the next one of those whose owner may be served; nil when there is none.
func (q *Queue) Pop(mayBeServed func(owner string) bool) *Waiter {
	next := q.Next(func(w *Waiter) bool { return mayBeServed(w.Owner) })
	if next != nil {
		q.Serve(next)
	}
	return next
}

// Next returns the next one of those who may be served, and leaves it in; nil when there is none.
func (q *Queue) Next(mayBeServed func(*Waiter) bool) (next *Waiter) {
	for _, w := range q.waiters {
		if (next == nil || w.tag < next.tag) && mayBeServed(w) {
			next = w
		}
	}
	return next
}

// Serve takes w out, as one whose turn has come.
func (q *Queue) Serve(w *Waiter) {
	q.clock = max(q.clock, w.tag)
	q.Remove(w)
}

// Displace takes out the last one of those who may go, if it would be served after the next request of owner; else it
// is nil. It makes room in a full queue at the cost of whoever fills it.
func (q *Queue) Displace(owner string, mayGo func(of any) bool) *Waiter {
	var last *Waiter
	for _, w := range q.waiters {
		if (last == nil || w.tag >= last.tag) && mayGo(w.Of) {
			last = w
		}
	}
	if last == nil || last.tag <= q.nextTag(owner) {
		return nil
	}
	q.Remove(last)
	return last
}

// Remove takes w out, and reports whether it was in.
func (q *Queue) Remove(w *Waiter) bool {
	i := slices.Index(q.waiters, w)
	if i < 0 {
		return false
	}
	q.waiters = slices.Delete(q.waiters, i, i+1)
	line := q.owners[w.Owner]
	if line.waiting--; line.waiting == 0 {
		delete(q.owners, w.Owner)
	}
	if w.tag == line.last { // its round is free again
		line.last = q.latest(w.Owner)
	}
	return true
}

// latest is the highest tag of those of owner who wait, 0 when there are none.
func (q *Queue) latest(owner string) (tag uint64) {
	for _, w := range q.waiters {
		if w.Owner == owner {
			tag = max(tag, w.tag)
		}
	}
	return tag
}

// Dismiss takes out all whom away names.
func (q *Queue) Dismiss(away func(*Waiter) bool) (gone []*Waiter) {
	for _, w := range slices.Clone(q.waiters) {
		if away(w) {
			q.Remove(w)
			gone = append(gone, w)
		}
	}
	return gone
}

// Len is how many wait.
func (q *Queue) Len() int { return len(q.waiters) }

// Waiting is how many requests of owner wait.
func (q *Queue) Waiting(owner string) int {
	if line := q.owners[owner]; line != nil {
		return line.waiting
	}
	return 0
}

// Owners is of how many owners somebody waits.
func (q *Queue) Owners() int { return len(q.owners) }

// Anybody may be served.
func Anybody(string) bool { return true }
