package images

import (
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// This file is the part of the index that answers POST: whole images by the keys that they are kept under.

const (
	// maxRecords is how many the index has: some 20 MB.
	maxRecords = 5_000
	// followFor is how long records are right after this node has looked for changes of others.
	followFor = 2 * time.Second
)

// recorded is an image and its record.
type recorded struct {
	row    imageRow
	record Record
}

// records are the images of the index by the keys that they are kept under. They are dropped when they change, and read
// again when somebody asks for them. The index's lock guards them.
type records struct {
	byKey *simplelru.LRU[string, *recorded]
	keys  map[string]string // by public id
}

func newRecords(most int) records {
	keys := map[string]string{}
	byKey, err := simplelru.NewLRU(most, func(_ string, r *recorded) { delete(keys, r.row.PublicID) })
	if err != nil { // a size below 1
		panic(err)
	}
	return records{byKey, keys}
}

func (r records) drop(publicID string) {
	if key, ok := r.keys[publicID]; ok {
		r.byKey.Remove(key)
	}
}

// dropWhere drops all for which gone says so.
func (r records) dropWhere(gone func(*shown) bool) {
	for _, known := range r.byKey.Values() {
		if gone(shownOf(known.row)) {
			r.byKey.Remove(known.row.CacheKey)
		}
	}
}

// ofKey returns the image that is kept under a key; nil when the index does not know it.
func (x *index) ofKey(key string) *recorded {
	x.mu.Lock()
	defer x.mu.Unlock()
	found, _ := x.records.byKey.Get(key)
	return found
}

// record keeps a whole image that was read since the index was in the given state, unless any has changed since.
func (x *index) record(read *recorded, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state != state {
		return
	}
	x.records.byKey.Remove(read.row.CacheKey)
	x.records.drop(read.row.PublicID)
	x.records.byKey.Add(read.row.CacheKey, read)
	x.records.keys[read.row.PublicID] = read.row.CacheKey
}

// follows says whether this node knows of the changes of others of 2 s ago.
func (s *Service) follows() bool {
	return s.leases == nil || s.now().Sub(time.Unix(0, s.changes.told.Load())).Abs() < followFor
}
