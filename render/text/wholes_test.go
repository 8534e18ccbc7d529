package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// or a · (no space), in boxes of many widths.
func TestFit_wholesOfHeadlines(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"unit", "fr", "Le parquet requiert une amende de 1,125~M€ contre le cimentier"},
		{"unit", "es", "El móvil más barato con una cámara de 200~Mpx que probamos"},
		{"street and number", "pl", "Mieszkanie na sprzedaż, ul.~Grzybowska~61, z balkonem"},
		{"sign and number", "ru", "Письмо ФНС №~БС-4-11/123 о вычетах для семей с детьми"},
		{"abbreviation", "ru", "Срочно требуется водитель кат.~С на междугородние рейсы"},
		{"abbreviation", "pl", "Remont mostu potrwa ok.~90~dni i utrudni ruch w centrum"},
		{"magnitude", "pl", "Programista(-ka) Java/Kotlin, 18–24~tys. zł netto + VAT"},
		{"word of one letter", "ru", "Борщ с~пампушками: рецепт от шеф-повара на 6~порций"},
		{"article of a name", "es", "Una semana de lluvia en A~Coruña y toda la costa gallega"},
		{"title and name", "en", "A long talk with Dame~Judi about sixty years of theatre"},
		{"Arabic name", "ar",
			"مدرب ريال~مدريد يكشف سر الفوز الكبير"},
		{"Arabic term", "ar",
			"كيف يغير الذكاء~الاصطناعي عمل الأطباء في المدينة"},
		{"Arabic year", "ar",
			"أفضل الكتب العربية التي صدرت في عام~2026 حسب القرا" +
				"ء"},
		{"Thai abbreviation and number", "th",
			"วิธียื่นภาษีเงินได้ด้วยแบบ ภ.ง." +
				"ด.~90 แบบง่าย ๆ"},
		{"Thai word", "th",
			"ทำไมแมวถึงชอบนอนบนแป้น·พิมพ์ข" +
				"องเรา"},
		{"Thai word", "th",
			"ทุกเรื่องเกี่ยว·กับการเดินทาง" +
				"ด้วยรถไฟ"},
		{"Thai word", "th",
			"วิธีทำอาหารแบบที·ละขั้นตอนที่" +
				"บ้าน"},
		{"Korean model", "ko", "새로 나온 현대차 아이오닉~9 시승기와 가격 정보"},
		{"Korean office", "ko",
			"이재명 대통령, 다카이치~총리와 정상회담… 반도체 공급망 협력 " +
				"합의"},
		{"Chinese word with a particle", "zh-Hans",
			"三角钢琴与立式钢琴有什么区别？购买前必须了·解的八个问题"},
		{"Chinese word", "zh-Hans",
			"国家统计局：11月居民消费价格同·比上涨0.7%，猪肉价格下降15%"},
		{"Chinese word", "zh-Hans",
			"杭州西湖一日·游攻略：断桥残雪、雷峰塔、龙井村路线推荐"},
		{"Chinese number", "zh-Hans", "红烧肉怎么做才肥而不腻？记住这·3个步骤，30分钟上桌"},
		{"Chinese number", "zh-Hans", "敦煌研究院发布数字藏经洞，六万余·件文物可在线浏览"},
		{"Chinese words of three and four", "zh-Hans", "羽·毛·球和乒·乓·球场馆周末向市民开放，预约方式看这里"},
		{"Chinese words of three and four", "zh-Hans", "为·什·么年·轻·人重新走进博·物·馆和图·书·馆"},
		{"Chinese words of three and four", "zh-Hant", "為·什·麼年·輕·人重新走進博·物·館和圖·書·館"},
		{"Chinese words of three and four", "zh-Hant", "旅行社推出高·速·公·路沿線美食地圖，自·行·車道也在其中"},
		{"Chinese verb and preposition", "zh-Hans", "下雨天适合待·在家里读的十本关于旅行的书"},
		{"Chinese adverb", "zh-Hans", "老城改造之后居民仍·可在原址经营小店，租金三年不变"},
		{"Chinese start", "zh-Hans", "新规定自2026年1月1日·起施行，灵活就业人员同样适用"},
		{"Chinese name and letters", "zh-Hans", "新任总裁加盟智·谱·AI，首批客户来自金融与制造业"},
		{"Japanese compound", "ja", "今年もふるさと·納税の締め切りが近づく年末の家計を見直す"},
		{"Korean homes", "ko", "정부, 수도권에 앞으로 다섯 해 동안 135만~호 공급하기로 했다"},
		{"Korean time", "ko", "올해 개막작 예매는 다음 주 화요일 오후~2시부터 시작된다"},
		{"Korean can", "ko", "급여를 올려도 쓸~수~없다면 그림의 떡이라는 현장의 목소리"},
		{"Korean word of one syllable", "ko", "가을 영화제, 새로운 감독의 작품으로 막~오른다는 소식에 들썩"},
		{"Chinese unit", "zh-Hans", "新的高铁提速至每小时400公里·/·小时以上"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { parts(t, e, c.lang, c.title) })
	}
}

// TestFit_oneShortWordIsOneLine checks that a title of one word isn't parted for its size.
func TestFit_oneShortWordIsOneLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, title string }{
		{"zh-Hans", "关于我们"}, {"ja", "会社概要"}, {"de", "Öffnungszeiten"}, {"th", "ติดต่อเรา"}, {"th", "ข้าวซอยไก่"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		for w := 480.; w <= 900; w += 60 {
			ladder := text.Steps(3, 148, 132, 116, 104, 92, 84, 76, 68, 60)
			b := text.NewEngine().Fit(c.title, st, text.Box{W: w, H: 420}, ladder)
			if len(b.Lines) != 1 {
				t.Errorf("%v px: %q", w, linesOf(b))
			}
		}
	}
}

// TestFit_germanCompoundsAreHyphenatedAtTheirSeams checks where a compound of three words is parted.
func TestFit_germanCompoundsAreHyphenatedAtTheirSeams(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang = "de"
	box := text.Box{W: 760, H: 480}
	b := text.NewEngine().Fit("Arbeitnehmerüberlassungsgesetz einfach erklärt", st, box, text.Steps(4, 116, 104, 96))
	if b.Lines[0].Text != "Arbeitnehmer-" || b.Lines[1].Text != "überlassungs-" {
		t.Errorf("%q", linesOf(b))
	}
}

// TestFit_firstLineIsNoStair checks that a title whose first line would be a lone short word is a little smaller.
func TestFit_firstLineIsNoStair(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang = "en"
	const title = "What J.R.R. Tolkien and C.S. Lewis really thought of each other’s books"
	for w := 820.; w <= 880; w += 20 {
		b := text.NewEngine().Fit(title, st, text.Box{W: w, H: 500}, text.Steps(5, 140, 128, 112, 100, 96, 88, 80))
		if b.Lines[0].Text == "What" {
			t.Errorf("%v px: %q", w, linesOf(b))
		}
	}
}

// TestFirstClause_saysSomethingWhole checks what a cut description ends with.
func TestFirstClause_saysSomethingWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, in, want string }{
		{"en", "The actor talks about failing eyesight, friendship, and why she still learns sonnets.",
			"The actor talks about failing eyesight…"},
		{"en", "Short answer: it depends on the tabs. Long answer: it depends on how many tabs you keep open.",
			"Short answer: it depends on the tabs."},
		{"en", "Despite progress on the lunar lander, officials said on Tuesday that there was none.", ""},
		{"de", "Obwohl der Sommer sehr verregnet war, kamen mehr Menschen als je zuvor in die Stadt.", ""},
		{"pl", "Rata kredytu na dom spadnie o ok. 66 zł miesięcznie, a od stycznia o 90 zł.",
			"Rata kredytu na dom spadnie o ok. 66 zł miesięcznie…"},
		{"pl", "Pociąg jedzie ponad 2 godz. 47 min i staje na każdej stacji w górach po drodze.", ""},
		{"ru", "Едем на поезде до моря (37 мин, 118 руб.), гуляем по старому городу и обедаем.", ""},
		{"es", "El informe, publicado en la revista The Lancet, analiza datos de doscientos países.", ""},
		{"pl", "Rozmawiamy o języku urzędów i o tym, dlaczego tak często nie rozumiemy pism z urzędu.", ""},
		{"en", "A reader’s guide to the 230-page opinion, with the five passages that matter most.",
			"A reader’s guide to the 230-page opinion…"},
		{"en", "The parade steps off at 11 a.m. on Wednesday, March 17, from 44th Street and Fifth Avenue.", ""},
		{"fr", "Deux démonte-pneus, une pompe et un peu de patience : le guide pas à pas, en images.",
			"Deux démonte-pneus, une pompe et un peu de patience…"},
		{"pl", "Radni przegłosowali zakaz sprzedaży alkoholu od 22 do 6, ale bulwary zostały z niego wyłączone.",
			"Radni przegłosowali zakaz sprzedaży alkoholu od 22 do 6…"},
		{"pl", "Pismo o literaturze, które ukazuje się w Łodzi od 1956 r. Numer 4 już w księgarniach.",
			"Pismo o literaturze, które ukazuje się w Łodzi od 1956 r."},
		{"zh", "客服热线 400-810-1234 每个工作日的营业时间为 9:00—18:00 请提前预约我们的服务人员",
			""},
	} {
		if got := text.FirstClause(c.in, c.lang, 60); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// TestWrap_cutDescriptionKeepsNumbersWithTheirUnits checks the lines of one that ends in “…”.
func TestWrap_cutDescriptionKeepsNumbersWithTheirUnits(t *testing.T) {
	t.Parallel()
	st := text.Inter.Text(28, 400)
	st.Lang, st.Balance = "en", true
	const s = "It cleans very well. It is also 4.6 kg, loud, and takes 3½ hours to charge at home."
	for w := 400.; w <= 520; w += 10 {
		for _, l := range text.NewEngine().Wrap(s, st, w, 2).Lines {
			if len(l.Text) > 3 && l.Text[len(l.Text)-3:] == "4.6" {
				t.Errorf("%v px: a line is %q", w, l.Text)
			}
		}
	}
}

// TestFitDescription_endsWhereItPartsNothing checks that a description ends with “…” rather than with a clause whose
// lines part a number and its unit.
func TestFitDescription_endsWhereItPartsNothing(t *testing.T) {
	t.Parallel()
	st := text.Inter.Text(28, 400)
	st.Lang = "es"
	const s = "Aviso rojo por rachas de 140 km/h en la costa de A Coruña; 62 centros educativos suspenden las clases."
	for w := 360.; w <= 520; w += 10 {
		for _, l := range linesOf(text.NewEngine().FitDescription(s, "Temporal: Galicia", st, w, 2)) {
			if strings.HasSuffix(l, " 140") || strings.HasSuffix(l, " A") {
				t.Errorf("%v px: a line is %q", w, l)
			}
		}
	}
}
