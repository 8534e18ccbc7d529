package text_test

import (
	"image"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/render/text"
)

// fuzzStyles are the ways of setting that the fuzzer chooses from.
func fuzzStyle(kind uint8, size float64) text.Style {
	all := families()
	family := all[int(kind)%len(all)]
	st := family.Title(size)
	switch kind / 8 % 4 {
	case 1:
		st = family.Text(size, 400)
	case 2:
		st = family.Label(size)
	case 3:
		st.Dir = text.RightToLeft
	}
	st.Align = text.Align(kind / 32 % 5)
	st.Lang = [...]string{"", "en", "de", "tr", "ar", "ja", "zh-TW", "ko", "th", "hi", "ru"}[int(kind)%11]
	return st
}

// FuzzLayout sets any text in any box and holds what must be true of every block: no panic, lines within the box, ink
// near their advance, no box of a missing glyph, no broken cluster, the same block again.
func FuzzLayout(f *testing.F) {
	for _, s := range []string{
		"", " ", "a", benchTitle, benchText, "كيف نقلنا طابور العرض إلى Postgres 16 (في) ستة",
		"למה \"העברנו\" ל-Postgres 40%", "Vì sao ỄỰ Ẵ", "e\u0301\u0323\u0302\u0303\u0304\u0305x",
		"私たちは描画の待ち行列を移行した", "렌더링 대기열을", "👩‍👩‍👧‍👦 🇩🇪 1️⃣",
		"supercalifragilistic-expiali_docious.withCamelCase/andMore", "\u2067abc\u2069 \u2066אבג\u2069 \u200f1-2",
		"لا إله ﷺ مُشَكَّل", "\xff\xfe\x00\u202e\ufeff", "a\u200bb\u2060c\u00add", strings.Repeat("\u0301", 50),
		"((((((([[[[[[[", "Donaudampfschifffahrtsgesellschaftskapitaenswitwe über",
		"เราย้ายคิวการเรนเดอร์ ๆ ไปยังฐาน", "របៀបដែលយើងផ្លាស់ទីជួរ", "ကျွန်ုပ်တို့ဒေတာဘေ့စ်", "ໄດ້ແນວໃດ",
		"हमने अपनी रेंडर कतार", "“我们”——把渲染队列……", "π ∀x ⁄ ₿ ⅔ x̶ n⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿👨🏿‍🚀❤️☀️☀1️⃣🇩🇪🇩", "\U0001f468\u200d\U0001f468\ufe0f\u20e3",
		"“‘(«„", "“我们”—\u0340", "我…\u0301",
	} {
		f.Add(s, uint16(984), uint16(284), uint8(len(s)), uint8(60))
	}
	e := text.NewEngine()
	f.Fuzz(func(t *testing.T, s string, w, h uint16, kind, size uint8) {
		st := fuzzStyle(kind, float64(size%120)+8)
		width := float64(w%2000) + 1
		for _, b := range []*text.Block{
			e.Wrap(s, st, width, int(h%7)),
			e.Fit(s, st, text.Box{W: width, H: float64(h % 1000)},
				text.Steps(2, st.SizePx, st.SizePx*.8).Then(3, st.SizePx*.6)),
			e.Line(s, st, width),
			e.TruncateMiddle(s, st, width),
		} {
			check(t, e, b, s, width)
		}
		if again := e.Wrap(s, st, width, int(h%7)); again.Text() != e.Wrap(s, st, width, int(h%7)).Text() {
			t.Errorf("%q is set in two ways", s)
		}
		title, description := e.FitStack(text.Stack{
			Title: s, TitleStyle: st, TitleBox: text.Box{W: width, H: 300}, Ladder: text.Steps(3, 60, 40),
			Text: s + s, TextStyle: text.Inter.Text(30, 400), TextWidth: width, TextLines: 2, Gap: 40, MaxHeight: 400,
		})
		check(t, e, title, s, width)
		if description != nil {
			check(t, e, description, s+s, width*1.1) // set wider where that makes it whole
		}
		if long := e.FitDescription(s+" "+s+", "+s+". "+s+s+s, "", st, width, 1); long != nil {
			check(t, e, long, s, width*1.1)
		}
	})
}

// check holds what must be true of every block of s in a box of width w.
func check(t *testing.T, e *text.Engine, b *text.Block, s string, w float64) {
	t.Helper()
	if n := b.NotDef(); n != 0 {
		t.Errorf("%q: %d boxes of a missing glyph", s, n)
	}
	for i, l := range b.Lines {
		if !utf8.ValidString(l.Text) || math.IsNaN(l.X) || math.IsNaN(l.Width) || math.IsNaN(l.Baseline) {
			t.Errorf("%q: line %+v", s, l)
		}
		clusters := utf8.RuneCountInString(l.Text)
		if l.Width > w+.06*b.SizePx && clusters > 1 { // a kern with the space that the line end drops
			t.Errorf("%q: line %d is %v px wide in a box of %v: %q", s, i, l.Width, w, l.Text)
		}
		em := b.SizePx
		if !l.Ink.Empty() && (l.Ink.X0 < l.X-1.2*em || l.Ink.X1 > l.X+l.Width+1.2*em ||
			l.Ink.Y0 < l.Baseline-2.2*em || l.Ink.Y1 > l.Baseline+1.2*em) {
			t.Errorf("%q: ink %v of a line at %v, %v wide, baseline %v, size %v",
				s, l.Ink, l.X, l.Width, l.Baseline, em)
		}
		if i > 0 && l.Baseline < b.Lines[i-1].Baseline {
			t.Errorf("%q: line %d stands above line %d", s, i, i-1)
		}
	}
	e.Draw(b, 10, 10, func(x, y int, m *image.Alpha) {
		if len(m.Pix) != m.Stride*m.Rect.Dy() || m.Rect.Min != (image.Point{}) {
			t.Errorf("%q: mask %v with %d bytes", s, m.Rect, len(m.Pix))
		}
		if !b.Ink.Holds(m.Rect.Add(image.Pt(x-10, y-10))) {
			t.Errorf("%q: mask %v at %d,%d outside of the ink %v", s, m.Rect, x-10, y-10, b.Ink)
		}
	})
}

// FuzzDisplay makes any title and description ready to be shown and holds that the result is valid, no longer than it
// may be, and has no spaces that were not there.
func FuzzDisplay(f *testing.F) {
	for _, s := range []string{
		"", `"a" | Acme`, "a -- b --- c", "&quot;x&quot;", "'90s 'n' 5'6\"", "\xff\"", " | | Acme",
		strings.Repeat("'\"", 20), "Acme -\r and a description of it", "Acme\t- and a description of it",
	} {
		f.Add(s, "Acme", "en")
	}
	f.Fuzz(func(t *testing.T, s, site, lang string) {
		title := text.DisplayTitle(s, text.Publisher{Name: site, Host: site, Lang: lang})
		for _, out := range []string{title, text.DisplayDescription(s, site, lang)} {
			if !utf8.ValidString(out) && utf8.ValidString(s) && utf8.ValidString(lang) {
				t.Errorf("%q became %q", s, out)
			}
			if len(out) > 4*len(s)+16 {
				t.Errorf("%d bytes became %d", len(s), len(out))
			}
			if strings.TrimSpace(out) != out && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\"'") {
				t.Errorf("%q became %q", s, out)
			}
		}
	})
}
