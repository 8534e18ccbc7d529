package text_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/render/text"
)

// stressTitles are titles that invite a bad break: compounds, units, names, and last words that would stand alone.
var stressTitles = []struct{ lang, title string }{
	{"en", "Understanding usage-based pricing for small teams"},
	{"en", "A well-known, open-source, self-hosted alternative to everything"},
	{"en", "State-of-the-art end-to-end encryption for real-time collaborative editors"},
	{"en", "How we cut a 40-second build to 11 seconds with remote caching"},
	{"en", "What the war in Sudan means for the rest of us"},
	{"en", "Interview with Mina Okafor about the future of print in Lagos"},
	{"en", "Why does a 12 kg suitcase by J. R. R. Tolkien cost 900 euros?"},
	{"en", "Postgres 17 is out: what is new, and what you have to do by May"},
	{"en", "The quiet joy of doing one thing well, again and again and again, it is so"},
	{"en", "Server-side rendering vs. client-side rendering in 2026: a field guide to it"},
	{"en", "Go to it"},
	{"en", "The complete and rather long-winded account of how a small team of engineers spent the better part of two years moving eleven years of customer data across three continents"},
	{"en", "I am a cat"},
	{"de", "Warum wir die Render-Warteschlange nach Postgres verlegt haben, und was es uns gebracht hat"},
	{"de", "Die Donau-Dampfschifffahrts-Gesellschaft feiert ihr 200-jähriges Bestehen am 3. Mai"},
	{"fr", "Pourquoi nous avons déplacé la file de rendu vers Postgres : récit d’une après-midi"},
	{"es", "Por qué movimos la cola de renderizado a Postgres y lo que aprendimos de ello"},
	{"ru", "Почему мы перенесли очередь рендеринга в Postgres и что из этого вышло у нас"},
}

// TestFit_titlesBreakWhereTheyAreRead holds the lines of every stress title, in boxes of many widths: none ends inside
// a compound, and none leaves one short word alone on the last, where the same words in as many lines could do without.
func TestFit_titlesBreakWhereTheyAreRead(t *testing.T) {
	e := text.NewEngine()
	eachStressTitle(func(title string, st text.Style) {
		for w := 420.; w <= 1060; w += 32 {
			b := e.Fit(title, st, text.Box{W: w, H: 300}, text.Steps(3, 104, 92, 84, 76).Then(4, 66, 56, 48))
			if b.Truncated {
				continue // the next test's
			}
			if got := b.Text(); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(title, " ", "") {
				t.Errorf("%q became %q", title, got)
			}
			lines := linesOf(b)
			if fault := faultOf(lines); fault != "" && spaced(e, title, st, b, w) {
				t.Errorf("%s, %v px: %s in %q", st.Family, w, fault, lines)
			}
		}
	})
}

// eachStressTitle calls f with each stress title in faces of three widths.
func eachStressTitle(f func(title string, st text.Style)) {
	for _, c := range stressTitles {
		for _, family := range []text.Family{text.Inter, text.InstrumentSerif, text.JetBrainsMono} {
			st := family.Title(0)
			st.Lang = c.lang
			f(c.title, st)
		}
	}
}

func linesOf(b *text.Block) []string {
	lines := make([]string, len(b.Lines))
	for i, l := range b.Lines {
		lines[i] = l.Text
	}
	return lines
}

// TestFit_cutTitlesPartNoCompound holds titles that are cut, in boxes of many widths: no line ends inside a compound
// where as many lines at spaces have room for the same words, or for 20 characters less.
func TestFit_cutTitlesPartNoCompound(t *testing.T) {
	e := text.NewEngine()
	cut := 0
	eachStressTitle(func(title string, st text.Style) {
		for w := 360.; w <= 1060; w += 20 {
			b := e.Fit(title, st, text.Box{W: w, H: 190}, text.Steps(3, 72, 64))
			if !b.Truncated {
				continue
			}
			cut++
			lines := linesOf(b)
			if faultOf(lines) != "a break inside a compound" {
				continue
			}
			kept := utf8.RuneCountInString(strings.Join(lines, " "))
			for end, r := range title {
				shorter := title[:end]
				if n := utf8.RuneCountInString(shorter); r != ' ' || n < kept-20 || n > kept || 5*n < 3*kept {
					continue
				}
				if spaced(e, shorter+"…", st, b, w) {
					t.Errorf("%s, %v px: %q, where %q has room", st.Family, w, lines, shorter)
				}
			}
		}
	})
	if cut < 200 {
		t.Errorf("%d titles were cut, too few to tell", cut)
	}
}

// TestFit_lettersYieldToLines holds that a title takes one size less, where its words stand in better lines then: none
// alone between others, none at an end that wants the next one.
func TestFit_lettersYieldToLines(t *testing.T) {
	e := text.NewEngine()
	st := text.InstrumentSerif.Title(0)
	st.Lang = "en"
	for _, w := range []float64{700, 740} {
		b := e.Fit("Why we moved our render queue to Postgres", st, text.Box{W: w, H: 620}, text.Steps(5, 104, 92))
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, l.Text)
		}
		if want := []string{"Why we moved", "our render queue", "to Postgres"}; !slices.Equal(lines, want) {
			t.Errorf("%v px: %q at %v, want %q", w, lines, b.SizePx, want)
		}
	}
}

// TestFitStack_chineseAndJapaneseWordsStayWhole holds that a title yields up to three sizes before it parts a word,
// such as 東京 or つくる, and that its lines end after particles.
func TestFitStack_chineseAndJapaneseWordsStayWhole(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "ja"
	for _, c := range []struct {
		want   string
		w      float64
		ladder text.Ladder
	}{
		{"終電のあとで：|東京の深夜|食堂を歩く", 614, text.Steps(4, 96, 84, 76, 68).Then(5, 60, 52)},
		{"小さな台所で|つくる、|冬のあたたかい|スープ十二品", 560, text.Steps(2, 112, 98).Then(3, 84, 76).Then(4, 70, 64, 56, 48)},
		{"新しい働き方を支える|チームづくりのすすめ", 560, text.Steps(2, 112, 98).Then(3, 84, 76).Then(4, 70, 64, 56, 48)},
		{"京都の路地裏に|ひっそりと|たたずむ喫茶店を|めぐる旅", 560, text.Steps(2, 112, 98).Then(3, 84, 76).Then(4, 70, 64, 56, 48)},
	} {
		title, _ := text.NewEngine().FitStack(text.Stack{
			Title: strings.ReplaceAll(c.want, "|", ""), TitleStyle: st, TitleBox: text.Box{W: c.w, H: 340},
			Ladder: c.ladder, MaxTitleLines: 2,
			Text: "ネオンの消えた路地に、まだ灯りのついた店がある。", TextStyle: text.Inter.Text(28, 400),
			TextWidth: 560, TextLines: 2, MaxHeight: 340, Gap: 40,
		})
		var lines []string
		for _, l := range title.Lines {
			lines = append(lines, l.Text)
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%v px: %s, want %s", title.SizePx, got, c.want)
		}
	}
}

// faultOf returns what is wrong with the lines of a title, or "".
func faultOf(lines []string) string {
	for _, l := range lines[:len(lines)-1] {
		if strings.HasSuffix(l, "-") {
			return "a break inside a compound"
		}
	}
	if last := lines[len(lines)-1]; len(lines) > 1 && !strings.Contains(last, " ") && utf8.RuneCountInString(last) <= 4 {
		return "one short word alone"
	}
	return ""
}

// spaced reports whether the words of a title can be set in as many lines as b has, at its size, without a fault: every
// way to part them at spaces is tried.
func spaced(e *text.Engine, title string, st text.Style, b *text.Block, w float64) bool {
	words := strings.Fields(title)
	if st.SizePx, st.Exact = b.SizePx, true; st.SizePx < 48 { // from which letters of titles move together
		st.Tracking = 0
	}
	fits := map[string]bool{}
	var try func(from, left int, lines []string) bool
	try = func(from, left int, lines []string) bool {
		if left == 0 {
			return from == len(words) && faultOf(lines) == ""
		}
		for to := from + 1; to <= len(words); to++ {
			line := strings.Join(words[from:to], " ")
			fit, ok := fits[line]
			if !ok {
				fit = e.Measure(line, st) <= w
				fits[line] = fit
			}
			if !fit {
				return false
			}
			if try(to, left-1, append(lines, line)) {
				return true
			}
		}
		return false
	}
	return try(0, len(b.Lines), make([]string, 0, len(b.Lines)))
}

// TestFit_shortTitlesAreLarge checks that a title which leaves much of its box empty goes on beyond the first step, and
// that one which fills it does not.
func TestFit_shortTitlesAreLarge(t *testing.T) {
	e := text.NewEngine()
	box := text.Box{W: 1000, H: 300}
	steps := text.Steps(3, 104, 92, 84)
	for title, least := range map[string]float64{
		"Hello": 150, "Go": 150, "Release notes": 128, "Internationalization": 104,
	} {
		b := e.Fit(title, text.Inter.Title(0), box, steps)
		if b.SizePx < least || b.SizePx > 1.46*104 || b.Width > box.W || b.Ink.Y1 > box.H {
			t.Errorf("%q is set at %v px, %v wide, want %v to 150", title, b.SizePx, b.Width, least)
		}
	}
	full := "Why we moved our render queue to Postgres again"
	if b := e.Fit(full, text.Inter.Title(0), box, steps); b.SizePx > 104 {
		t.Errorf("%q is set at %v px", full, b.SizePx)
	}
}

// TestFit_longTokensBreakWhereTheTitleGains checks that a long token is broken at a good place where that makes the
// title 1.25 times larger, and else stays whole.
func TestFit_longTokensBreakWhereTheTitleGains(t *testing.T) {
	e := text.NewEngine()
	for title, want := range map[string][]string{
		"kubernetes-controller-manager-configuration": {"kubernetes-", "controller-manager-", "configuration"},
		"MyVeryLongAbstractSingletonProxyFactoryBean": {"MyVeryLong", "AbstractSingleton", "ProxyFactoryBean"},
	} {
		b := e.Fit(title, text.Inter.Title(0), text.Box{W: 800, H: 300}, text.Steps(3, 104, 92, 84, 76, 66, 56, 48, 40, 32))
		var got []string
		for _, l := range b.Lines {
			got = append(got, l.Text)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q at %v px: %q, want %q", title, b.SizePx, got, want)
		}
	}
}

// TestWrap_quotesHangOnlySoFar checks that an opening quote of a large title stays within 48 px of its edge, and that
// guillemets stand on it.
func TestWrap_quotesHangOnlySoFar(t *testing.T) {
	e := text.NewEngine()
	for _, size := range []float64{40, 92, 168, 240} {
		b := e.Wrap("“Quote", text.Inter.Title(size), 2000, 0)
		if x := b.Ink.X0; x < -48.5 || x > -5 {
			t.Errorf("at %v px the quote begins at %.1f, want -48 to -5", size, x)
		}
		if x := e.Wrap("«Quote", text.Inter.Title(size), 2000, 0).Ink.X0; math.Abs(x) > 1 {
			t.Errorf("at %v px the guillemet begins at %.1f, want 0", size, x)
		}
	}
}

// TestWrap_linesAreSixPixelsApart checks that ink of neighboring lines keeps 6 px between, however tight they are set.
func TestWrap_linesAreSixPixelsApart(t *testing.T) {
	e := text.NewEngine()
	for _, s := range []string{"gypsy jogging ỄỰẴ ẬỘỆ İĞÜ", "ṩp̣ Ǻẵ gg ỄỄỄ Å jjj ÂẤ"} {
		st := text.Inter.Title(64)
		st.LineHeight = .9
		b := e.Wrap(s, st, 420, 0)
		for i := 1; i < len(b.Lines); i++ {
			if gap := b.LeastGap(i); gap < 5.9 {
				t.Errorf("%q: lines %d and %d are %.1f px apart", s, i-1, i, gap)
			}
		}
	}
}

// TestFit_longWordsArePartedAtSyllables checks that a word which is too long for its box is parted with a hyphen, by
// the patterns of its language, and a word of another language at a letter only when nothing else helps.
func TestFit_longWordsArePartedAtSyllables(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title, want string }{
		{"de", "Donaudampfschifffahrtsgesellschaft", "Donau-|dampfschiff-|fahrts-|gesellschaft"},
		{"de-AT", "Die Rechtsschutzversicherungsgesellschaft", "Die|Rechtsschutz-|versicherungs-|gesellschaft"},
		{"de", "Quantencomputerforschungszentrum", "Quanten-|computer-|forschungs-|zentrum"},
		{"", "Donaudampfschifffahrtsgesellschaft", "Donau-|dampfschiff-|fahrts-|gesellschaft"},
		{"en", "Counterrevolutionaries and others", "Counterrev-|olutionaries|and others"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := e.Fit(c.title, st, text.Box{W: 520, H: 460}, text.Steps(4, 92, 84, 76, 68, 60, 52, 44, 36, 28))
		var got []string
		for _, l := range b.Lines {
			if l.Width > 520.01 {
				t.Errorf("%q is %.1f px wide", l.Text, l.Width)
			}
			got = append(got, l.Text)
		}
		if lines := strings.Join(got, "|"); lines != c.want {
			t.Errorf("%s at %v px: %s, want %s", c.title, b.SizePx, lines, c.want)
		}
	}
}

// TestFit_linesAroundAPartedWord_areBalanced checks that no line but those of the parted word is left as it falls: an
// article never stands alone.
func TestFit_linesAroundAPartedWord_areBalanced(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(0)
	st.Lang = "de"
	parted := 0
	for w := 640.; w <= 760; w += 20 {
		b := e.Fit("Donaudampfschifffahrt: Wie eine Genossenschaft aus Passau den Fluss zurückholte", st,
			text.Box{W: w, H: 900}, text.Steps(8, 96))
		for _, l := range b.Lines {
			if strings.HasSuffix(l.Text, "-") {
				parted++
			}
			if l.Text == "eine" || l.Width > w+.01 {
				t.Errorf("%v px: a line is %q of %q", w, l.Text, b.Text())
			}
		}
	}
	if parted == 0 {
		t.Error("the compound fits in each width")
	}
}

// TestFit_tibetanTitlesHaveRoom checks that the lines of Tibetan, which take twice the height of Latin ones, aren't cut
// in the columns of the designs.
func TestFit_tibetanTitlesHaveRoom(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(0)
	st.Lang = "bo"
	for _, title := range []string{
		"གློག་གི་རིན་པ་ 40% ཇི་ལྟར་གྲོན་ཆུང་བྱེད་དགོས་སམ།", "བཟོ་ཐབས། (ལས་སླ།) སྐར་མ་ 45 ནང་མོག་མོག་བཟོ་བ།",
		"“ང་ཚོས་ཚང་མ་ནོར་འདུག” ཅེས་གསར་གཏོད་པས་བཤད།", "མཁས་དབང་བསོད་ནམས་རྒྱལ་མཚན་དང་བཅར་འདྲི།",
	} {
		b := e.Fit(title, st, text.Box{W: 568, H: 240}, text.Steps(3, 84, 76, 68).Then(4, 60))
		if b.Truncated {
			t.Errorf("%q is cut to %q", title, b.Text())
		}
	}
}

// TestFit_clausesKeepTheirWords holds that no line ends one word after a colon or begins with the last one before it,
// that words which lean on their neighbor stay with it, and that a katakana word is parted where it has a joint.
func TestFit_clausesKeepTheirWords(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, title, want string
		w                 float64
		ladder            text.Ladder
	}{
		{
			"en", "RenderConf 2027: two days about drawing fast, Lisbon, 14–15 May",
			"RenderConf 2027:|two days about drawing|fast, Lisbon, 14–15 May", 1056, text.Steps(3, 104).Then(4, 92, 80),
		},
		{
			"en", "Capital Gains: Medium, an Uber rival, a drone hunter and other companies raised cash",
			"Capital Gains: Medium,|an Uber rival, a drone hunter|and other companies raised cash", 1056, text.Steps(3, 64, 54),
		},
		{
			"ru", "Интересные наблюдения о первой Матрице", "Интересные|наблюдения|о первой|Матрице", 616,
			text.Steps(3, 84, 76).Then(4, 70, 64, 56),
		},
		{
			"hi", "छह महीने, एक रुकावट और चालीस प्रतिशत कम लागत: Redis को बदलने से हमने क्या सीखा।",
			"छह महीने, एक रुकावट|और चालीस प्रतिशत कम लागत:|Redis को बदलने से हमने क्या सीखा।", 1056, text.Steps(3, 68, 60),
		},
		{
			"fr", "L’art d’écrire : de l’idée à la phrase", "L’art d’écrire :|de l’idée à la phrase", 816,
			text.Steps(2, 84, 76, 68).Then(3, 60),
		},
		{
			"en", "The dreams they want to accomplish: ‘To have a serene love’",
			"The dreams they want|to accomplish:|‘To have a serene love’", 830, text.Steps(3, 76),
		},
		{
			"en", "No. 7: The Bridge of San Luis Rey", "No. 7: The Bridge|of San Luis Rey", 590, text.Steps(3, 92, 80),
		},
		{
			"th", "กฎห้าข้อในการตั้งชื่อ", "กฎห้าข้อ|ในการตั้งชื่อ", 660, text.Steps(3, 116, 104, 92),
		},
		{
			"ja", "レンダリングキューをPostgresに移行した理由", "レンダリング|キューを|Postgresに|移行した理由", 700,
			text.Steps(4, 112, 100),
		},
		{
			"ja", "バックエンドエンジニア（Go／正社員・フルリモート可）",
			"バックエンドエンジニア|（Go／正社員・|フルリモート可）", 760,
			text.Steps(3, 84, 76).Then(4, 68, 60),
		},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := e.Fit(c.title, st, text.Box{W: c.w}, c.ladder)
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, l.Text)
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%v px: %s, want %s", b.SizePx, got, c.want)
		}
	}
}

// TestFit_chineseWordsStayWhole holds that no line ends inside a common word, in boxes of many widths.
func TestFit_chineseWordsStayWhole(t *testing.T) {
	e := text.NewEngine()
	for title, words := range map[string][]string{
		"为什么我们把渲染队列迁移到 Postgres": {"什么", "我们", "渲染", "队列", "迁移"},
		"简体中文标题在没有空格的情况下正确换行":    {"中文", "标题", "没有", "空格", "情况", "正确"},
		"這個約會軟體想用你和對方的相似好惡來幫你":   {"這個", "約會", "軟體", "對方", "相似"},
	} {
		st := text.Inter.Title(0)
		st.Lang = "zh"
		for w := 480.; w <= 1060; w += 20 {
			b := e.Fit(title, st, text.Box{W: w}, text.Steps(4, 104, 92, 84, 76, 66, 56))
			at := map[int]bool{}
			n := 0
			for _, l := range b.Lines {
				n += len(strings.ReplaceAll(l.Text, " ", ""))
				at[n] = true
			}
			for _, word := range words {
				if i := strings.Index(strings.ReplaceAll(title, " ", ""), word); at[i+len(word)/2] {
					t.Errorf("%v px: %s is parted in %q", w, word, b.Text())
				}
			}
		}
	}
}

// TestFit_noLineEndsInsideTheseWords checks places where a line never ends: inside 部署 after a span of time, before and
// after the single letter of a compound, and inside the words of a German compound.
func TestFit_noLineEndsInsideTheseWords(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, title string
		never       []string // ends of lines
	}{
		{"zh-Hans", "如何在 10 分钟内部署您的第一个网站", []string{"部", "钟"}},
		{"fr", "Pourquoi la ville de demain sera-t-elle plus lente ?", []string{"sera-", "sera-t-"}},
		{"de", "Donaudampfschifffahrtsgesellschaft wird 190 Jahre alt", []string{"schifffahrtsge-", "schaf-"}},
		{"th", "พยากรณ์อากาศวันนี้: " +
			"ภาคเหนืออุณหภูมิลดลง 3-5 องศา",
			[]string{"วัน", "ภาค", "ลด"}},
		{"th", "กรุงเทพฯ " +
			"เปิดรถไฟฟ้าสายสีชมพูเต็มรูปแบบ " +
			"ค่าโดยสารเริ่มต้น 15 บาท",
			[]string{"รูป", "ค่า", "เริ่ม", "รถไฟ"}},
		{"th", "นักวิทยาศาสตร์ค้นพบสิ่งมีชี" +
			"วิตชนิดใหม่ใต้ทะเลอันดามัน",
			[]string{"ค้น", "สิ่ง", "มี", "นัก"}},
		{"th", "เศรษฐกิจไทยไตรมาสสามขยายตัว 2.8% " +
			"สูงกว่าที่นักวิเคราะห์คาดการณ์",
			[]string{"ขยาย", "สูง", "นัก"}},
		{"th", "แผ่นดินไหวขนาด 5.8 ที่เมียนมา " +
			"รับรู้แรงสั่นสะเทือนถึงกรุงเทพฯ",
			[]string{"ขนาด", "เมีย", "รับ", "สั่น"}},
		{"th", "ลิซ่า ลลิษา มโนบาล ขึ้นแสดงบนเวที",
			[]string{"มโน"}},
		{"th", "การท่องเที่ยวเชิงอนุรักษ์ที่เกาะเต่า",
			[]string{"การ", "เชิง", "เกาะ"}},
		{"de", "Die Elbphilharmonie verkauft ihr 100.000. Abo an eine Lehrerin", []string{"100.000."}},
		{"hi", "“मैंने कभी हार नहीं मानी” — " +
			"पी. वी. सिंधु से ख़ास बातचीत",
			[]string{"पी.", "वी."}},
		{"hi", "किसानों के लिए नई योजना: हर " +
			"साल 6,000 रुपये सीधे खाते में",
			[]string{"हर", "6,000"}},
		{"pl", "Odkryto osadę sprzed 5 tys. lat pod Krakowem", []string{"tys.", "5"}},
		{"ko", "내년도 최저임금 시간당 1만 320원으로 확정, 노사 모두 반발", []string{"1만"}},
		{"ko", "“포기하지 않았을 뿐입니다” 70세 마라토너 이정희 씨",
			[]string{"않았을", "이정희"}},
		{"de", "Geschwindigkeitsbegrenzung auf Autobahnen", []string{"Geschwindigkeitsbe-", "Geschwindigkeitsbegren-"}},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		for w := 560.0; w < 1060; w += 25 {
			b := e.Fit(c.title, st, text.Box{W: w, H: 500}, text.Steps(3, 104, 92, 84, 76, 68).Then(5, 60))
			for _, l := range b.Lines {
				for _, end := range c.never {
					if strings.HasSuffix(l.Text, end) {
						t.Errorf("%s, %v px wide: a line ends with %q", c.title, w, l.Text)
					}
				}
			}
		}
	}
}

// TestFit_noThaiTitleIsCutAfterAPreposition cuts a title at many widths.
func TestFit_noThaiTitleIsCutAfterAPreposition(t *testing.T) {
	e, st, cut := text.NewEngine(), text.Inter.Title(0), 0
	st.Lang = "th"
	const title = "การเปลี่ยนแปลง" +
		"สภาพภูมิอากาศกับอนาคตขอ" +
		"งเมืองชายฝั่งในเอเชียตะวันออกเฉียงใต้"
	for w := 300.0; w < 1060; w += 12 {
		b := e.Fit(title, st, text.Box{W: w, H: 150}, text.Steps(2, 60))
		if !b.Truncated {
			continue
		}
		cut++
		for _, word := range []string{"ใน", "ของ", "กับ", "การ"} {
			if strings.HasSuffix(b.Text(), word+"…") {
				t.Errorf("%v px wide: %q", w, b.Text())
			}
		}
	}
	if cut == 0 {
		t.Error("no title was cut")
	}
}

// TestFit_shortTitleIsNeverBelowItsLadder checks that a short title gets a second line rather than a size below the
// smallest of its ladder.
func TestFit_shortTitleIsNeverBelowItsLadder(t *testing.T) {
	b := text.NewEngine().Fit("What the tide brings in", text.Inter.Title(0), text.Box{W: 568, H: 236},
		text.Steps(3, 84, 76, 68).Then(4, 60))
	if b.SizePx < 60 || len(b.Lines) != 2 {
		t.Errorf("%d lines of %v px", len(b.Lines), b.SizePx)
	}
}
