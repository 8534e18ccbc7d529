package text_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"runtime"
	"slices"
	"sync"
	"testing"

	"masthead/render/golden"
	"masthead/render/text"
)

// sheet is a gray picture on which blocks are drawn.
type sheet struct{ *image.Gray }

func newSheet(w, h int) sheet {
	s := sheet{image.NewGray(image.Rect(0, 0, w, h))}
	draw.Draw(s, s.Rect, image.White, image.Point{}, draw.Src)
	return s
}

func (s sheet) draw(e *text.Engine, b *text.Block, x, y float64) {
	e.Draw(b, x, y, func(x, y int, m *image.Alpha) {
		draw.DrawMask(s, m.Rect.Add(image.Pt(x, y)), image.Black, image.Point{}, m, image.Point{}, draw.Over)
	})
}

// TestDraw_familiesAndScriptsAreAsGolden draws one sheet for each family and one for each kind of script; somebody has
// looked at them.
func TestDraw_familiesAndScriptsAreAsGolden(t *testing.T) {
	e := text.NewEngine()
	for _, family := range families() {
		s := newSheet(900, 340)
		s.draw(e, e.Wrap("“Type” & AV To: Why we moved 3x4 queues", family.Title(72), 800, 0), 60, 30)
		body := "Six months, one outage and a 40% cost cut (office) – naïve café, Łódź, ½ €20 №5."
		s.draw(e, e.Wrap(body, family.Text(30, 400), 800, 2), 60, 215)
		s.draw(e, e.Line("engineering", family.Label(24), 0), 60, 302)
		golden.Image(t, "family-"+string(family), s)
	}
	for _, c := range []struct{ name, lang, title, body string }{
		{"arabic", "ar", "كيف نقلنا طابور العرض إلى Postgres 16", "ستة أشهر وانقطاع واحد وخفض التكلفة بنسبة 40٪ (تقريبًا): ما تعلّمناه من استبدال Redis."},
		{"hebrew", "he", "למה העברנו את תור העיבוד (render) ל-Postgres", "שישה חודשים, תקלה אחת וחיסכון של 40% בעלויות – שָׁלוֹם, צה״ל."},
		{"vietnamese", "vi", "Vì sao chúng tôi chuyển HÀNG ĐỢI sang ỄỰ Ẵ", "Sáu tháng, một sự cố và giảm bốn mươi phần trăm chi phí vận hành."},
		{"greek", "el", "Γιατί μεταφέραμε την ουρά στην Postgres", "Έξι μήνες, μία διακοπή και σαράντα τοις εκατό μείωση κόστους· ἀρχή."},
		{"cyrillic", "ru", "Почему мы перенесли очередь в «Postgres»", "Шесть месяцев, один сбой: Ґрунт, Љубав, Ўзбек, №5 – сорок процентов экономии."},
		{"devanagari", "hi", "हमने अपनी रेंडर कतार को Postgres पर क्यों ले जाया", "छह महीने, एक रुकावट: क्षेत्रज्ञ श्रीमान् र्\u200dय हिन्दी।"},
		{"bengali", "bn", "কীভাবে আমরা সারি নতুন ডাটাবেসে নিয়ে গেলাম", "ছয় মাস: ক্ষুদ্র ব্যবস্থা স্ত্রী জ্ঞান।"},
		{"tamil", "ta", "நாங்கள் எப்படி மாற்றினோம்", "ஆறு மாதங்கள், ஒரு தடங்கல்: க்ஷ ஸ்ரீ கொ கௌ."},
		{"thai", "th", "ทำไมเราจึงย้ายคิวการเรนเดอร์ไปยังฐานข้อมูลใหม่", "หกเดือน หนึ่งเหตุขัดข้อง ที่ น้ำ ปั้น กิ่ง ญู ฐู"},
		{"japanese", "ja", "描画の待ち行列をPostgresに移行した理由。直骨角", "六か月、一度の障害。「学んだこと」をチェック！"},
		{"simplified-chinese", "zh-CN", "为什么我们把渲染队列迁移到 Postgres：直骨角", "六个月、一次故障。“我们”学到了什么……"},
		{"traditional-chinese", "zh-TW", "為什麼我們把渲染佇列遷移到 Postgres：直骨角", "六個月、一次故障。「我們」學到了什麼……"},
		{"korean", "ko", "렌더링 대기열을 Postgres로 옮긴 이유와 배운 것", "여섯 달, 한 번의 장애, 사십 퍼센트의 비용 절감."},
		{"georgian-armenian", "ka", "როგორ გადავიტანეთ რიგი", "Ինչպես տեղափոխեցինք հերթը նոր շտեմարան"},
		{"ethiopic-sinhala", "am", "ወረፋውን ወደ አዲስ ዳታቤዝ", "අපි නව දත්ත ගබඩාවට ගියේ කෙසේද"},
		{"telugu-kannada", "te", "మేము క్యూని ఎలా తరలించాము", "ನಾವು ಸರತಿಯನ್ನು ಹೊಸ ದತ್ತಾಂಶಕ್ಕೆ ಹೇಗೆ ಸರಿಸಿದೆವು"},
		{"malayalam-gujarati", "ml", "ഞങ്ങൾ എങ്ങനെ മാറി", "અમે નવા ડેટાબેઝમાં કેવી રીતે ગયા ક્ષ શ્રી"},
		{"gurmukhi-odia", "pa", "ਅਸੀਂ ਨਵੇਂ ਡਾਟਾਬੇਸ ਵਿੱਚ", "ଆମେ ନୂଆ ଡାଟାବେସକୁ କିପରି ଗଲୁ କ୍ଷ"},
		{"khmer-lao", "km", "របៀបដែលយើងផ្លាស់ទីជួរទៅមូលដ្ឋានថ្មី", "ພວກເຮົາຍ້າຍຄິວໄປຖານຂໍ້ມູນໃໝ່ໄດ້ແນວໃດ"},
		{"burmese", "my", "ဒေတာဘေ့စ်အသစ်သို့ ဘယ်လိုပြောင်းခဲ့သလဲ", "ကျွန်ုပ်တို့ ခြောက်လ"},
		{"tibetan", "bo", "སྐད་ཡིག་སྲུང་སྐྱོབ་གསར་པ།", "བསྒྲུབས་པའི་རྒྱལ་ཁབ། ༡༩༥༩ ལོར། ཧཱུྃ༔ སྤྱི་ཚོགས་དང་ Postgres སྐོར།"},
		{"signs", "en", "∀x ∈ A ∩ B costs π → 40 ₿ and ⅔", "☀ ⚙ ① ⌘ ✂ ⬢ ∑∫√ x̶ Nguyễn 漢字 한글 ไทย"},
	} {
		s := newSheet(900, 300)
		title, body := text.Inter.Title(64), text.Inter.Text(30, 400)
		title.Lang, body.Lang = c.lang, c.lang
		s.draw(e, e.Wrap(c.title, title, 840, 0), 30, 30)
		s.draw(e, e.Wrap(c.body, body, 840, 2), 30, 205)
		golden.Image(t, "script-"+c.name, s)
	}
}

// TestDraw_emojiAreAsGolden draws emoji of all kinds in color.
func TestDraw_emojiAreAsGolden(t *testing.T) {
	e := text.NewEngine()
	img := image.NewNRGBA(image.Rect(0, 0, 480, 210))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for i, s := range []string{"🚀👩‍👩‍👧‍👦🇩🇪👍🏽1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿", "😀❤️☕🕵🏻‍♀️🎷🛜", "🎻🦊🪇🏳️‍🌈⌚🧑‍🚀"} {
		st := text.Inter.Text(float64(64-16*i), 400)
		e.DrawEmoji(e.Line(s, st, 0), 10, float64(24+[]int{0, 74, 134}[i]), func(x, y int, m *image.NRGBA) {
			draw.Draw(img, m.Rect.Add(image.Pt(x, y)), m, image.Point{}, draw.Over)
		})
	}
	golden.Image(t, "emoji", img)
}

// pixels draws b and returns what was drawn.
func pixels(e *text.Engine, b *text.Block) string {
	s := newSheet(700, 400)
	s.draw(e, b, 20.3, 30.6)
	return string(s.Pix)
}

// TestDraw_everyEngineDrawsTheSamePixels checks that a new engine, a warm one, one from the pool and one in another
// goroutine draw the same.
func TestDraw_everyEngineDrawsTheSamePixels(t *testing.T) {
	st := text.InstrumentSerif.Title(70)
	lay := func(e *text.Engine) *text.Block {
		return e.Fit("Ähnliche „Zeilen“, naïve & fjord كيف", st, text.Box{W: 600, H: 300}, text.Steps(3, 70, 60, 50))
	}
	warm := text.NewEngine()
	block := lay(warm)
	want := pixels(warm, block)
	if got := pixels(warm, lay(warm)); got != want {
		t.Error("a second layout by the same engine draws other pixels")
	}
	if got := pixels(text.NewEngine(), block); got != want {
		t.Error("another engine draws the block with other pixels")
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			e := text.Get()
			defer text.Put(e)
			if pixels(e, lay(e)) != want {
				t.Error("an engine from the pool draws other pixels")
			}
		})
	}
	wait.Wait()
}

// TestDraw_quarterOfAPixelMovesTheInk checks that a quarter of a pixel moves the ink by about as much, and that
// baselines fall on whole pixels.
func TestDraw_quarterOfAPixelMovesTheInk(t *testing.T) {
	e := text.NewEngine()
	b := e.Line("H", text.Inter.Title(60), 0)
	center := func(x, y float64) (cx, cy float64) {
		s := newSheet(100, 100)
		s.draw(e, b, x, y)
		sum := 0.0
		for i, v := range s.Pix {
			ink := float64(255 - v)
			cx, cy, sum = cx+ink*float64(i%100), cy+ink*float64(i/100), sum+ink
		}
		return cx / sum, cy / sum
	}
	x0, y0 := center(20, 20)
	for _, dx := range []float64{.25, .5, .75, 1} {
		x, y := center(20+dx, 20.3)
		if d := x - x0 - dx; d < -.02 || d > .02 {
			t.Errorf("moved by %v, the ink moved by %v", dx, x-x0)
		}
		if d := y - y0; d < -.001 || d > .001 {
			t.Errorf("the baseline moved by %v", y-y0)
		}
	}
}

// TestDraw_warmAllocatesNothing checks the hot path.
func TestDraw_warmAllocatesNothing(t *testing.T) {
	e := text.NewEngine()
	b := e.Fit(benchTitle, text.Inter.Title(0), text.Box{W: 984, H: 284}, ladder)
	blit := func(int, int, *image.Alpha) {}
	e.Draw(b, 72, 168, blit)
	if n := testing.AllocsPerRun(20, func() { e.Draw(b, 72, 168, blit) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// heapGrowth returns by how many bytes the heap is larger after f, garbage aside.
func heapGrowth(f func()) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held is free after the second
	runtime.ReadMemStats(&before)
	f()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

func TestDraw_sizesWithoutEndTakeBoundedMemory(t *testing.T) {
	e := text.NewEngine()
	line := func(size int) *text.Block {
		st := text.Inter.Title(float64(size))
		st.Exact = true
		return e.Line("ABCDEFGHIJKLMNOPQRSTUVWXYZ", st, 0)
	}
	draw := func(size int) { e.Draw(line(size), 0, 0, func(int, int, *image.Alpha) {}) }
	draw(249) // the face's tables and the rasterizer's buffer
	got := heapGrowth(func() {
		for size := 100; size < 250; size++ {
			draw(size)
		}
	})
	if got > 3.5*(1<<20) {
		t.Errorf("the engine holds %d bytes more, want at most 3.5 MB", got)
	}
	if e.KeepsMask(line(100)) || !e.KeepsMask(line(249)) {
		t.Errorf("masks of the first size kept: %v, of the last: %v; want those of the last alone",
			e.KeepsMask(line(100)), e.KeepsMask(line(249)))
	}
}

// TestDraw_coverageIsExact compares letters without overlapping contours, at sizes of text, with the same letters
// averaged from sixteen times their size.
func TestDraw_coverageIsExact(t *testing.T) {
	e := text.NewEngine()
	ink := func(r rune, size float64) (m image.Alpha) {
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: size, Exact: true}
		letter := e.Line(string(r), st, 0)
		e.Draw(letter, 0, -letter.Lines[0].Baseline, func(x, y int, got *image.Alpha) {
			m = image.Alpha{Pix: slices.Clone(got.Pix), Stride: got.Stride, Rect: got.Rect.Add(image.Pt(x, y))}
		})
		return m
	}
	const times = 16
	for _, r := range "SWag8" {
		for _, size := range []float64{24, 68, 168} {
			small, large := ink(r, size), ink(r, size*times)
			worst := 0
			for y := small.Rect.Min.Y; y < small.Rect.Max.Y; y++ {
				for x := small.Rect.Min.X; x < small.Rect.Max.X; x++ {
					sum := 0
					for k := range times * times {
						sum += int(large.AlphaAt(times*x+k%times, times*y+k/times).A)
					}
					off := sum/(times*times) - int(small.AlphaAt(x, y).A)
					worst = max(worst, off, -off)
				}
			}
			if worst > 8 {
				t.Errorf("%c at %v px: coverage is off by %d of 255", r, size, worst)
			}
		}
	}
}

// TestDraw_largeLetterInTilesIsExactAndNotKept compares a letter that is rasterized in tiles, and not kept, with the
// same letter averaged from twice its size.
func TestDraw_largeLetterInTilesIsExactAndNotKept(t *testing.T) {
	e := text.NewEngine()
	set := func(size float64) *text.Block {
		return e.Line("B", text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: size, Exact: true}, 0)
	}
	ink := func(size float64) (m image.Alpha) {
		letter := set(size)
		e.Draw(letter, 0, -letter.Lines[0].Baseline, func(x, y int, got *image.Alpha) {
			m = image.Alpha{Pix: slices.Clone(got.Pix), Stride: got.Stride, Rect: got.Rect.Add(image.Pt(x, y))}
		})
		return m
	}
	small, large := ink(900), ink(1800)
	if small.Rect.Dy() < 520 || large.Rect.Dx() < 520 {
		t.Fatalf("letters of %v and %v do not need tiles", small.Rect, large.Rect)
	}
	off := 0
	for y := small.Rect.Min.Y; y < small.Rect.Max.Y; y++ {
		for x := small.Rect.Min.X; x < small.Rect.Max.X; x++ {
			sum := 0
			for k := range 4 {
				sum += int(large.AlphaAt(2*x+k%2, 2*y+k/2).A)
			}
			if d := sum/4 - int(small.AlphaAt(x, y).A); d < -8 || d > 8 {
				off++
			}
		}
	}
	if off > 0 {
		t.Errorf("%d of %d pixels differ", off, small.Rect.Dx()*small.Rect.Dy())
	}
	if e.KeepsMask(set(900)) || e.KeepsMask(set(1800)) {
		t.Error("large letters are kept among others")
	}
}

// TestOutline_pathLiesInItsInk checks the path of a letter against its measures.
func TestOutline_pathLiesInItsInk(t *testing.T) {
	for _, c := range []struct {
		family text.Family
		r      rune
		ok     bool
	}{
		{text.InstrumentSerif, 'N', true}, {text.InstrumentSerif, 'Ж', true}, {text.Inter, 'ك', true}, {"", 'g', true},
		{text.Inter, '🎉', false},
	} {
		g, ok := text.Outline(c.family, 400, c.r, "")
		if ok != c.ok {
			t.Errorf("%q: found %v, want %v", c.r, ok, c.ok)
		}
		if !ok {
			continue
		}
		if g.Advance <= 0 || g.Ink.Empty() || g.Segments[0].Op != text.MoveTo {
			t.Errorf("%q: advance %v, ink %v", c.r, g.Advance, g.Ink)
		}
		for _, s := range g.Segments {
			last := s.Points[0]
			if s.Op == text.QuadTo {
				last = s.Points[1]
			}
			if last.X < g.Ink.X0-.001 || last.X > g.Ink.X1+.001 || last.Y < g.Ink.Y0-.001 || last.Y > g.Ink.Y1+.001 {
				t.Errorf("%q: point %v outside of %v", c.r, last, g.Ink)
			}
		}
	}
}

// TestOutline_hanFormsAreThoseOfTheLanguage holds that a letter which Taiwan writes otherwise is drawn so for it.
func TestOutline_hanFormsAreThoseOfTheLanguage(t *testing.T) {
	mainland, _ := text.Outline(text.InstrumentSerif, 700, '晴', "zh-Hans")
	taiwan, _ := text.Outline(text.InstrumentSerif, 700, '晴', "zh-Hant")
	if len(taiwan.Segments) == 0 || slices.Equal(mainland.Segments, taiwan.Segments) {
		t.Error("晴 has the mainland’s form on a page of Taiwan")
	}
}

// Example lays out a title and draws it on a picture.
func Example() {
	e := text.Get()
	defer text.Put(e)
	title := e.Fit("Why we moved our render queue to Postgres", text.Inter.Title(0), text.Box{W: 984, H: 284},
		text.Steps(3, 92, 84, 76).Then(4, 68, 60))
	card := image.NewRGBA(image.Rect(0, 0, 1200, 630))
	ink := image.NewUniform(color.White)
	e.Draw(title, 72, 168, func(x, y int, m *image.Alpha) {
		draw.DrawMask(card, m.Rect.Add(image.Pt(x, y)), ink, image.Point{}, m, image.Point{}, draw.Over)
	})
	fmt.Println(title.SizePx, len(title.Lines), title.Truncated)
	// Output: 92 3 false
}

// TestDraw_largeLettersInTurns_eachIsAsTheFirstTime draws letters that share the memory for large ones.
func TestDraw_largeLettersInTurns_eachIsAsTheFirstTime(t *testing.T) {
	e := text.NewEngine()
	sum := func(s string, size float64) (n int) {
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: size, Exact: true}
		e.Draw(e.Line(s, st, 0), 0, 0, func(x, y int, m *image.Alpha) {
			for i, v := range m.Pix {
				n += int(v) * (i%251 + 1)
			}
		})
		return n
	}
	a, b, larger := sum("A", 500), sum("B", 500), sum("A", 600)
	if a == 0 || a == b || a == larger {
		t.Fatalf("letters of %d, %d and %d", a, b, larger)
	}
	for range 2 {
		again, third := sum("A", 500), sum("A", 500)
		if again != a || third != a || sum("B", 500) != b || sum("A", 600) != larger {
			t.Error("a large letter drawn again is another one")
		}
	}
}
