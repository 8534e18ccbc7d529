package render_test

import (
	"fmt"
	"testing"

	"masthead/render"
	"masthead/render/encode"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// titled returns n requests for a template and kind that differ in their titles.
func titled(b *testing.B, slug string, kind render.Kind, n int) []render.Request {
	b.Helper()
	requests := make([]render.Request, n)
	for i := range requests {
		r, _ := render.Sample(slug)
		r.Kind, r.Title = kind, fmt.Sprintf("%s, part %d", r.Title, i+1)
		requests[i] = r
	}
	return requests
}

// BenchmarkDraw draws each template and kind, whole.
func BenchmarkDraw(b *testing.B) {
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			b.Run(info.Slug+"-"+string(kind), func(b *testing.B) {
				requests := titled(b, info.Slug, kind, 100)
				b.ReportAllocs()
				bytes := 0
				defer cpu(b)()
				for i := 0; b.Loop(); i++ {
					pic, err := render.Draw(b.Context(), requests[i%len(requests)])
					if err != nil {
						b.Fatal(err)
					}
					bytes = len(pic.Bytes)
				}
				b.ReportMetric(float64(bytes), "bytes/card")
			})
		}
	}
}

// BenchmarkStages draws each template and kind, a stage at a time.
func BenchmarkStages(b *testing.B) {
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			b.Run(info.Slug+"-"+string(kind), func(b *testing.B) { stages(b, info.Slug, kind) })
		}
	}
}

// stages draws a card a stage at a time.
func stages(b *testing.B, slug string, kind render.Kind) {
	r, _ := render.Sample(slug)
	r.Kind = kind
	engine := text.NewEngine()
	open := func() *kit.Card {
		t, spec, err := render.Spec(r)
		if err != nil {
			b.Fatal(err)
		}
		return kit.Open(t, spec, engine)
	}
	b.Run("layout-and-background", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := open()
			c.Layout()
			c.Close()
		}
	})
	card := open()
	defer card.Close()
	card.Layout()
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			card.DrawTexts()
		}
	})
	limits := render.LimitsOf(card)
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := encode.Encode(card.Canvas().Image(), limits); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParallel draws the default card on all processors.
func BenchmarkParallel(b *testing.B) {
	requests := titled(b, render.DefaultTemplate, render.OG, 100)
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := render.Draw(b.Context(), requests[i%len(requests)]); err != nil {
				b.Error(err)
			}
		}
	})
}
