package text_test

import (
	"image"
	"strconv"
	"testing"

	"masthead/render/text"
)

const (
	benchTitle = "How a small team migrated eleven years of customer data across three continents"
	benchText  = "Six months, one outage and a 40% cost cut: what we learned when we replaced Redis with " +
		"SKIP LOCKED, and what we would do differently the next time."
)

func benchStack(family text.Family) text.Stack {
	return text.Stack{
		Title: benchTitle, TitleStyle: family.Title(0), TitleBox: text.Box{W: 984, H: 284},
		Ladder: text.Steps(3, 92, 84, 76, 72, 68).Then(4, 60, 54),
		Text:   benchText, TextStyle: family.Text(30, 400), TextWidth: 1056, TextLines: 2, Gap: 46, MaxHeight: 360,
	}
}

// BenchmarkFitStack lays out the title and the description of a card.
func BenchmarkFitStack(b *testing.B) {
	e := text.NewEngine()
	b.ReportAllocs()
	for b.Loop() {
		e.FitStack(benchStack(text.Inter))
	}
}

// BenchmarkFitArabic lays out a right-to-left title.
func BenchmarkFitArabic(b *testing.B) {
	e := text.NewEngine()
	b.ReportAllocs()
	for b.Loop() {
		e.Fit("كيف نقلنا طابور العرض إلى Postgres في ستة أشهر ووفرنا 40٪ من التكلفة",
			text.Inter.Title(0), text.Box{W: 984, H: 284}, ladder)
	}
}

// BenchmarkDraw hands out the masks of a card from a warm cache, without blending.
func BenchmarkDraw(b *testing.B) {
	e := text.NewEngine()
	title, description := e.FitStack(benchStack(text.Inter))
	blit := func(int, int, *image.Alpha) {}
	e.Draw(title, 72, 168, blit)
	b.ReportAllocs()
	for b.Loop() {
		e.Draw(title, 72, 168, blit)
		e.Draw(description, 72, 430, blit)
	}
}

// BenchmarkDrawCold rasterises every glyph of a card.
func BenchmarkDrawCold(b *testing.B) {
	e := text.NewEngine()
	title, _ := e.FitStack(benchStack(text.Inter))
	blit := func(int, int, *image.Alpha) {}
	for b.Loop() {
		e.DropMasks()
		e.Draw(title, 72, 168, blit)
	}
}

// BenchmarkFirstText makes an engine and sets its first title; faces are parsed already.
func BenchmarkFirstText(b *testing.B) {
	for b.Loop() {
		text.NewEngine().Fit(benchTitle, text.Inter.Title(0), text.Box{W: 984, H: 284}, ladder)
	}
}

// BenchmarkBackdropLetter rasterises a letter as large as a card.
func BenchmarkBackdropLetter(b *testing.B) {
	e := text.NewEngine()
	for _, size := range []float64{300, 500, 760, 1080} {
		st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: size, Exact: true}
		b.Run(strconv.Itoa(int(size)), func(b *testing.B) {
			letter := e.Line("N", st, 0)
			b.ReportAllocs()
			for b.Loop() {
				e.DropMasks()
				e.Draw(letter, 0, 0, func(int, int, *image.Alpha) {})
			}
		})
	}
}
