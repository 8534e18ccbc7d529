package text_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"masthead/render/text"
)

// TestShapeCache_warmEngineSetsTheSameBlocks lays texts out with an engine that has set them before, among others that
// are alike, and with new ones.
func TestShapeCache_warmEngineSetsTheSameBlocks(t *testing.T) {
	var cases []func(e *text.Engine) *text.Block
	for _, s := range []string{
		"Plain words, office fluff and AVATAR", "Plain words, office fluff and AVATAR…", "x 1 × 2x3 -> 4:30",
		"éàü Żółć e\u0301", "مرحبا بالعالم", "مرحبا بالعالم ABC",
		"ABC مرحبا", "שלום עולם 12", "Бгд і Ελληνικά", "تم", "تمم",
	} {
		for _, family := range []text.Family{text.Inter, text.JetBrainsMono, text.NotoSans} {
			for _, lang := range []string{"en", "sr"} {
				title, plain := family.Title(64), family.Text(30, 400)
				title.Lang, plain.Lang = lang, lang
				cases = append(cases,
					func(e *text.Engine) *text.Block { return e.Wrap(s, title, 300, 2) },
					func(e *text.Engine) *text.Block { return e.Line(s, plain, 0) })
			}
		}
	}
	warm := text.NewEngine()
	for range 3 {
		for i, set := range cases {
			got, want := set(warm), set(text.NewEngine())
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("case %d, %q: set again, the block differs", i, want.Text())
			}
		}
	}
}

func TestLine_textsWithoutEndTakeBoundedMemory(t *testing.T) {
	e := text.NewEngine()
	set := func(i int) {
		s := fmt.Sprintf("A description of some length that is different each time, as they are: %d", i)
		e.Line(s, text.Inter.Text(30, 400), 0)
		e.Line(s, text.Inter.Text(30, 400), 0)
	}
	set(0)
	got := heapGrowth(func() {
		for i := range 3000 {
			set(i)
		}
	})
	if got < 100<<10 || got > 600<<10 {
		t.Errorf("the engine holds %d bytes more, want those of shaped runs, 100 to 600 KB", got)
	}
	runtime.KeepAlive(e)
}
