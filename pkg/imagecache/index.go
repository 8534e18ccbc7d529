package imagecache

import (
	"strings"
	"sync"

	"masthead/pkg/blob"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// maxQuery is how long the query of an address may be, in bytes, for the index to know it.
const maxQuery = 1 << 10

// Image is what GET /og needs to know of an image: which file it is, and whose.
type Image struct {
	PublicID, ProjectID, OwnerID string
	// Kind is what the image is for.
	Kind string
	// File is the first of the image's, which stands for the others, with its type and its length in bytes.
	File        blob.Name
	ContentType string
	Size        int64
	// ETag is the value of that header.
	ETag []string
	// UpdatedAt is in Unix milliseconds: another one after each change.
	UpdatedAt int64
	// Short says that a better picture will come later, and Outdated that it is to be redrawn after its next use.
	Short, Outdated bool
	// Variant says that it may be deleted to keep a budget, so that its use is noted.
	Variant bool
	// Permanent is false for an image that lacks something, such as its AI picture: an address of a project shows it for
	// a while only.
	Permanent bool
}

// Address is one of a project's pictures, as it is asked for: the public id of the project, and the query as it is
// sent. The same query in another spelling is another Address, of the same image.
type Address struct{ Project, Query string }

// addressEntry is what the index knows of an Address.
type addressEntry struct {
	publicID string // of the image
	until    int64  // when the address expires, in Unix seconds; 0 for never
}

// Index caches the images that were served recently, by their public ids and by the addresses of projects that served
// them, so that serving them needs no database; and records of type R by the keys of images. It is bounded by count and
// safe for concurrent use.
//
// Who reads an image or a project from the database takes the index's state before and shows it when putting something
// in: when anything changed in between, what was read may be old, and is not put. So whoever changes an image calls
// Changed or forget after the change is committed, and whoever changes a project ForgetAddresses.
type Index[R any] struct {
	mu        sync.Mutex
	kept      simplelru.LRUCache[string, *Image]
	addresses simplelru.LRUCache[Address, addressEntry]
	state     uint64 // raised by every change
	records   records[R]
}

// NewIndex returns an empty index of at most that many images, that many addresses, and that many records.
func NewIndex[R any](images, records int) *Index[R] {
	kept, err := simplelru.NewLRU[string, *Image](images, nil)
	if err != nil { // a size below 1
		panic(err)
	}
	addresses, err := simplelru.NewLRU[Address, addressEntry](images, nil)
	if err != nil {
		panic(err)
	}
	return &Index[R]{kept: kept, addresses: addresses, records: newRecords[R](records)}
}

// Find returns the image; nil when the index does not know it.
func (x *Index[R]) Find(publicID string) *Image {
	x.mu.Lock()
	defer x.mu.Unlock()
	found, _ := x.kept.Get(publicID)
	return found
}

// FindAt returns the image that is shown at an address at a time in Unix seconds, and when the address expires, 0 for
// never. The image is nil when the index does not know it, or when the address has expired.
func (x *Index[R]) FindAt(at Address, now int64) (found *Image, until int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	known, ok := x.addresses.Get(at)
	if !ok {
		return nil, 0
	}
	found, ok = x.kept.Get(known.publicID)
	if !ok || !found.Permanent || known.until != 0 && now >= known.until {
		x.addresses.Remove(at) // the image is another one now, or of another kind
		return nil, 0
	}
	return found, known.until
}

// PutAt keeps that an image is shown at an Address until a time in Unix seconds, 0 for always, as it was found since
// the index was in the given state, unless anything has changed since.
func (x *Index[R]) PutAt(at Address, publicID string, until int64, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == state && len(at.Query) <= maxQuery {
		at.Query = strings.Clone(at.Query) // it is a part of the request's head
		x.addresses.Add(at, addressEntry{publicID, until})
	}
}

// ForgetAddresses drops the addresses of a project, by its public id: what may be shown there has changed.
func (x *Index[R]) ForgetAddresses(project string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	for _, at := range x.addresses.Keys() {
		if at.Project == project {
			x.addresses.Remove(at)
		}
	}
}

// State is the state, to be taken before an image is read.
func (x *Index[R]) State() uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state
}

// Put keeps an image that was read since the index was in the given state, unless it has changed since.
func (x *Index[R]) Put(read *Image, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == state {
		x.kept.Add(read.PublicID, read)
	}
}

// Replace keeps an image that the index knows as it was read after its change, unless a newer one is there.
func (x *Index[R]) Replace(read *Image) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.kept.Peek(read.PublicID); ok && old.UpdatedAt <= read.UpdatedAt {
		x.kept.Add(read.PublicID, read)
	}
}

// Changed notes that images have changed, and returns those of them that the index knows and should read again.
func (x *Index[R]) Changed(publicIDs []string) (known []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	for _, id := range publicIDs {
		x.records.drop(id)
		if x.kept.Contains(id) {
			known = append(known, id)
		}
	}
	return known
}

// Forget drops an image that is no more, or may not be as it was.
func (x *Index[R]) Forget(publicID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	x.kept.Remove(publicID)
	x.records.drop(publicID)
}

// ForgetAll drops everything.
func (x *Index[R]) ForgetAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	x.kept.Purge()
	x.addresses.Purge()
	x.records.byKey.Purge()
}

// ForgetWhere drops all images for which gone says so.
func (x *Index[R]) ForgetWhere(gone func(*Image) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	for _, id := range x.kept.Keys() {
		if found, ok := x.kept.Peek(id); ok && gone(found) {
			x.kept.Remove(id)
		}
	}
	x.records.dropWhere(gone)
}

// Len is how many images the index knows.
func (x *Index[R]) Len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.kept.Len()
}
