package render_test

import (
	"errors"
	"image"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"masthead/render"
	"masthead/render/cache"
	"masthead/render/specimen"
)

// TestDraw_differentCardsLeaveTheHeapFlat draws one card for each script and template, then different ones over all of
// them, two at once, and holds the heap to what it was after the first: 1000 cards with MASTHEAD_TEST_FULL=1, else 300,
// and fewer scripts.
func TestDraw_differentCardsLeaveTheHeapFlat(t *testing.T) {
	pages, more := specimen.Scripts(), 1000
	if !full {
		more = 300
		few := make([]specimen.Page, 0, len(pages)/3+1)
		for i := 0; i < len(pages); i += 3 {
			few = append(few, pages[i])
		}
		pages = few
	}
	draw := func(from, n int) {
		var next atomic.Int64
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					if _, err := render.Draw(t.Context(), specimen.Different(pages, from+i)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
	one := len(pages) * specimen.Designs()
	draw(0, one)
	early := heapInUse()
	draw(one, more)
	late := heapInUse()
	t.Logf("heap: %.1f MB after %d cards, %.1f MB after %d more", early/1e6, one, late/1e6, more)
	if late > 1.1*early {
		t.Errorf("the heap grew from %.0f to %.0f bytes, want 10 %% at most", early, late)
	}
}

// TestDraw_givesAllPixelsBack checks that no stage forgets memory that goes round: it is never collected.
func TestDraw_givesAllPixelsBack(t *testing.T) {
	before := cache.Pixels.InUse()
	pages, square := specimen.Scripts(), specimen.Logo("square")
	photo := specimen.Picture("dunes")
	for i := range specimen.Designs() {
		for k, page := range []specimen.Page{pages[0], pages[4], specimen.Find("empty")} {
			r := specimen.Different([]specimen.Page{page}, i)
			r.Icon = square
			for _, picture := range []image.Image{nil, photo} {
				r.Background = picture
				if _, err := render.Draw(t.Context(), r); err != nil && !errors.Is(err, render.ErrUnreadable) {
					t.Fatal(err)
				}
			}
			r.Background, r.Photo = nil, photo
			if _, err := render.Draw(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if n := cache.Pixels.InUse() - before; n != 0 {
				t.Fatalf("%s, page %d: %d bytes were not given back", r.Template, k, n)
			}
		}
	}
}

// heapInUse returns how many bytes are reachable.
func heapInUse() float64 {
	runtime.GC() // twice: what pools hold lives through the first
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
