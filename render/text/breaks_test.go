package text_test

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/text"
)

// TestBreaks_linesEndWhereUAX14AndKinsokuAllow checks where lines may end: UAX 14, strict kinsoku, Korean kept whole,
// and which breaks part a phrase.
func TestBreaks_linesEndWhereUAX14AndKinsokuAllow(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ name, want string }{
		{"English", "A |well-|known |“quoted” |word, |and/or |neither/|both |(maybe) |$5.00 |now"},
		{"no break before punctuation", "Qui ? |Non ! |Voilà : |fin"},
		{"no break before a wide colon", "「売¦場」|Shopping ： |A・|B ・ |C"},
		{"spaced guillemets", "Le |« mot » |juste"},
		{"no-break space", "Le |«\u202fmot\u202f»\u00a0juste"},
		{"dash", "Speed – |at |last—|really"},
		{"range", "De |50.000–60.000 |€, |Paris–|Nice"},
		{"address", "see |https://|example.com/|a/|b?|c=d"},
		{"Russian", "Почему |мы |перенесли |очередь"},
		{"Vietnamese", "Vì |sao |chúng |tôi"},
		{"Arabic", "كيف |نقلنا، |طابور"},
		{"Hebrew", "למה |ל-Postgres"},
		{"combining marks", "a\u0301b |c\u0308d"},
		{"Tibetan", "༄༅། །བོད་|ཀྱི་|སྐད་|ཡིག |དང༌ཡི་|གེ། །|གསར་|པ།"},
		{"Korean keeps particles", "Postgres로 |옮긴 |3가지 |이유"},
		{"Korean keeps words", "렌더링 |대기열을 |이전한 |이유"},
	} {
		in := strings.NewReplacer("|", "", "¦", "").Replace(c.want)
		if got := e.Breaks(in); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestBreaks_scriptsWithoutSpacesBreakAtWords checks Thai, Lao, Khmer and Burmese against the words that ICU finds; of
// the words that its dictionary lacks (render, database, located) Thai has more.
func TestBreaks_scriptsWithoutSpacesBreakAtWords(t *testing.T) {
	e := text.NewEngine()
	for _, want := range []string{
		"ทำไม|เรา|จึง|ย้าย|คิว|การ|เรนเดอร์|ไป|ยัง|ฐานข้อมูล|ใหม่|ทั้งหมด|ใน|หก|เดือน",
		"ประเทศไทย|เป็น|ประเทศ|ที่|ตั้งอยู่|" +
			"ใน|เอเชีย|ตะวันออกเฉียงใต้ |ต่าง ๆ",
		"ພວກ|ເຮົາ|ຍ້າຍ|ຄິວ|ໄປ|ຖານ|ຂໍ້ມູນ|ໃໝ່|ໄດ້|ແນວ|ໃດ|ໃນ|ຫົກ|ເດືອນ",
		"របៀប|ដែល|យើង|ផ្លាស់ទី|ជួរ|ទៅ|មូលដ្ឋាន|ទិន្នន័យ|ថ្មី|ក្នុងរយៈពេល|ប្រាំមួយ|ខែ",
		"ကျွန်ုပ်|တို့|ဒေ|တာ|ဘေ့စ်|အသစ်|သို့|ဘယ်လို|ပြောင်း|ခဲ့|သလဲ",
		"ย้าย|ไป |Postgres |16 |ใน|ปี |2569",
	} {
		if got := e.Breaks(strings.ReplaceAll(want, "|", "")); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// TestBreaks_noForbiddenCharacterStartsOrEndsALine checks every adjacent pair of a Japanese and a Chinese text against
// the characters that may not start or end a line.
func TestBreaks_noForbiddenCharacterStartsOrEndsALine(t *testing.T) {
	e := text.NewEngine()
	const noStart, noEnd = "、。，．！？」』）】〉》・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々：；…", "「『（【〈《￥"
	for _, s := range []string{
		"「ちょっと、待って！」と彼は言った（昨日）。サーバーのデータベース移行…時々％",
		"我们为什么把《渲染队列》迁移到“数据库”？（六个月，一次故障）！好：是；",
		"シャッターチャンスをキャッチする【新機能】ァ・ィ",
	} {
		for _, line := range strings.FieldsFunc(e.Breaks(s), func(r rune) bool { return r == '|' || r == '¦' }) {
			runes := []rune(line)
			if strings.ContainsRune(noStart, runes[0]) {
				t.Errorf("%q may start a line in %q", runes[0], s)
			}
			if strings.ContainsRune(noEnd, runes[len(runes)-1]) {
				t.Errorf("%q may end a line in %q", runes[len(runes)-1], s)
			}
		}
	}
}

// TestWrap_eastAsianLinesEndWithPhrases checks that Japanese and Chinese lines end with a particle or a mark where that
// costs no line.
func TestWrap_eastAsianLinesEndWithPhrases(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		s            string
		ems          float64
		greedy, want []string
	}{
		{"私たちは描画の待ち行列を移行した", 9, []string{"私たちは描画の待ち", "行列を移行した"}, []string{"私たちは描画の", "待ち行列を移行した"}},
		{"我们迁移的渲染队列，现在更快了", 11, []string{"我们迁移的渲染队列，现", "在更快了"}, []string{"我们迁移的渲染队列，", "现在更快了"}},
		{"私たちがデータベースを移行した", 9, []string{"私たちがデータベー", "スを移行した"}, []string{"私たちがデータベー", "スを移行した"}},
	} {
		if got := e.Lines(c.s, c.ems, false, false); !slices.Equal(got, c.greedy) {
			t.Errorf("%s greedy: %q, want %q", c.s, got, c.greedy)
		}
		if got := e.Lines(c.s, c.ems, true, false); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.s, got, c.want)
		}
	}
}

// TestWrap_balancedLinesAreEven checks that lines become even and that no short word is left alone.
func TestWrap_balancedLinesAreEven(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		s    string
		ems  float64
		want []string
	}{
		{"aaaa bbbb cccc dddd", 14, []string{"aaaa bbbb", "cccc dddd"}},
		{"aaaaaaaa bbbbbbbb cc", 17, []string{"aaaaaaaa", "bbbbbbbb cc"}},
		{"one two three four five six", 27, []string{"one two three four five six"}},
		{"aaaaa bbbbb ccccc ddddd e", 11, []string{"aaaaa bbbbb", "ccccc", "ddddd e"}},
		{"", 10, nil},
		{"he led a band of ten men", 12, []string{"he led", "a band", "of ten men"}},
		{"Why we move", 8, []string{"Why", "we move"}},
		{"新年のお知らせと予定", 8, []string{"新年の", "お知らせと予定"}},
		{"aaaaaa bbbbbb Model 3 dddddddd eeeee", 35, []string{"aaaaaa bbbbbb Model 3", "dddddddd eeeee"}},
	} {
		if got := e.Lines(c.s, c.ems, false, true); !slices.Equal(got, c.want) {
			t.Errorf("%q in %v em: %q, want %q", c.s, c.ems, got, c.want)
		}
	}
}

// TestWrap_tokenWiderThanTheBoxBreaksAtAGoodPlace checks where a token that is wider than the box is broken.
func TestWrap_tokenWiderThanTheBoxBreaksAtAGoodPlace(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		s    string
		ems  float64
		want []string
	}{
		{"enterprise_integration_adapters", 16, []string{"enterprise_", "integration_", "adapters"}},
		{"com.example.internal.tools", 12, []string{"com.example.", "internal.", "tools"}},
		{"fooBarBazQuxHTMLParserFactory", 12, []string{"fooBarBazQux", "HTMLParser", "Factory"}},
		{"Donaudampfschifffahrt", 8, []string{"Donaudam", "pfschiff", "fahrt"}},
		{"see Donaudampfschifffahrt now", 8, []string{"see", "Donaudam", "pfschiff", "fahrt", "now"}},
		{"e\u0301e\u0301e\u0301e\u0301e\u0301", 4, []string{"e\u0301e\u0301", "e\u0301e\u0301", "e\u0301"}},
		{"abc", .5, []string{"a", "b", "c"}},
	} {
		if got := e.Lines(c.s, c.ems, false, false); !slices.Equal(got, c.want) {
			t.Errorf("%q in %v em: %q, want %q", c.s, c.ems, got, c.want)
		}
	}
}

// TestLine_stemOfJStandsOnTheEdge checks that the stem of a j, not its hook, stands on the edge.
func TestLine_stemOfJStandsOnTheEdge(t *testing.T) {
	e := text.NewEngine()
	b := e.Line("job", text.Inter.Title(92), 0)
	if x := b.Lines[0].Ink.X0; x > -3 || x < -12 {
		t.Errorf("the hook of a j begins at %.1f, want it outside the edge", x)
	}
	if x := e.Line("iob", text.Inter.Title(92), 0).Lines[0].Ink.X0; x < -.5 || x > .5 {
		t.Errorf("the stem of an i begins at %.1f, want the edge", x)
	}
}
