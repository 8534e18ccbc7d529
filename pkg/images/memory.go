package images

import (
	"time"

	"masthead/pkg/imagecache"
	"masthead/pkg/images/store"
)

const (
	// maxIndexed is how many images and addresses the index has, some 10 MB and at most 30 MB, and maxRecords how many
	// records: some 20 MB.
	maxIndexed = 20_000
	maxRecords = 5_000
)

// memory is what a node has in memory of what it serves.
type memory struct {
	index  *imagecache.Index[*indexEntry]
	files  *imagecache.Files
	owners owners
	cards  *fallbacks // of pages that cannot be read
}

// indexEntry is an image and its record, as the index keeps them.
type indexEntry struct {
	row    store.Image
	record Record
}

func newMemory(now func() time.Time) memory {
	return memory{
		index:  imagecache.NewIndex[*indexEntry](maxIndexed, maxRecords),
		owners: newOwners(), cards: newFallbacks(now),
	}
}
