package draw

import (
	"image"
	"image/color"
	"slices"
	"sync"
	"unsafe"

	"masthead/render/html/raster"
)

// Cache has what the pictures of a document have in common, whatever its values: parsed drawings, and what their
// filters made of their parts. It is safe for concurrent use.
type Cache struct {
	mu       sync.Mutex
	drawings []keptDrawing // the last used first
	layers   []keptLayer   // the last used first
	unders   []keptUnder   // the last used first
	bytes    int
}

// Limits of what a document keeps.
const (
	maxKeptDrawings = 16
	maxKeptBytes    = 8 << 20
	// perSVGByte is about the memory of a parsed drawing for each byte of its text.
	perSVGByte = 8
	// maxKeptUnders is for how many variants of a document their underlays are remembered: of two sizes, dark and light.
	maxKeptUnders = 4
)

// keptDrawing is a parsed drawing; doc is nil if it needs the engine.
type keptDrawing struct {
	source string
	doc    *svgDocument
}

// layerKey identifies what a part of a drawing becomes.
type layerKey struct {
	n       *svgNode
	m       raster.Matrix
	area    image.Rectangle
	view    raster.Rect
	current color.NRGBA
}

type keptLayer struct {
	key layerKey
	l   *raster.Layer
}

// keptUnder is an underlay; its pixels are nil until it was painted twice.
type keptUnder struct {
	keys []stepKey
	r    image.Rectangle
	pix  *rows
}

// Size returns about how much memory is kept, in bytes.
func (k *Cache) Size() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes
}

// drawing returns a drawing by its text, or nil if it needs the engine for SVG.
func (k *Cache) drawing(source string) *svgDocument {
	if k == nil {
		d, _ := parseSVG(source)
		return d
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.drawings, func(d keptDrawing) bool { return d.source == source })
	if i < 0 {
		d, _ := parseSVG(source)
		k.drawings = append(k.drawings, keptDrawing{source, d})
		k.bytes += perSVGByte * len(source)
		i = len(k.drawings) - 1
	}
	d := k.drawings[i]
	k.drawings = slices.Insert(slices.Delete(k.drawings, i, i+1), 0, d)
	k.shrink()
	return d.doc
}

// layer returns a layer that was kept, or nil. It may not be changed.
func (k *Cache) layer(key layerKey) *raster.Layer {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.layers, func(l keptLayer) bool { return l.key == key })
	if i < 0 {
		return nil
	}
	l := k.layers[i]
	k.layers = slices.Insert(slices.Delete(k.layers, i, i+1), 0, l)
	return l.l
}

// keep keeps a copy of a layer, besides what is transparent around.
func (k *Cache) keep(key layerKey, l *raster.Layer) {
	if k == nil {
		return
	}
	own := l.Cropped()
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(own.Pix) > maxKeptBytes/2 || slices.ContainsFunc(k.layers, func(l keptLayer) bool { return l.key == key }) {
		return
	}
	k.layers = slices.Insert(k.layers, 0, keptLayer{key, own})
	k.bytes += len(own.Pix)
	k.shrink()
}

// underlay returns the pixels of an underlay, or nil; again says that it was painted before, and is worth keeping.
func (k *Cache) underlay(keys []stepKey, r image.Rectangle) (pix *rows, again bool) {
	if k == nil || len(keys) == 0 {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.unders, func(u keptUnder) bool { return u.r == r && slices.Equal(u.keys, keys) })
	if i < 0 {
		k.unders = slices.Insert(k.unders, 0, keptUnder{keys: slices.Clone(keys), r: r})
		k.bytes += k.unders[0].size()
		k.shrink()
		return nil, false
	}
	u := k.unders[i]
	k.unders = slices.Insert(slices.Delete(k.unders, i, i+1), 0, u)
	return u.pix, true
}

// keepUnderlay keeps the pixels of an underlay that was painted twice.
func (k *Cache) keepUnderlay(keys []stepKey, l *raster.Layer) {
	if len(l.Pix) > maxKeptBytes/2 {
		return
	}
	pix := rowsOf(l)
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.unders, func(u keptUnder) bool { return u.r == l.R && slices.Equal(u.keys, keys) })
	if i < 0 || k.unders[i].pix != nil {
		return
	}
	k.unders[i].pix = pix
	k.bytes += pix.size()
	k.shrink()
}

// size returns about how much memory is taken.
func (u *keptUnder) size() int { return len(u.keys)*int(unsafe.Sizeof(stepKey{})) + u.pix.size() }

// shrink drops what was used the longest time ago, until the rest is within the limits.
func (k *Cache) shrink() {
	for len(k.unders) > maxKeptUnders || k.bytes > maxKeptBytes && len(k.unders) > 1 {
		n := len(k.unders)
		k.bytes -= k.unders[n-1].size()
		k.unders = slices.Delete(k.unders, n-1, n)
	}
	for len(k.drawings) > maxKeptDrawings || k.bytes > maxKeptBytes && len(k.drawings)+len(k.layers) > 1 {
		if n := len(k.layers); n > 0 && len(k.drawings) <= maxKeptDrawings {
			k.bytes -= len(k.layers[n-1].l.Pix)
			k.layers = slices.Delete(k.layers, n-1, n)
			continue
		}
		n := len(k.drawings)
		k.bytes -= perSVGByte * len(k.drawings[n-1].source)
		k.drawings = slices.Delete(k.drawings, n-1, n)
	}
}
