package text

import (
	"encoding/binary"
	"hash/maphash"
)

// What a site is called, its host and its labels are set on every card of it, and a description on the card and the hero of its page: shaping
// them again each time would be most of the time of layout. shapeCache keeps shaped runs in two generations, as maskCache does masks. A run is
// taken up when it is seen a second time, so that titles, of which there is one each, cost neither memory nor time.
type shapeCache struct {
	young, old map[string]*shapeResult
	bytes      int                   // of the young ones
	seen       [1 << seenBits]uint32 // hashes of the keys that were asked for last
	key        []byte                // of the run being shaped
}

// shapeResult is a run as the shaper gave it, with clusters counted from its start.
type shapeResult struct {
	glyphs []glyph
	unsafe []int32 // clusters before which breaking would change glyphs
}

const (
	runBudget = 256 << 10 // bytes of a generation
	seenBits  = 8
	maxRun    = 512 // runes of a run that is kept
	// around is how many runes before and after a run the shaper looks at. Source: harfbuzz, contextLength.
	around = 5
)

var runSeed = maphash.MakeSeed()

// runKey returns all that decides how a run is shaped. It holds until the next call.
func (c *shapeCache) runKey(p *paragraph, start, end int, variant uint8) []byte {
	f := p.faces[start]
	key := append(c.key[:0], f.id, uint8(p.level[start]&1), variant)
	key = binary.LittleEndian.AppendUint32(key, uint32(p.script[start]))
	key = append(key, shapingLanguage(p.style.Lang)...)
	from, to := max(0, start-around), min(len(p.runes), end+around)
	key = append(key, 0, uint8(start-from), uint8(to-end))
	for _, r := range p.runes[from:to] {
		key = append(key, byte(r), byte(r>>8), byte(r>>16))
	}
	c.key = key
	return key
}

// get returns the run with a key, or nil; wanted tells that it was asked for before and should be put.
func (c *shapeCache) get(key []byte) (s *shapeResult, wanted bool) {
	if s = c.young[string(key)]; s != nil {
		return s, true
	}
	if s = c.old[string(key)]; s != nil {
		c.put(key, s)
		return s, true
	}
	h := maphash.Bytes(runSeed, key)
	at, sum := &c.seen[h>>(64-seenBits)], uint32(h)
	wanted = *at == sum
	*at = sum
	return nil, wanted
}

func (c *shapeCache) put(key []byte, s *shapeResult) {
	if c.young == nil || c.bytes > runBudget {
		c.old, c.young, c.bytes = c.young, make(map[string]*shapeResult), 0
	}
	name := string(key)
	c.young[name] = s
	c.bytes += shapeResultBytes(name, s)
}

// shapeResultBytes returns about how many bytes a kept run takes.
func shapeResultBytes(key string, s *shapeResult) int {
	return len(key) + 24*len(s.glyphs) + 4*len(s.unsafe) + 120
}
