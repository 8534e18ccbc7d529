package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestLine_cutEndsAfterAWordThatMayStandThere cuts texts to one line and looks at what stands before the “…”.
func TestLine_cutEndsAfterAWordThatMayStandThere(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		name, lang, in, until, want string
	}{
		{"function words go", "en", "The history of the queue in the north", "The history of the queue in the", "The history of the queue…"},
		{"punctuation goes", "en", "Speed, safety, and the rest of it", "Speed, safety, and the", "Speed, safety…"},
		{"a closing bracket stays", "en", "Postgres (the server) runs everything", "Postgres (the server) runs", "Postgres (the server) runs…"},
		{"a closing quote goes with its comma", "en", "“We had a great time,” they said about it", "“We had a great time,” they", "“We had a great time,” they…"},
		{"and without a word after it", "en", "“We had a great time,” and the others", "“We had a great time,” and the", "“We had a great time…"},
		{"an open bracket goes", "en", "Postgres as a queue (and everything else", "Postgres as a queue (and", "Postgres as a queue…"},
		{"German", "de", "Der Umzug der Daten in die Wolke", "Der Umzug der Daten in die", "Der Umzug der Daten…"},
		{"French elision", "fr", "Le retour de l’ordre dans l’entreprise", "Le retour de l’ordre dans l", "Le retour de l’ordre…"},
		{"Spanish", "es", "El regreso de los datos a la nube", "El regreso de los datos a la", "El regreso de los datos…"},
		{"Russian", "ru", "Переезд очереди рендеринга в новый дом", "Переезд очереди рендеринга в", "Переезд очереди рендеринга…"},
		{"a title", "es", "Una entrevista a la Dra. Lucía Ruiz", "Una entrevista a la Dra.", "Una entrevista…"},
		{"initials", "de", "Gespräch mit Herrn J. R. Lebedew", "Gespräch mit Herrn J. R.", "Gespräch mit Herrn…"},
		{"№", "bg", "Приет закон № 412", "Приет закон №", "Приет закон…"},
		{"a range", "fr", "Au bord du lac, du 3 au 5 juillet", "Au bord du lac, du 3", "Au bord du lac…"},
		{"a dash", "fr", "Un joli week-end à Paris–Nanterre", "Un joli week-end à Paris–", "Un joli week-end…"},
		{"Greek", "el", "Η μεταφορά των δεδομένων στην αποθήκη", "Η μεταφορά των δεδομένων στην", "Η μεταφορά των δεδομένων…"},
		{"Vietnamese", "vi", "Chuyển hàng đợi kết xuất sang của những", "Chuyển hàng đợi kết xuất sang của", "Chuyển hàng đợi kết xuất sang…"},
		{"Arabic", "ar", "نقل طابور العرض إلى القاعدة", "نقل طابور العرض إلى", "نقل طابور العرض…"},
		{"English on a page in Norwegian", "nb", "Eleven years of customer data", "Eleven years of", "Eleven years…"},
		{"another language keeps its words", "pl", "Die Kunst der die Fuge", "Die Kunst der die", "Die Kunst der die…"},
		{"a percent sign stays", "ar", "خفض التكلفة بنسبة 40٪، ثم نبدأ من جديد", "خفض التكلفة بنسبة 40٪،", "خفض التكلفة بنسبة 40٪…"},
		{"a month stays", "fr", "Festival de musique le 5 juillet 2026", "Festival de musique le 5 juillet",
			"Festival de musique le 5 juillet…"},
		{"inside a token", "en", "Donaudampfschifffahrtsgesellschaft", "Donaudampfschiff", "Donaudampfschiff…"},
		{"never inside a cluster", "en", "q\u0307\u0323q\u0307\u0323q\u0307\u0323q\u0307\u0323", "q\u0307\u0323q\u0307\u0323", "q\u0323\u0307q\u0323\u0307…"},
	} {
		st := text.Inter.Text(30, 400)
		st.Lang = c.lang
		w := e.Measure(c.until+"…", st) + 1
		b := e.Line(c.in, st, w)
		if got := b.Text(); got != c.want || !b.Truncated {
			t.Errorf("%s: %q cut to %q, want %q", c.name, c.in, got, c.want)
		}
		if b.Width > w {
			t.Errorf("%s: %v px wide, want at most %v", c.name, b.Width, w)
		}
	}
}

// TestWrap_cutTitleHasMoreThanAWordOrTwoAfterAColon cuts titles to one line.
func TestWrap_cutTitleHasMoreThanAWordOrTwoAfterAColon(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(40)
	for _, c := range []struct{ in, until, want string }{
		{"Tenancy law 2027: What tenants should know", "Tenancy law 2027: What", "Tenancy law 2027…"},
		{"Le droit du bail : ce que tous doivent savoir", "Le droit du bail : ce que", "Le droit du bail…"},
		{"The new museum (designed by a pupil)", "The new museum (designed", "The new museum…"},
		{"Tenancy law: What all tenants should know", "Tenancy law: What all tenants", "Tenancy law: What all tenants…"},
		{"Law: Whatever tenants should know", "Law: Whatever tenants", "Law: Whatever tenants…"}, // most of it
	} {
		b := e.Wrap(c.in, st, e.Measure(c.until+"…", st)+1, 1)
		if got := b.Text(); got != c.want || !b.Truncated {
			t.Errorf("%q cut to %q, want %q", c.in, got, c.want)
		}
	}
}

// TestWrap_tooManyLinesAreCutWithAnEllipsis checks that a clamped title has its lines, keeps most of what fits and ends
// with “…”.
func TestWrap_tooManyLinesAreCutWithAnEllipsis(t *testing.T) {
	e := text.NewEngine()
	long := strings.Repeat("a story about queues and the people who wait in them ", 12)
	for _, lines := range []int{1, 2, 3, 4} {
		b := e.Wrap(long, text.Inter.Title(60), 900, lines)
		if len(b.Lines) != lines || !b.Truncated || !strings.HasSuffix(b.Text(), "…") || b.Width > 900 {
			t.Errorf("%d lines: %d, truncated %v, %q, width %v", lines, len(b.Lines), b.Truncated, b.Text(), b.Width)
		}
	}
	if b := e.Wrap("Short enough", text.Inter.Title(60), 900, 1); b.Truncated || b.Text() != "Short enough" {
		t.Errorf("a text that fits became %q", b.Text())
	}
}

// TestLine_tooNarrowForALetterIsEmpty checks that a box without room gives an empty block, not a wide one.
func TestLine_tooNarrowForALetterIsEmpty(t *testing.T) {
	e := text.NewEngine()
	if b := e.Line("Masthead", text.Inter.Text(28, 600), 5); !b.Empty() || !b.Truncated || b.Width != 0 {
		t.Errorf("block %q, width %v, want an empty one", b.Text(), b.Width)
	}
	if b := e.Line("", text.Inter.Text(28, 600), 0); !b.Empty() || b.Truncated {
		t.Errorf("empty text: %+v", b)
	}
}

// TestTruncateMiddle_longPathKeepsBothEnds checks that a path keeps both ends.
func TestTruncateMiddle_longPathKeepsBothEnds(t *testing.T) {
	e := text.NewEngine()
	st := text.JetBrainsMono.Text(28, 400)
	const path = "northlane.dev/guides/operations/rate-limits/burst"
	b := e.TruncateMiddle(path, st, 400)
	head, tail, found := strings.Cut(b.Text(), "…")
	if !found || !strings.HasPrefix(path, head) || !strings.HasSuffix(path, tail) ||
		len(head) < 5 || len(tail) < len(head) {
		t.Errorf("cut to %q", b.Text())
	}
	if b.Width > 400 || b.Width < 360 || !b.Truncated {
		t.Errorf("width %v, truncated %v", b.Width, b.Truncated)
	}
	if b := e.TruncateMiddle("northlane.dev/", st, 400); b.Text() != "northlane.dev/" || b.Truncated {
		t.Errorf("a path that fits became %q", b.Text())
	}
	for w := 200.0; w < 420; w += 10 { // no dot of the address is beside “…”
		if got := e.TruncateMiddle("karriere.nordstern.example", st, w).Text(); strings.Contains(got, ".…") ||
			strings.Contains(got, "….") {
			t.Errorf("at %v px: %q", w, got)
		}
	}
}

// TestFitDescription_tooLongEndsWell checks what becomes of a description that does not fit.
func TestFitDescription_tooLongEndsWell(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Text(30, 400)
	for _, c := range []struct {
		name, in string
		lines    int
		want     string // empty: dropped
	}{
		{"whole", "A description that fits on two lines of the card.", 2, "A description that fits on two lines of the card."},
		{"a little wider", "A description that nearly fits on the one line that is left for", 1, "A description that nearly fits on the one line that is left for"},
		{"cut a little", "A description that nearly fits on the one line that is left for texts like it", 1, ""},
		{
			"its first sentence", "The first sentence says enough. " + strings.Repeat("The others go on and on about it. ", 5), 1,
			"The first sentence says enough.",
		},
		{
			"its first clause", "We moved everything to Postgres last March, " + strings.Repeat("which took us long nights ", 8), 1,
			"We moved everything to Postgres last March…",
		},
		{
			"an abbreviation ends no sentence", "The work of Dr. Smith and J. Doe goes on, " + strings.Repeat("as it went on for years ", 8), 1,
			"The work of Dr. Smith and J. Doe goes on…",
		},
		{"a few words of a sentence", "Nine founders on decks, " + strings.Repeat("or the many investors that said no and no ", 5), 1, ""},
		{
			"an exception", "One lane of the bridge stays open to traffic all day, except on " + strings.Repeat("weekends and ", 5), 1,
			"One lane of the bridge stays open to traffic all day…",
		},
		{"before another sentence begins", "A description that nearly fits on this line. Another comes along in time.", 1, "A description that nearly fits on this line."},
		{
			"in the middle of another sentence", "I’m planning to ride the Divide in late October and expect a bit of " +
				"everything. Is 2.2 inches enough, or should I go wider for all of it?", 2,
			"I’m planning to ride the Divide in late October and expect a bit of everything.",
		},
		{
			"after the beginning of another clause", "The goal in the last minute of the second half of the game decides " +
				"it by two to one, late, in front of forty-five thousand people in the stadium", 2,
			"The goal in the last minute of the second half of the game decides it by two to one…",
		},
		{
			"the title again, in a sentence that is cut", "How to write titles if you or someone whom you know has half an " +
				"hour for all of them and no idea where to begin with the first. Start with the verb, and end early.", 2,
			"Start with the verb, and end early.",
		},
		{"a long sentence", strings.Repeat("endless words without any mark ", 12), 1, ""},
		{"cut in a long sentence", strings.Repeat("endless words without any mark ", 12), 2, "endless words without any mark endless words without any mark endless words without any mark endless…"},
		{"a clause that would leave a hole", "In the end it was us, then " + strings.Repeat("endless words without any mark ", 12), 2, "In the end it was us, then endless words without any mark endless words without any mark endless words…"},
		{"what the title says", "How to write titles: " + strings.Repeat("And more and more words after it. ", 9), 1, "And more and more words after it."},
		{"invalid bytes", "Broken bytes \xff\xfe in the first sentence. " + strings.Repeat("And others go on about it\xff, ", 9) + "\xff", 1, "Broken bytes in the first sentence."},
		{"too short", "Not worth a line", 2, ""},
		{"a Japanese comma", "小さなPCを手に入れたとある人が、" + strings.Repeat("手持ちの部品を差し替えながら", 6), 1, ""},
	} {
		b := e.FitDescription(c.in, "How to write titles", st, 800, c.lines)
		if got := b.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFitDescription_abbreviationsEndNoSentence checks descriptions, cut in two lines, by language.
func TestFitDescription_abbreviationsEndNoSentence(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, in string
		width    float64
		want     string
	}{
		{"ja", "画面でのかすれを抑えて描き直した本文用の明朝体。Ver. 2.10では縦組み用のかなを八十六字改刻し、さらに新しい字を加えました。", 420,
			"画面でのかすれを抑えて 描き直した本文用の明朝体。"},
		{"th", "หม้อในเคลือบเซรามิกหนา 3 มม. 12 โปรแกรม ตั้งเวลาล่วงหน้าได้ 24 ชั่วโมง กำลังไฟ 860 วัตต์", 316,
			"หม้อในเคลือบเซรามิกหนา 3 มม. 12 โปรแกรม…"},
		{"hi", "शरीर की जैविक घड़ी और इंसुलिन को अंतःस्रावविज्ञानी डॉ. शैलजा देशमुख से समझिए कि किन कर्मचारियों को हर छह महीने में जाँच करानी चाहिए", 400,
			"शरीर की जैविक घड़ी और इंसुलिन को अंतःस्रावविज्ञानी डॉ. शैलजा देशमुख…"},
		{"en", "The museum shows its maps of the valley in vol. 12 of the atlas that a clerk began before the flood", 500,
			"The museum shows its maps of the valley in vol. 12 of the atlas…"},
		{"fr", "Vérifier que tout est lisible, et restaurer tout ou partie d’une instance", 440,
			"Vérifier que tout est lisible, et restaurer tout ou partie…"},
		{"fr", "Le sommeil paradoxal, très fragmenté, que l’on retrouve encore dix-huit mois plus tard", 540,
			"Le sommeil paradoxal, très fragmenté, que l’on retrouve encore…"},
	} {
		st := text.Inter.Text(30, 400)
		st.Lang = c.lang
		if got := strings.ReplaceAll(e.FitDescription(c.in, "x", st, c.width, 2).Text(), " ", " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.lang, got, c.want)
		}
	}
}

// TestFitDescription_wordsStayWhole checks that a description in Japanese with full lines ends with an earlier sentence
// where a line would end inside a word.
func TestFitDescription_wordsStayWhole(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Text(28, 400)
	st.Lang = "ja"
	const first, second = "昭和から続く純喫茶から、自家焙煎の小さな店まで。", "窓辺でゆっくり過ごせる場所を選びました。"
	ended := 0
	for w := 560.0; w < 760; w += 10 {
		b := e.FitDescription(first+second, "雨の日に行きたい東京の喫茶店12選", st, w, 2)
		if strings.HasSuffix(b.Lines[0].Text, "店ま") {
			t.Errorf("%v px: the first line is %q", w, b.Lines[0].Text)
		}
		switch got := strings.ReplaceAll(b.Text(), " ", ""); got {
		case first:
			ended++
		case first + second:
		default:
			t.Errorf("%v px: %q", w, got)
		}
	}
	if ended == 0 {
		t.Error("no width is too narrow for the whole")
	}
	const short = "要件定義から公開後の改善提案まで。アクセシビリティに関心のある方を歓迎します。"
	for w := 540.0; w < 760; w += 10 {
		line := e.FitDescription(short, "ディレクター募集", st, w, 2).Lines[0].Text
		if i := strings.Index(line, "アク"); i >= 0 && !strings.Contains(line, "アクセシビリティ") {
			t.Errorf("%v px: the first line is %q", w, line)
		}
	}
}

// TestWrap_cutChineseEndsInNoPreposition checks that a cut description ends before a word that leans on the next one.
func TestWrap_cutChineseEndsInNoPreposition(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Text(28, 400)
	st.Lang, st.Balance = "zh-Hant", true
	for w := 300.0; w < 700; w += 7 {
		got := e.Wrap("中央氣象署預估清晨六時前後脫離本島，南部山區仍須嚴防豪雨與土石流。", st, w, 2).Text()
		for _, end := range []string{"與…", "仍…", "仍須…"} {
			if strings.HasSuffix(got, end) {
				t.Errorf("%v px: %s", w, got)
			}
		}
	}
}
