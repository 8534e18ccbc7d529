package kit

import (
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
)

// Figures of pictures that bear words, all looked at on cards and photographs.
const (
	wordsWidth    = 600 // that a picture is looked at in
	wordsCell     = 10  // side of the parts that it is looked at in
	wordsContrast = 90  // of luma, between ink and background
	wordsNear     = 5   // parts of that contrast: what is so near to an end is ink or background
	flatSpan      = 6   // of luma, within a flat part
	leastWords    = .05 // shares of the parts
	leastFlat     = .35
)

// bearsWords reports whether a picture is a card itself: letters on flat background. Cropped beside a title, they would
// be half words. What is in doubt is a photograph.
func bearsWords(img *image.NRGBA) bool {
	if img.Rect.Dx() < 1 || img.Rect.Dy() < 1 {
		return false
	}
	sum, ok := paint.SumOf(img)
	key := wordsKey{sum, img.Rect.Size()}
	if words, known := wordy.Get(key); ok && known {
		return words
	}
	words := looksWordy(img)
	wordy.Put(key, words)
	return words
}

// wordsKey is a picture, told apart as those of plates are.
type wordsKey struct {
	sum  uint64
	size image.Point
}

// wordy keeps whether pictures bear words: looking at a large one takes as long as drawing a card.
var wordy = cache.NewPart(cache.Pieces, func(wordsKey, bool) int { return 128 })

// looksWordy is bearsWords of a picture that is not known.
func looksWordy(img *image.NRGBA) bool {
	w, h := wordsWidth, max(img.Rect.Dy()*wordsWidth/img.Rect.Dx(), 1)
	small := paint.Scale(img, w, h)
	words, flat, all := 0, 0, 0
	var luma [wordsCell * wordsCell]int
	for y := 0; y+wordsCell <= h; y += wordsCell {
		for x := 0; x+wordsCell <= w; x += wordsCell {
			for i := range luma {
				p := small.Pix[(y+i/wordsCell)*small.Stride+4*(x+i%wordsCell):][:3:3]
				luma[i] = (54*int(p[0]) + 183*int(p[1]) + 19*int(p[2])) >> 8
			}
			all++
			switch isWords, isFlat := lookAtCell(&luma); {
			case isWords:
				words++
			case isFlat:
				flat++
			}
		}
	}
	return all > 0 && float64(words) >= leastWords*float64(all) && float64(flat) >= leastFlat*float64(all)
}

// lookAtCell reports whether a part of a picture has letters: two tones that alternate; or one tone alone.
func lookAtCell(luma *[wordsCell * wordsCell]int) (words, flat bool) {
	low, high := 255, 0
	for _, v := range luma {
		low, high = min(low, v), max(high, v)
	}
	if span := high - low; span < wordsContrast {
		return false, span <= flatSpan
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
	return near*10 >= len(luma)*6 && changes >= wordsCell*3/4, false
}
