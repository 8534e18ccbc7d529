package text

import (
	"encoding/binary"
	"hash/maphash"

	"masthead/render/cache"
)

// shapeCache keeps shaped runs. What a site is called, its host and its labels are set on every card of it, and a
// description on the card and the hero of its page: shaping them again each time would be most of the time of layout. A
// run is admitted when it is seen a second time, so that titles, of which there is one each, cost neither memory nor
// time.
type shapeCache struct {
	results *cache.Cache[uint64, *shapeResult] // by runKey.hash
	// doorkeeper holds the hashes of the keys that were asked for last, each at the place that its upper bits say.
	doorkeeper [1 << doorkeeperBits]uint32
	scratch    []byte
}

// shapeResult is a run as the shaper gave it, with clusters counted from its start.
type shapeResult struct {
	key    string // all of it, since runs are found by a hash
	glyphs []glyph
	unsafe []int32 // clusters before which breaking would change glyphs
}

const (
	maxShapeBytes  = 384 << 10 // of all runs that an engine keeps
	shapeOverhead  = 272       // bytes of a kept run beside its slices: the struct, the cache's entry
	doorkeeperBits = 8
	maxCachedRun   = 512 // runes of a run that is kept
	// contextRunes is how many runes before and after a run the shaper looks at. Source: harfbuzz, contextLength.
	contextRunes = 5
)

func newShapeCache() shapeCache {
	return shapeCache{results: cache.New(maxShapeBytes, func(_ uint64, s *shapeResult) int {
		return len(s.key) + 24*len(s.glyphs) + 4*len(s.unsafe) + shapeOverhead
	})}
}

// runKey is all that decides how a run is shaped. Its bytes hold until the next key is made.
type runKey struct {
	bytes []byte
	hash  uint64
}

// runSeed is unknown outside, so that no page can have texts of equal hashes.
var runSeed = maphash.MakeSeed()

// key returns the key of runes[start:end]; variant is that of paragraph.features.
func (c *shapeCache) key(p *paragraph, start, end int, variant uint8) runKey {
	f := p.faces[start]
	key := append(c.scratch[:0], f.id, uint8(p.level[start]&1), variant)
	key = binary.LittleEndian.AppendUint32(key, uint32(p.script[start]))
	key = append(key, shapingLanguage(p.style.Lang)...)
	from, to := max(0, start-contextRunes), min(len(p.runes), end+contextRunes)
	key = append(key, 0, uint8(start-from), uint8(to-end))
	for _, r := range p.runes[from:to] {
		key = append(key, byte(r), byte(r>>8), byte(r>>16))
	}
	c.scratch = key
	return runKey{key, maphash.Bytes(runSeed, key)}
}

// get returns the run with a key, or nil.
func (c *shapeCache) get(key runKey) *shapeResult {
	if s, ok := c.results.Get(key.hash); ok && s.key == string(key.bytes) {
		return s
	}
	return nil
}

// admits reports whether a run that is not kept was asked for before and should be put; it remembers that it was now.
func (c *shapeCache) admits(key runKey) bool {
	seen, rest := &c.doorkeeper[key.hash>>(64-doorkeeperBits)], uint32(key.hash)
	again := *seen == rest
	*seen = rest
	return again
}

// put keeps a run.
func (c *shapeCache) put(key runKey, s *shapeResult) {
	s.key = string(key.bytes)
	c.results.Put(key.hash, s)
}
