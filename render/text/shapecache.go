package text

import (
	"encoding/binary"
	"hash/maphash"

	"masthead/render/cache"
)

// shapeCache caches shaped runs. A site's name, host and labels are on every card of it, and a description is on the
// card and the hero of its page: reshaping them each time would take most of the layout's time. A run is admitted when
// it is seen a second time, so that titles, which occur once, cost neither memory nor time.
type shapeCache struct {
	results *cache.Cache[uint64, *shapeResult] // by runKey.hash
	// doorkeeper has the hashes of recently requested keys, each at the index given by its upper bits.
	doorkeeper [1 << doorkeeperBits]uint32
	scratch    []byte
}

// shapeResult is a shaped run, with clusters counted from its start.
type shapeResult struct {
	key    string // the whole key, since runs are looked up by a hash
	glyphs []glyph
	unsafe []int32 // clusters before which breaking would change glyphs
}

const (
	maxShapeBytes  = 384 << 10 // of all runs cached by an engine
	shapeOverhead  = 272       // bytes of a cached run besides its slices: the struct, the cache's entry
	doorkeeperBits = 8
	maxCachedRun   = 512 // maximum length of a cached run in runes
	// contextRunes is how many runes before and after a run the shaper reads. Source: harfbuzz, contextLength.
	contextRunes = 5
)

func newShapeCache() shapeCache {
	return shapeCache{results: cache.New(maxShapeBytes, func(_ uint64, s *shapeResult) int {
		return len(s.key) + 24*len(s.glyphs) + 4*len(s.unsafe) + shapeOverhead
	})}
}

// runKey is everything that determines how a run is shaped. Its bytes are valid until the next key is created.
type runKey struct {
	bytes []byte
	hash  uint64
}

// runSeed is secret, so that no page can contain texts with equal hashes.
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

// admits reports whether an uncached run was requested before and should be put; it records this request.
func (c *shapeCache) admits(key runKey) bool {
	seen, rest := &c.doorkeeper[key.hash>>(64-doorkeeperBits)], uint32(key.hash)
	again := *seen == rest
	*seen = rest
	return again
}

// put caches a run.
func (c *shapeCache) put(key runKey, s *shapeResult) {
	s.key = string(key.bytes)
	c.results.Put(key.hash, s)
}
