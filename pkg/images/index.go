package images

import (
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/card"
	"masthead/pkg/etag"
)

// Bounds of the index: some 10 MB of images, and at most 30 MB of addresses.
const (
	maxIndexed = 20_000
	// maxQuery is how long the query of an address may be, in bytes, for the index to know it.
	maxQuery = 1 << 10
)

// shown is what GET /og needs to know of an image: which file it is, and whose.
type shown struct {
	publicID, projectID, ownerID string
	kind                         card.Kind
	file                         File // the first, which stands for the others
	etagHeader                   []string
	updatedAt                    int64 // in Unix milliseconds: another one after each change
	short                        bool  // a better one will come later
	outdated                     bool  // it is to be redrawn after its next use
	// lasts is false for an image that lacks something, such as its AI picture: an address of a project shows it for a
	// while only.
	lasts bool
}

func shownOf(r imageRow) *shown {
	return &shown{
		publicID: r.PublicID, projectID: r.ProjectID, ownerID: r.OwnerID, kind: r.Kind, file: r.Files[0],
		etagHeader: []string{etag.OfDigest(r.Files[0].Digest)}, updatedAt: r.UpdatedAt.UnixMilli(),
		short: r.willBeBetter(), outdated: r.isOutdated(), lasts: r.lasts(),
	}
}

// address is one of a project's pictures, as it is asked for: the public id of the project, and the query as it is
// sent. The same query in another spelling is another address, of the same image.
type address struct{ project, query string }

// index knows the images that were shown lately, by their public ids, and the addresses of projects that they were
// shown at, so that they are shown without the database. It is bounded by count and safe for concurrent use.
//
// Who reads an image or a project from the database takes the index's state before and shows it when putting something
// in: when anything changed in between, what was read may be old, and is not put. So whoever changes an image calls
// changed or forget after the change is committed, and whoever changes a project forgetAddresses.
type index struct {
	mu        sync.Mutex
	kept      *simplelru.LRU[string, *shown]
	addresses *simplelru.LRU[address, string] // the public ids of their images
	state     uint64                          // raised by every change
	records   records
}

func newIndex(most int) *index {
	kept, err := simplelru.NewLRU[string, *shown](most, nil)
	if err != nil { // a size below 1
		panic(err)
	}
	addresses, err := simplelru.NewLRU[address, string](most, nil)
	if err != nil {
		panic(err)
	}
	return &index{kept: kept, addresses: addresses, records: newRecords(maxRecords)}
}

// find returns the image; nil when the index does not know it.
func (x *index) find(publicID string) *shown {
	x.mu.Lock()
	defer x.mu.Unlock()
	found, _ := x.kept.Get(publicID)
	return found
}

// findAt returns the image that is shown at an address; nil when the index does not know it.
func (x *index) findAt(at address) *shown {
	x.mu.Lock()
	defer x.mu.Unlock()
	publicID, ok := x.addresses.Get(at)
	if !ok {
		return nil
	}
	found, ok := x.kept.Get(publicID)
	if !ok || !found.lasts {
		x.addresses.Remove(at) // the image is another one now, or of another kind
		return nil
	}
	return found
}

// putAt keeps that an image is shown at an address, as it was found since the index was in the given state, unless
// anything has changed since.
func (x *index) putAt(at address, publicID string, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == state && len(at.query) <= maxQuery {
		at.query = strings.Clone(at.query) // it is a part of the request's head
		x.addresses.Add(at, publicID)
	}
}

// forgetAddresses drops the addresses of a project, by its public id: what may be shown there has changed.
func (x *index) forgetAddresses(project string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	for _, at := range x.addresses.Keys() {
		if at.project == project {
			x.addresses.Remove(at)
		}
	}
}

// now is the state, to be taken before an image is read.
func (x *index) now() uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state
}

// put keeps an image that was read since the index was in the given state, unless it has changed since.
func (x *index) put(read *shown, state uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == state {
		x.kept.Add(read.publicID, read)
	}
}

// replace keeps an image that the index knows as it was read after its change, unless a newer one is there.
func (x *index) replace(read *shown) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.kept.Peek(read.publicID); ok && old.updatedAt <= read.updatedAt {
		x.kept.Add(read.publicID, read)
	}
}

// changed notes that images have changed, and returns those of them that the index knows and should read again.
func (x *index) changed(publicIDs []string) (known []string) {
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

// forget drops an image that is no more, or may not be as it was.
func (x *index) forget(publicID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	x.kept.Remove(publicID)
	x.records.drop(publicID)
}

// forgetAll drops everything.
func (x *index) forgetAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state++
	x.kept.Purge()
	x.addresses.Purge()
	x.records.byKey.Purge()
}

// forgetWhere drops all images for which gone says so.
func (x *index) forgetWhere(gone func(*shown) bool) {
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

func (x *index) len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.kept.Len()
}
