package imagecache

import "github.com/hashicorp/golang-lru/v2/simplelru"

// This file is the part of the index that answers POST: whole images by the keys that they are kept under.

// recordEntry is an image and its record.
type recordEntry[R any] struct {
	key    string
	image  *Image
	record R
}

// records are the images of the index by the keys that they are kept under. They are dropped when they change, and read
// again when somebody asks for them. The index's lock guards them.
type records[R any] struct {
	byKey simplelru.LRUCache[string, recordEntry[R]]
	keys  map[string]string // by public id
}

func newRecords[R any](most int) records[R] {
	keys := map[string]string{}
	byKey, err := simplelru.NewLRU(most, func(_ string, r recordEntry[R]) { delete(keys, r.image.PublicID) })
	if err != nil { // a size below 1
		panic(err)
	}
	return records[R]{byKey, keys}
}

func (r records[R]) drop(publicID string) {
	if key, ok := r.keys[publicID]; ok {
		r.byKey.Remove(key)
	}
}

// dropWhere drops all for which gone says so.
func (r records[R]) dropWhere(gone func(*Image) bool) {
	for _, known := range r.byKey.Values() {
		if gone(known.image) {
			r.byKey.Remove(known.key)
		}
	}
}

// Record returns the record of the image that is kept under a key; ok is false when the index does not know it.
func (x *Index[R]) Record(key string) (record R, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	found, ok := x.records.byKey.Get(key)
	return found.record, ok
}

// PutRecord keeps the record of a whole image that was read since the index was in the given state, unless any has
// changed since.
func (x *Index[R]) PutRecord(key string, read *Image, record R, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state != state {
		return
	}
	x.records.byKey.Remove(key)
	x.records.drop(read.PublicID)
	x.records.byKey.Add(key, recordEntry[R]{key, read, record})
	x.records.keys[read.PublicID] = key
}
