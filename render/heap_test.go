package render_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestDraw_thousandCardsLeaveTheHeapFlat draws 1000 different cards and compares the heap with that after the first
// 100.
func TestDraw_thousandCardsLeaveTheHeapFlat(t *testing.T) {
	templates, fonts := render.Templates(), render.Fonts()
	drawCard := func(i int) {
		info := templates[i%len(templates)]
		pages := specimen.Pages()
		r := pages[i%7].Request(info.Slug, info.Kinds[i/len(templates)%len(info.Kinds)]) // the first seven have faces
		r.Title = fmt.Sprintf("%s %d %c", r.Title, i, 'A'+rune(i%26))
		r.SiteName = fmt.Sprintf("%c%s", 'A'+rune(i%26), r.SiteName)
		r.Font, r.Dark = fonts[i%len(fonts)], i%2 == 0
		r.Accent = specimen.Accents()[i/6%6]
		r.Accent.G = uint8(i) // a different theme each time
		if _, err := render.Draw(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC() // twice: what pools hold lives through the first
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	cards := func(from, to int) {
		var group sync.WaitGroup
		for w := range 2 {
			group.Go(func() {
				for i := from + w; i < to; i += 2 {
					drawCard(i)
				}
			})
		}
		group.Wait()
	}
	cards(0, 100)
	early := heap()
	cards(100, 1000)
	late := heap()
	t.Logf("heap: %.1f MB after 100 cards, %.1f MB after 1000", float64(early)/1e6, float64(late)/1e6)
	if float64(late) > 1.1*float64(early) {
		t.Errorf("the heap grew from %d to %d bytes, want 10 %% at most", early, late)
	}
}
