package scrape

import (
	"crypto/sha256"

	"masthead/render/cache"
)

// This file remembers icons: the pages of a site share one, and decoding it and finding its colours takes as long as
// half of a card's drawing.

// maxKnownIcons bounds what the icons that are remembered take, in bytes: some two hundred of the usual size.
const maxKnownIcons = 16 << 20

// iconKey is a file, by its digest, and what was asked of it.
type iconKey struct {
	file   [sha256.Size]byte
	side   int
	colors bool
}

// iconKey returns the key of what the job takes of a file.
func (sc *scraping) iconKey(file [sha256.Size]byte) iconKey {
	return iconKey{file, sc.need.Icon.Side, sc.need.Colors}
}

// knownIcons are the icons that were decoded lately, of any size. They have no address, and nobody changes them.
type knownIcons = cache.Shared[iconKey, Icon]

func newKnownIcons() *knownIcons {
	return cache.NewShared(maxKnownIcons, func(_ iconKey, i Icon) int { return len(i.Image.Pix) + 512 })
}
