package scrape

import (
	"image"
	"testing"
)

func TestKnownIcons_areBounded(t *testing.T) {
	t.Parallel()
	known, kept := newIconCache(), 0
	key := func(n int) (k iconKey) {
		k.file[0], k.file[1] = byte(n), byte(n>>8)
		return k
	}
	for n := range 300 {
		known.Put(key(n), Icon{Image: image.NewNRGBA(image.Rect(0, 0, 128, 128))})
	}
	for n := range 300 {
		if icon, ok := known.Get(key(n)); ok {
			kept += len(icon.Image.Pix)
		}
	}
	if kept < maxIconCacheBytes/2 || kept > maxIconCacheBytes {
		t.Errorf("got %d bytes kept, want up to %d", kept, maxIconCacheBytes)
	}
}
