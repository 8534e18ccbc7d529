package render_test

import (
	"bytes"
	"sync"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestDraw_together_sameBytes draws a card of each design, with a photo and without, from several goroutines that share
// all caches and buffers: each gets the bytes of a card that is drawn alone. The race detector watches it.
func TestDraw_together_sameBytes(t *testing.T) {
	pages := specimen.Scripts()
	photo, logo := specimen.Picture("dunes"), specimen.Logo("square")
	var requests []render.Request
	for i := range specimen.Designs() {
		r := specimen.Different(pages[i%len(pages):][:1], i)
		r.Icon = logo
		requests = append(requests, r)
		r.Photo = photo
		requests = append(requests, r)
	}
	draw := func(r render.Request) []byte {
		out, err := render.Draw(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", r.Template, err)
		}
		return out.Bytes
	}
	together := make([][][]byte, 3)
	var group sync.WaitGroup
	for g := range together {
		together[g] = make([][]byte, len(requests))
		group.Go(func() {
			for i := range requests {
				k := (i + g*2) % len(requests) // neighbors of one design meet, and so do different ones
				together[g][k] = draw(requests[k])
			}
		})
	}
	group.Wait()
	for i, r := range requests {
		alone := draw(r)
		for _, got := range together {
			if !bytes.Equal(got[i], alone) {
				t.Errorf("%s, card %d: not the bytes of the card that is drawn alone", r.Template, i)
			}
		}
	}
}
