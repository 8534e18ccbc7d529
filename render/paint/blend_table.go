package paint

import (
	"image/color"
	"slices"
	"sync"
)

// A blendTable is the palette of an indexed canvas with its known blends: for each ink, the entry that results from
// covering an entry by a coverage. A blend is computed once, and then costs one table lookup per pixel.
type blendTable struct {
	colors   [maxColors]rgb
	base     [maxColors]bool // used as a flat color, not only in blends: blends on it need exact colors
	n        int
	inks     []*inkBlends
	gradient *gradientPalette
	named    []color.NRGBA // inks named for a gradient

	pal    color.Palette // points to the colors of public
	public [maxColors]color.RGBA
}

type rgb struct{ r, g, b uint8 }

const (
	maxColors = 255 // index 255 means unknown in the tables of the inks
	unknown   = 255
	// maxInks is the maximum number of tables per canvas; cards with more inks (halftones) look up their blends again.
	// These tables aren't a cache of package cache: nearly all cards have fewer inks, a short list is faster than a hash,
	// and they return to their pools together with the card.
	maxInks = 96

	// Coverage has 31 steps on an indexed canvas: one step is 8 levels of white on black, which is invisible at an edge.
	hardSteps = 31
	// Soft shapes (shadows, glows, scrims) have 255 steps: they fade over many pixels, so fewer steps would show as rings.
	softSteps = 255
)

// inkBlends is an ink with its known blends: table[entry·(steps+1) + coverage].
type inkBlends struct {
	color color.NRGBA
	steps int
	table []uint8
	entry uint8 // of the ink itself; unknown until used

	// Only for soft inks: coverage is dithered to multiples of ditherStep (0: not chosen yet). Over a gradient, zones is
	// the number of its entries that share a blend, for each step.
	ditherStep uint8
	rounded    [2 * (softSteps + 1)]uint8 // coverage, with a threshold, rounded down to a multiple
	zones      *[softSteps + 1]uint8
}

var (
	blendTables = sync.Pool{New: func() any { return newBlendTable() }}
	hardInks    = sync.Pool{New: func() any { return newInkBlends(hardSteps) }}
	softInks    = sync.Pool{New: func() any { return newInkBlends(softSteps) }}
	blank       = func() []uint8 {
		b := make([]uint8, maxColors*(softSteps+1))
		for i := range b {
			b[i] = unknown
		}
		return b
	}()
	blankHard = func() []uint8 {
		b := slices.Clone(blank[:maxColors*(hardSteps+1)])
		for i := range maxColors {
			b[i*(hardSteps+1)] = uint8(i) // no coverage changes nothing
		}
		return b
	}()
	// hardStep maps 8-bit coverage to the steps of a hard ink.
	hardStep = func() (t [256]uint8) {
		for i := range t {
			t[i] = uint8((i*hardSteps + 127) / 255)
		}
		return t
	}()
)

func newInkBlends(steps int) *inkBlends {
	return &inkBlends{steps: steps, table: make([]uint8, maxColors*(steps+1))}
}

func newBlendTable() *blendTable {
	b := &blendTable{pal: make(color.Palette, maxColors)}
	for i := range b.pal {
		b.pal[i] = &b.public[i]
	}
	return b
}

func takeBlendTable(named []color.NRGBA) *blendTable {
	b := blendTables.Get().(*blendTable)
	b.n, b.gradient, b.named = 0, nil, named
	return b
}

func (b *blendTable) release() {
	b.dropInks()
	b.gradient, b.named = nil, nil
	blendTables.Put(b)
}

// dropInks releases all tables. A shape requests its ink before it draws, so none is in use.
func (b *blendTable) dropInks() {
	for _, k := range b.inks {
		if k.steps == hardSteps {
			hardInks.Put(k)
		} else {
			softInks.Put(k)
		}
	}
	b.inks = b.inks[:0]
}

// palette returns the entries for image.Paletted, valid until release. Unused entries are harmless.
func (b *blendTable) palette() color.Palette {
	for i, c := range b.colors[:b.n] {
		b.public[i] = color.RGBA{c.r, c.g, c.b, 255}
	}
	return b.pal[:b.n]
}

// blendsOf returns the blends of a color, hard or soft.
func (b *blendTable) blendsOf(c color.NRGBA, steps int) *inkBlends {
	for _, k := range b.inks {
		if k.color == c && k.steps == steps {
			return k
		}
	}
	if len(b.inks) >= maxInks {
		b.dropInks()
	}
	pool, table := &hardInks, blankHard
	if steps == softSteps {
		pool, table = &softInks, blank
	}
	k := pool.Get().(*inkBlends)
	k.color, k.entry, k.ditherStep, k.zones = c, unknown, 0, nil
	copy(k.table, table)
	b.inks = append(b.inks, k)
	if b.gradient != nil {
		b.gradient.fill(k)
	}
	return k
}

// add appends an entry; there must be room.
func (b *blendTable) add(c rgb, base bool) uint8 {
	b.colors[b.n], b.base[b.n] = c, base
	b.n++
	return uint8(b.n - 1)
}

// distance is the squared distance in sRGB, weighted by the eye's sensitivity (green most), times nine: a gray that is
// off by d levels has 9·d².
func distance(p, q rgb) int {
	dr, dg, db := int(p.r)-int(q.r), int(p.g)-int(q.g), int(p.b)-int(q.b)
	return 3*dr*dr + 4*dg*dg + 2*db*db
}

// nearest returns the entry closest to a color, and its distance.
func (b *blendTable) nearest(c rgb) (at uint8, d int) {
	d = 1 << 30
	for i := range b.colors[:b.n] {
		p := &b.colors[i]
		dg := int(p.g) - int(c.g)
		if 4*dg*dg >= d {
			continue
		}
		dr, db := int(p.r)-int(c.r), int(p.b)-int(c.b)
		if e := 3*dr*dr + 4*dg*dg + 2*db*db; e < d {
			at, d = uint8(i), e
		}
	}
	return at, d
}

// Palette policy. Distances are in gray levels; see distance.
const (
	exactRoom     = 16        // entries reserved for late flat colors
	maxFlatError  = 9 * 2 * 2 // maximum error of a flat color if no entry is left
	maxBaseError  = 9 * 14 * 14
	maxBlendError = 9 * 30 * 30 // blends of blends are single pixels where two edges cross
)

// flat returns the entry of a color that fills an area. ok is false if the palette can't hold it.
func (b *blendTable) flat(c rgb) (at uint8, ok bool) {
	if b.n > 0 {
		if near, d := b.nearest(c); d == 0 {
			b.base[near] = true
			return near, true
		} else if b.n == maxColors {
			return near, d <= maxFlatError
		}
	}
	return b.add(c, true), true
}

// blend returns an entry for a blended color: the nearest one if it is close enough, otherwise a new one. The tolerance
// grows as the palette fills, except for soft inks on a flat background, where steps would be visible. ok is false if
// no entry is suitable.
func (b *blendTable) blend(c rgb, onBase, soft bool) (at uint8, ok bool) {
	near, d := b.nearest(c)
	room := maxColors - exactRoom - b.n
	var enough, limit int
	switch {
	case onBase && soft && room > 32:
		enough, limit = 8, maxBaseError
	case onBase && room > 96:
		enough, limit = 9*2, maxBaseError
	case onBase && room > 48:
		enough, limit = 9*3*3, maxBaseError
	case onBase && room > 16:
		enough, limit = 9*6*6, maxBaseError
	case onBase:
		enough, limit = 9*9*9, maxBaseError
	case room > 96:
		enough, limit = 9*4*4, maxBlendError
	case room > 48:
		enough, limit = 9*9*9, maxBlendError
	default:
		enough, limit = 9*16*16, maxBlendError
	}
	if d <= enough {
		return near, true
	}
	if room > 0 {
		return b.add(c, false), true
	}
	return near, d <= limit
}

// resolve finds the entry for an ink that covers an entry by step (1 to steps), and stores it.
func (b *blendTable) resolve(k *inkBlends, dst uint8, step int) (at uint8, ok bool) {
	background := b.colors[dst]
	c := over(background, k.color, step, k.steps)
	switch {
	case c == background:
		at, ok = dst, true
	case step == k.steps && k.color.A == 255:
		at, ok = b.flat(c)
		k.entry = at
	default:
		at, ok = b.blend(c, b.base[dst], k.steps == softSteps)
	}
	if ok {
		k.table[int(dst)*(k.steps+1)+step] = at
	}
	return at, ok
}

// ditherStepOn returns the coverage to whose multiples a soft ink is dithered on an entry, so that the fade takes at
// most softLevels entries.
func (b *blendTable) ditherStepOn(dst uint8, c color.NRGBA) uint8 {
	p, q := b.colors[dst], over(b.colors[dst], c, 1, 1)
	span := max(abs(int(p.r)-int(q.r)), abs(int(p.g)-int(q.g)), abs(int(p.b)-int(q.b)))
	if span <= softLevels {
		return 1
	}
	return (softSteps + softLevels - 1) / softLevels
}

// softLevels is the maximum number of entries for one fade from an ink to the background.
const softLevels = 64

// over blends in sRGB, as browsers do: text blended that way has the weight that its designer saw.
func over(background rgb, c color.NRGBA, step, steps int) rgb {
	a, full := step*int(c.A), steps*255
	mix := func(s, d uint8) uint8 { return uint8((int(s)*a + int(d)*(full-a) + full/2) / full) }
	return rgb{mix(c.R, background.r), mix(c.G, background.g), mix(c.B, background.b)}
}
