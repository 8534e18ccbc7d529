package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_wordsThatBelongTogetherStayTogether fits titles into boxes of many widths. No line ends at a ~, where two
// words are never parted, nor where a word of Chinese, Japanese or Thai has one: a size less or a line more avoids it.
func TestFit_wordsThatBelongTogetherStayTogether(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title string }{
		{"en", "We cut the render time of a card to 3.7~ms on one core"},
		{"en", "A laptop with 48~GB of memory for the price of a phone"},
		{"en", "Why prices rose by 40~% in one year, and what comes next"},
		{"en", "How we wrote 40~rows of code that save us a day a week"},
		{"en", "A talk with Dr.~Okafor about print, ink and the city of Lagos"},
		{"en", "The night that Mr~Bell rang the first telephone in Boston"},
		{"en", "What J.R.R.~Tolkien never said about the maps of Middle-earth"},
		{"en", "Why the board of Acme~Inc. sold its factory to a rival"},
		{"en", "Two hours in a museum with Fig.~4 and nobody else around"},
		{"en", "From version~4 to now: what a decade of releases taught us"},
		{"en", "A short proof that a~=~b whenever we say so in this paper"},
		{"en", "The conference moves to Lisbon from 14–15~May next year"},
		{"en", "Tiny Wins~#88: ship the ugly version, and then the next one"},
		{"en", "Open house on May~14 at the old harbour, free for everybody"},
		{"de", "Tempo 30~km/h in der ganzen Innenstadt: was sich ab Montag ändert"},
		{"zh", "不停机迁移2~TB数据的全过程，以及我们从中学到的东西"},
		{"ja", "2~TBのデータを止めずに48~GBのメモリで移行した話"},
		{"de", "Ein Haus am See für 24,90~€ die Nacht, und wo es steht"},
		{"de", "Der Umsatz stieg auf 1,2~Mrd. Euro, sagt die neue Chefin"},
		{"de", "Warum die Muster~GmbH jetzt doch nach Leipzig umzieht"},
		{"fr", "Un voyage de 300~km à vélo le long du canal du Midi"},
		{"fr", "Le jardin de Mme~Lambert, ouvert à tous chaque dimanche"},
		{"es", "El 14~de~octubre empieza todo de nuevo en la ciudad vieja"},
		{"pt", "Em 5~de~março abre o novo museu à beira do rio Tejo"},
		{"ko", "우리 도시의 새 도서관은 10월~14일에 문을 열 예정입니다"},
		{"es", "La receta de la Sra.~García para una tarde de lluvia"},
		{"ru", "Город построит новый мост за 3,7~млн рублей до весны"},
		{"ru", "Письмо, которое г-н~Иванов отправил редакции из Казани"},
		{"ru", "Вакансия для разработчика, удалённо, от 300~000~₽ на руки"},
		{"ru", "Квартира на ул.~Неглинной, д.~15, за 7,9~млн~руб. с ремонтом"},
		{"ru", "Смартфон с памятью 256~ГБ и экраном как у планшета"},
		{"fr", "Ce qui change au 1er~septembre pour les salariés nés après 1961"},
		{"fr", "Rencontre avec le Pr~Étienne Klein sur l’avenir de nos machines"},
		{"fr", "La maison de Mme~de~La Tour, ouverte à tous chaque dimanche d’été"},
		{"fr", "Un ordinateur de 512~Go pour le prix d’un téléphone portable"},
		{"es", "El acuerdo entre EE.~UU. y la UE tras nueve meses de negociación"},
		{"es", "La tesis de la Dra.~Mª~Ángeles Gómez sobre las enanas marrones"},
		{"ko", "지난해 자전거 이동 420만~건이 우리에게 말해 주는 도시"},
		{"ko", "작은 팀이 새로운 도구를 고를 때 살펴야 할 열네~가지 질문"},
		{"ko", "우리 팀이 하루에 두~번 배포하면서 배운 것들을 정리했습니다"},
		{"ar", "كيف خفضنا زمن العرض بنسبة~40 بالمئة خلال عام واحد فقط"},
		{"ar", "قائمة القراءة لهذا الصيف: 40~كتابا من كل أنحاء العالم"},
		{"en", "We shipped the new renderer~🎉 and nobody noticed a thing"},
		{"en", "Why SELECT~… FOR UPDATE is all that a small queue needs"},
		{"ko", "왜 오래된 데이터베이스의 'SKIP LOCKED'·는 좋은 큐가 되는가"},
		{"ar", "زمن الاستجابة أقل من ثانية واحدة مع 48~غيغابايت من الذاكرة"},
		{"ru", "Мы выкатили новую версию~🎉, и никто этого не заметил"},
		{"th", "เราย้ายคิวทั้งหมดไปยังฐานข้อมูลใหม่ภายในสอง~สัปดาห์และไม่หยุดระบบ"},
		{"hi", "हमने 40~प्रतिशत कम लागत में नया सर्वर कैसे बनाया और क्या सीखा"},
	} {
		holds(t, e, c.lang, c.title, "~")
	}
}

// TestFit_chineseAndJapaneseWordsStayWhole does the same with · inside of words, runs of katakana, and numbers with
// their counters, before particles, and before Tibetan endings.
func TestFit_chineseAndJapaneseWordsStayWhole(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title string }{
		{"th", "เทศกาลกาแฟและเมล็ด·พันธุ์ท้อง·ถิ่น"},
		{"zh", "如·何在三·个月内把应·用启·动时·间缩·短一·半"},
		{"zh", "为什·么我·们用三·个·月重写了支·付系·统的核·心账·本"},
		{"zh", "每·天6·个·小·时，半·个·世·纪的坚·持"},
		{"zh", "一·座海边小镇如何用·十年·时间把·旧渔·港改成公共图书·馆"},
		{"zh", "上·海地·铁新线·路下·周一正·式开·通"},
		{"zh", "我·们·的第·一台机·械键·盘：从零开·始·的选·购指·南"},
		{"zh", "人·工智·能正·在改·变城·市交·通的未·来"},
		{"zh", "为什·么我·们把渲·染队·列迁·移到 Postgres"},
		{"zh-Hant", "為什·麼我·們把渲·染佇·列遷·移到 Postgres"},
		{"zh-Hant", "台·北捷·運新路·線明·天正·式通·車"},
		{"bo", "བོད་·ཀྱི་སྐད་ཡིག་སྲུང་སྐྱོབ་བྱེད་·པའི་ལས་འགུལ་གསར་·པ།"},
		{"", "ང་·ཚོས་གྲལ་སྒྲིག་རྙིང་·པ་ཅིའི་ཕྱིར་བརྗེས་·པ་·རེད།"},
		{"zh", "第99·百·分位的延·迟只有3.7·毫·秒，内·存为48 GB"},
		{"zh", "2026年10·月14·日，一·切重·新开·始的城·市"},
		{"ja", "2026年10·月14·日、すべてが始まる町"},
		{"ja", "ディ·ー·プ·ラ·ー·ニ·ン·グを使った画·像認·識の基·礎"},
		{"ja", "2026·年·に読み·たい本30·冊·とその理·由"},
		{"ja", "お母·さ·ん·が教·え·る、簡·単レ·シ·ピ10選"},
		{"ja", "小さな台·所·で作る、冬·のス·ー·プ十·二品"},
		{"ja", "東·京・吉祥·寺の喫茶·店·を·めぐる週·末の散·歩"},
	} {
		holds(t, e, c.lang, c.title, "·")
	}
}

// TestFit_dayWithoutAMonth_isNoFault: what is cut off after “de” isn't read.
func TestFit_dayWithoutAMonth_isNoFault(t *testing.T) {
	for _, title := range []string{"El 14 de", "14 de", "de", "de octubre", "El 14 de.", "10월 14"} {
		if b := text.NewEngine().Fit(title, text.Inter.Title(60), text.Box{W: 600}, text.Steps(3, 60)); b.Text() != title {
			t.Errorf("%q is set as %q", title, b.Text())
		}
	}
}

// parts is holds for both marks.
func parts(t *testing.T, e *text.Engine, lang, marked string) {
	t.Helper()
	holds(t, e, lang, marked, "~·")
}

// holds fits a title into boxes of many widths, and fails where a line ends at one of the marks.
func holds(t *testing.T, e *text.Engine, lang, marked, marks string) {
	t.Helper()
	title := strings.ReplaceAll(strings.ReplaceAll(marked, "~", " "), "·", "")
	plain := strings.ReplaceAll(title, " ", "")
	bad := map[int]bool{} // bytes of plain
	at := 0
	for _, r := range marked {
		switch s := string(r); {
		case strings.Contains(marks, s):
			bad[at] = true
		case r != ' ':
			at += len(s)
		}
	}
	st := text.Inter.Title(0)
	st.Lang = lang
	for w := 540.; w <= 1060; w += 40 {
		b := e.Fit(title, st, text.Box{W: w, H: 420}, text.Steps(3, 104, 92, 84, 76).Then(4, 68, 60, 56))
		if b.Truncated {
			t.Errorf("%v px: %q is cut", w, b.Text())
		}
		at := 0
		for _, l := range b.Lines[:len(b.Lines)-1] {
			at += len(strings.ReplaceAll(l.Text, " ", ""))
			if bad[at] {
				t.Errorf("%s, %v px, size %v: a line ends at %q in %q", lang, w, b.SizePx,
					strings.TrimSpace(plain[:at][max(0, at-12):]), linesOf(b))
			}
		}
	}
}

// TestFit_shortTitlesAreEvenOrOneLine checks the lines of short titles: even ones, otherwise one.
func TestFit_shortTitlesAreEvenOrOneLine(t *testing.T) {
	e := text.NewEngine()
	for title, want := range map[string]string{
		"Ship it weekly":          "Ship it|weekly",
		"Is it worth it?":         "Is it worth it?",
		"City Marathon 2027":      "City Marathon 2027",
		"Introducing Lumen 3.2":   "Introducing|Lumen 3.2",
		"Hello":                   "Hello",
		"GRAND OPENING":           "GRAND|OPENING",
		"Release notes":           "Release|notes",
		"About us":                "About us",
		"Pricing that is simple":  "Pricing|that is simple",
		"The art of doing little": "The art|of doing little",
	} {
		b := e.Fit(title, text.Inter.Title(0), text.Box{W: 660, H: 300}, text.Steps(3, 116, 104, 92, 84, 76).Then(4, 68, 64))
		if got := strings.Join(linesOf(b), "|"); got != want {
			t.Errorf("%q at %v px: %s, want %s", title, b.SizePx, got, want)
		}
	}
}

// TestFit_shortTitlesKeepFunctionWordsWithTheNext checks that even lines aren't preferred if one ends in an article or
// a preposition, in columns of several widths.
func TestFit_shortTitlesKeepFunctionWordsWithTheNext(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, title, want string
		w                 float64
	}{
		{"fr", "La maison au bord du lac", "La maison|au bord du lac", 660},
		{"it", "Osteria del Porto", "Osteria|del Porto", 660},
		{"it", "Gli anni della nostalgia", "Gli anni|della nostalgia", 660},
		{"pt", "O Mar Por Dentro", "O Mar|Por Dentro", 660},
		{"pt", "O Mar Por Dentro", "O Mar|Por Dentro", 568},
		{"es", "La casa de los espíritus", "La casa|de los espíritus", 614},
		{"es", "Un lugar en el mundo", "Un lugar|en el mundo", 568},
		{"it", "Intervista alla prof.ssa Di Stefano", "Intervista|alla prof.ssa|Di Stefano", 568},
		{"en", "Ship it weekly", "Ship it|weekly", 660},
		{"de", "Brot backen", "Brot|backen", 460},
		{"de", "Das Meer in uns", "Das Meer|in uns", 614},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := e.Fit(c.title, st, text.Box{W: c.w, H: 300}, text.Steps(3, 116, 104, 92, 84, 76).Then(4, 68, 64))
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%q in %v px at %v: %s, want %s", c.title, c.w, b.SizePx, got, c.want)
		}
	}
}

// TestFit_vietnameseWordsArentParted checks the breaks of Vietnamese titles: their words have two syllables.
func TestFit_vietnameseWordsArentParted(t *testing.T) {
	e := text.NewEngine()
	for _, title := range []string{
		"Vì sao các doanh|nghiệp nhỏ chuyển sang năng|lượng mặt|trời",
		"Hướng|dẫn du|lịch thành|phố Hồ Chí Minh cho người đi lần đầu",
		"Thị|trường Việt|Nam và tương|lai của thương|mại điện|tử",
	} {
		holds(t, e, "vi", strings.ReplaceAll(title, "|", "~"), "~")
	}
}

// TestFit_tooLongTitlesEndWithAClause checks that a title which doesn't fit gets one more line, then ends with a clause
// that has half of it, and only then with “…”.
func TestFit_tooLongTitlesEndWithAClause(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(0)
	st.Lang = "en"
	for _, c := range []struct {
		lines       int
		title, want string
	}{
		{3, "A title of three lines that needs a fourth one to be whole",
			"A title of three lines that needs a fourth one to be whole"},
		{4, "The quiet comeback of the paper notebook in offices: a report from eleven cities on four continents, in numbers",
			"The quiet comeback of the paper notebook in offices"},
		{4, "The quiet comeback of the paper notebook in eleven cities on four continents, with many numbers and interviews",
			"The quiet comeback of the paper notebook in eleven cities…"},
		{4, "Notebooks: the quiet comeback of paper in eleven cities on four continents, with numbers and interviews",
			"Notebooks: the quiet comeback of paper in eleven cities…"},
	} {
		b := e.Fit(c.title, st, text.Box{W: 560, H: 330}, text.Steps(c.lines, 76, 60))
		if got := b.Text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
