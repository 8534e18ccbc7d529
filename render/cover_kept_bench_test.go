package render_test

import (
	"strings"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// BenchmarkDrawCoverTitles draws covers over one picture with titles of one to three lines in turn.
func BenchmarkDrawCoverTitles(b *testing.B) {
	for name, kind := range map[string]render.Kind{"og": render.OG, "hero": render.BlogHero} {
		for _, picture := range []string{"dunes", "forest"} {
			b.Run(name+"/"+picture, func(b *testing.B) {
				requests := titled(b, "cover", kind, 1000)
				for i := range requests {
					r := &requests[i]
					r.Photo, r.Dark = specimen.Picture(picture), i%2 == 0
					words := strings.Fields(r.Title)
					r.Title = strings.Join(words[:min(2+i%7, len(words))], " ")
				}
				drawKept(b, requests)
			})
		}
	}
}
