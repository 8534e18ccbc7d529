package files

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/blob"
)

// This file knows which files may be damaged inside: after a node ended without saying so, since it was killed or its
// machine lost power, each file is compared with its digest the first time it is read, until the scrub of all
// files is through.

// maxCompared bounds the files that are remembered as whole: some 15 MB. Of more, some are compared again.
const maxCompared = 100_000

// unsure tells which files have to be compared with their digests. Until it is told otherwise, all do. It is safe for
// concurrent use.
type unsure struct {
	over     atomic.Bool // no file has to be compared
	mu       sync.Mutex
	after    int64 // the files were compared after this: Unix milliseconds
	compared simplelru.LRUCache[blob.Name, struct{}]
}

func newUnsure() *unsure {
	compared, err := simplelru.NewLRU[blob.Name, struct{}](maxCompared, nil)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &unsure{compared: compared}
}

// of reports whether a file has to be compared with its digest.
func (u *unsure) of(n blob.Name) bool {
	if u.over.Load() {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return !u.compared.Contains(n)
}

// found notes that a file holds what its digest says.
func (u *unsure) found(n blob.Name) {
	if u.over.Load() {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.compared.Add(n, struct{}{})
}

// set tells whether files have to be compared since a node ended without saying so, which was noticed at the moment
// after, in Unix milliseconds; 0 where that is not known.
func (u *unsure) set(unclean bool, after int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if after > u.after || !unclean {
		u.compared.Purge()
	}
	u.after = max(u.after, after)
	u.over.Store(!unclean)
}

// Unsure reports whether a file must be compared with its digest before it is served.
func (l *Ledger) Unsure(n blob.Name) bool { return l.unsure.of(n) }

// Whole notes that a file holds what its digest says.
func (l *Ledger) Whole(n blob.Name) { l.unsure.found(n) }

// nodes are the others that were there at the start of this one, by id, with when each was last seen then.
type nodes map[string]int64

// lookAround finds out whether files have to be compared: while a node that ended without saying so is noted, and while
// one that was there at the start of this node may be such a one. atStart is nil the first time; what it returns is for
// the next time.
func (l *Ledger) lookAround(ctx context.Context, node string, atStart nodes) (nodes, error) {
	rows, err := l.nodes(ctx, node)
	if err != nil {
		return atStart, err
	}
	if atStart == nil {
		atStart = nodes{}
		for _, r := range rows {
			atStart[r.ID] = r.SeenAt
		}
	}
	unclean, after := false, int64(0)
	for _, r := range rows {
		before, was := atStart[r.ID]
		switch {
		case r.SeenAt < 0:
			unclean, after = true, max(after, -r.SeenAt)
		case was && before == r.SeenAt: // it has not shown since that it lives
			unclean = true
		}
	}
	l.unsure.set(unclean, after)
	return atStart, nil
}
