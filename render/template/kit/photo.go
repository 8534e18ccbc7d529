package kit

import (
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
)

// Thresholds for pictures with words, chosen by eye on cards and photographs.
const (
	wordsWidth    = 600 // width at which a picture is examined
	wordsCell     = 10  // side of the cells that are examined
	wordsContrast = 90  // of luma, between ink and background
	wordsNear     = 5   // fraction of that contrast: pixels this close to an end are ink or background
	flatSpan      = 6   // of luma, within a flat cell
	leastWords    = .05 // fraction of the cells
	leastFlat     = .35
	sameTone      = 16 // of luma, between cells of the same tone
	groundWithin  = 3  // cells above or below letters, in which their ground is
	leastSet      = 1  // of setLikeWords, per cell with letters: cards have 1.1 and more, photographs .95 and less
)

// bearsWords reports whether a picture is a card itself or a logo: letters or a mark on a flat background. Cropped next
// to a title, they would be cut words. If in doubt, it is a photograph.
func bearsWords(img *image.NRGBA, photo *paint.Photo) bool {
	if img.Rect.Dx() < 1 || img.Rect.Dy() < 1 {
		return false
	}
	sum, ok := photo.Sum()
	key := wordsKey{sum, img.Rect.Size()}
	if words, known := wordy.Get(key); ok && known {
		return words
	}
	words := looksWordy(img) || looksLikeLogo(img)
	wordy.Put(key, words)
	return words
}

// Thresholds for logos, at the width at which pictures are examined. Source: docs/rendering.md#pictures-of-pages.
const (
	logoCell   = 8   // side of the cells that are examined
	logoSpan   = 1   // of luma, up to which a cell has one tone
	logoFlat   = .75 // fraction of such cells above which a picture may be a logo
	logoColors = 24  // of 4 bits per channel, that a photograph of a thing on a plain ground has more of
	logoShare  = 2e-4
)

// looksLikeLogo reports whether a picture is a mark on a plain ground, or the ground alone: nearly all of it has one
// tone, and it has few colors. A thing on a plain ground has many.
func looksLikeLogo(img *image.NRGBA) bool {
	w, h := wordsWidth, max(img.Rect.Dy()*wordsWidth/img.Rect.Dx(), 1)
	small := paint.Scale(img, w, h)
	flat, all := 0, 0
	var colors [1 << 12]int
	for y := 0; y+logoCell <= h; y += logoCell {
		for x := 0; x+logoCell <= w; x += logoCell {
			low, high := 255, 0
			for i := range logoCell * logoCell {
				p := small.Pix[(y+i/logoCell)*small.Stride+4*(x+i%logoCell):][:3:3]
				colors[int(p[0]>>4)<<8|int(p[1]>>4)<<4|int(p[2]>>4)]++
				v := (54*int(p[0]) + 183*int(p[1]) + 19*int(p[2])) >> 8
				low, high = min(low, v), max(high, v)
			}
			if all++; high-low <= logoSpan {
				flat++
			}
		}
	}
	if float64(flat) <= logoFlat*float64(all) {
		return false
	}
	many := 0
	for _, n := range colors {
		if float64(n) > logoShare*float64(all*logoCell*logoCell) {
			many++
		}
	}
	return many < logoColors
}

// Thresholds for screenshots, at the width at which pictures are examined. Source: docs/rendering.md#facts.
const (
	screenCell     = 8   // side of the cells that are examined
	screenFlat     = 3   // of luma, below which a cell is flat
	screenFlatness = .25 // minimum fraction of flat cells
	screenStep     = 8   // of luma, across an edge
	screenEdge     = 60  // minimum length of a straight edge
	screenEven     = 1   // of luma, by which each side of an edge changes from pixel to pixel
	screenEdges    = 12  // minimum number of them, horizontal and vertical together
)

// IsScreenshot reports whether a picture shows an interface: flat areas with many straight, long, level edges. If in
// doubt, it is a photograph.
func IsScreenshot(img *image.NRGBA) bool { return isScreenshot(img, paint.NewPhoto(img)) }

// isScreenshot is [IsScreenshot] for a picture whose hash is known.
func isScreenshot(img *image.NRGBA, photo *paint.Photo) bool {
	if img.Rect.Dx() < 1 || img.Rect.Dy() < 1 {
		return false
	}
	sum, ok := photo.Sum()
	key := wordsKey{sum, img.Rect.Size()}
	if is, known := screens.Get(key); ok && known {
		return is
	}
	is := looksLikeScreen(img)
	screens.Put(key, is)
	return is
}

// screens caches whether pictures are screenshots.
var screens = cache.NewPart(cache.Pieces, func(wordsKey, bool) int { return 128 })

// looksLikeScreen is isScreenshot without the cache.
func looksLikeScreen(img *image.NRGBA) bool {
	w, h := wordsWidth, max(img.Rect.Dy()*wordsWidth/img.Rect.Dx(), 1)
	small := paint.Scale(img, w, h)
	luma := make([]int, w*h)
	for i := range luma {
		p := small.Pix[i/w*small.Stride+4*(i%w):][:3:3]
		luma[i] = (54*int(p[0]) + 183*int(p[1]) + 19*int(p[2])) >> 8
	}
	flat, all := 0, 0
	for y := 0; y+screenCell <= h; y += screenCell {
		for x := 0; x+screenCell <= w; x += screenCell {
			low, high := 255, 0
			for i := range screenCell * screenCell {
				v := luma[(y+i/screenCell)*w+x+i%screenCell]
				low, high = min(low, v), max(high, v)
			}
			if all++; high-low < screenFlat {
				flat++
			}
		}
	}
	return all > 0 && float64(flat) >= screenFlatness*float64(all) &&
		straightEdges(luma, w, h, 1, w)+straightEdges(luma, h, w, w, 1) >= screenEdges
}

// straightEdges counts the edges that are parallel to a row of w pixels, of which there are h; along and across are the
// distances to the next pixel in the row and to the next row. Both sides of an edge are even: those of a shutter in a
// photograph aren't.
func straightEdges(luma []int, w, h, along, across int) (n int) {
	even := func(i int) bool { return max(luma[i]-luma[i-along], luma[i-along]-luma[i]) <= screenEven }
	for y := 0; y+1 < h; y++ {
		for x, length, sign := 0, 0, 0; x <= w; x++ {
			step := 0
			if x < w {
				i := y*across + x*along
				switch d := luma[i+across] - luma[i]; {
				case x > 0 && !(even(i) && even(i+across)):
				case d >= screenStep:
					step = 1
				case d <= -screenStep:
					step = -1
				}
			}
			if step != 0 && step == sign {
				length++
				continue
			}
			if length >= screenEdge {
				n++
			}
			length, sign = min(1, step*step), step
		}
	}
	return n
}

// wordsKey is a picture, identified like those of plates.
type wordsKey struct {
	sum  uint64
	size image.Point
}

// wordy caches whether pictures have words: examining a large one takes as long as drawing a card.
var wordy = cache.NewPart(cache.Pieces, func(wordsKey, bool) int { return 128 })

// wordsLook is what a cell of a picture shows: letters, or one tone; and its darkest and lightest luma.
type wordsLook struct {
	words, flat bool
	low, high   int
}

// looksWordy is bearsWords without the cache.
func looksWordy(img *image.NRGBA) bool {
	w, h := wordsWidth, max(img.Rect.Dy()*wordsWidth/img.Rect.Dx(), 1)
	small := paint.Scale(img, w, h)
	wide, high := w/wordsCell, h/wordsCell
	cells := make([]wordsLook, wide*high)
	words, flat := 0, 0
	var luma [wordsCell * wordsCell]int
	for n := range cells {
		x, y := n%wide*wordsCell, n/wide*wordsCell
		for i := range luma {
			p := small.Pix[(y+i/wordsCell)*small.Stride+4*(x+i%wordsCell):][:3:3]
			luma[i] = (54*int(p[0]) + 183*int(p[1]) + 19*int(p[2])) >> 8
		}
		cells[n] = lookAtCell(&luma)
		switch {
		case cells[n].words:
			words++
		case cells[n].flat:
			flat++
		}
	}
	all := float64(len(cells))
	return words > 0 && float64(words) >= leastWords*all && float64(flat) >= leastFlat*all &&
		float64(setLikeWords(cells, wide)) >= leastSet*float64(words)
}

// setLikeWords counts the cells with letters that have such a cell of the same tones beside them, as lines do, and
// those that have a cell of one of their tones alone above or below them, as words on a ground do; one that has both
// counts twice. Leaves, bricks and hair look like letters, but have neither.
func setLikeWords(cells []wordsLook, wide int) (n int) {
	has := func(at int, like func(wordsLook) bool) bool { return at >= 0 && at < len(cells) && like(cells[at]) }
	near := func(a, b int) bool { return max(a-b, b-a) <= sameTone }
	for i, c := range cells {
		if !c.words {
			continue
		}
		beside := func(o wordsLook) bool { return o.words && near(o.low, c.low) && near(o.high, c.high) }
		ground := func(o wordsLook) bool { return o.flat && (near(o.low, c.low) || near(o.high, c.high)) }
		if i%wide > 0 && has(i-1, beside) || i%wide < wide-1 && has(i+1, beside) {
			n++
		}
		for d := wide; d <= groundWithin*wide; d += wide {
			if has(i-d, ground) || has(i+d, ground) {
				n++
				break
			}
		}
	}
	return n
}

// lookAtCell looks at a cell: letters are two alternating tones.
func lookAtCell(luma *[wordsCell * wordsCell]int) wordsLook {
	low, high := 255, 0
	for _, v := range luma {
		low, high = min(low, v), max(high, v)
	}
	if span := high - low; span < wordsContrast {
		return wordsLook{flat: span <= flatSpan, low: low, high: high}
	}
	near, changes, middle := 0, 0, (low+high)/2
	for i, v := range luma {
		if reach := (high - low) / wordsNear; v <= low+reach || v >= high-reach {
			near++
		}
		if i%wordsCell > 0 && (v > middle) != (luma[i-1] > middle) {
			changes++
		}
	}
	return wordsLook{words: near*10 >= len(luma)*6 && changes >= wordsCell*3/4, low: low, high: high}
}
