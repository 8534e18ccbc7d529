package scrape

import (
	"crypto/sha256"

	"masthead/render/cache"
)

// This file caches icons: the pages of a site share one, and decoding it and finding its colors takes as long as half
// of a card's drawing.

// maxIconCacheBytes is the maximum memory of cached icons in bytes: about two hundred of the usual size.
const maxIconCacheBytes = 16 << 20

// iconKey is the digest of a file plus the options it was decoded with.
type iconKey struct {
	file   [sha256.Size]byte
	side   int
	colors bool
}

// iconKey returns the cache key of a file for this job.
func (sc *scraping) iconKey(file [sha256.Size]byte) iconKey {
	return iconKey{file, sc.need.Icon.Side, sc.need.Colors}
}

// iconCache are recently decoded icons of any size. They have no address and must not be modified.
type iconCache = cache.Shared[iconKey, Icon]

func newIconCache() *iconCache {
	return cache.NewShared(maxIconCacheBytes, func(_ iconKey, i Icon) int { return len(i.Image.Pix) + 512 })
}
