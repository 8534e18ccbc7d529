package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_wordsOfArabicHindiAndPortugueseStayTogether does as TestFit_wordsThatBelongTogetherStayTogether.
func TestFit_wordsOfArabicHindiAndPortugueseStayTogether(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title string }{
		{"ar", "كيف بنت سارة عبد~الله شركة ناشئة من غرفة نومها"},
		{"ar", "وفاة الفنان القدير عبد~الحليم شوقي بعد صراع طويل"},
		{"ar", "حوار مع الكاتبة ماريا أبو~رزق عن المدن القديمة"},
		{"ar", "زيارة الأمير محمد~بن~سلمان إلى العاصمة الجديدة"},
		{"ar", "محرك جديد للتخزين وبدعم كامل لـ~WebAssembly هذا العام"},
		{"ar", "شركة ناشئة بقيمة 30~مليون~دولار من غرفة صغيرة"},
		{"ar", "تعود المسابقة في نسختها الخامسة وجوائزها 100~ألف~درهم"},
		{"ar", "مقارنة شاملة بين أقوى هاتفين Galaxy~S26 و iPhone"},
		{"ar", "سبع نصائح لنوم أفضل في شهر~رمضان لكل الصائمين"},
		{"ar", "رواية ليوسف زيدان بعد خمسة~عشر عامًا من صدورها"},
		{"ar", "قطار الرياض: ستة خطوط و85~محطة وأطول مترو"},
		{"ar", "تحديث iOS~20 يصل إلى أجهزة iPhone يوم 15~سبتمبر"},
		{"hi", "उत्सव में 19~जनवरी को लेखकों से मिलिए"},
		{"hi", "एक फ़िल्म बनाइए, 5~लाख~रुपये जीतिए"},
		{"hi", "भारत की पारी में 6~विकेट पर 412~रन बने"},
		{"hi", "कलाम के 10~विचार जो रास्ता दिखाते हैं"},
		{"hi", "हिन्दी और तमिल के~लिए पूरी गाइड, उदाहरण"},
		{"hi", "इस साल Pixel~11 का कैमरा कितना बदल गया"},
		{"pt", "Como ela levantou R$~30~milhões sem sair da Bahia"},
		{"pt", "Concurso chega à 5ª~edição com R$~100~mil em prêmios"},
		{"pt", "O Cerrado perde 5,2~mil~km² e vira a nova fronteira"},
		{"pt", "O que muda com a Lei nº~14.905 no contrato de aluguel"},
		{"pt", "Comparamos a câmera do Galaxy~S26 por vinte e um dias"},
	} {
		holds(t, e, c.lang, c.title, "~")
	}
}

// TestFit_linesDontBeginWithPostpositions checks titles of Hindi: a postposition ends a line, even before a number.
func TestFit_linesDontBeginWithPostpositions(t *testing.T) {
	e := text.NewEngine()
	for _, title := range []string{
		"देश~के 50 करोड़ घरों~में सौर ऊर्जा~की योजना",
		"गाँव~की बेटी~से IPS अफ़सर~तक किरण यादव",
	} {
		holds(t, e, "hi", title, "~")
	}
	st := text.Inter.Title(0)
	st.Lang = "hi"
	for _, w := range [...]float64{540, 720} {
		b := e.Fit("किसानों को 2 लाख रुपये तक का क़र्ज़ माफ़", st, text.Box{W: w, H: 500}, text.Steps(6, 76))
		for _, l := range b.Lines {
			if strings.HasPrefix(l.Text, "को") {
				t.Errorf("%v px: a line is %q", w, l.Text)
			}
		}
	}
}

// TestFit_arabicParticlesLeanOnTheNext checks that a line doesn't end in a negation or a conjunction.
func TestFit_arabicParticlesLeanOnTheNext(t *testing.T) {
	const title = "عن المدن التي لا~تنام، وعن الذين لا~ينامون فيها"
	holds(t, text.NewEngine(), "ar", title, "~")
}

// TestWrap_cutsDontEndInWhatLeadsOn cuts texts: not after a currency, a prefix or a postposition.
func TestWrap_cutsDontEndInWhatLeadsOn(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title, never string }{
		{"pt", "Como Joice Santana levantou R$ 30 milhões sem sair da Bahia", "R$…"},
		{"ar", "أسرع بمرتين وبدعم كامل لـ WebAssembly في كل المتصفحات", "لـ…"},
		{"hi", "जलवायु और हिमालय के ग्लेशियर", "के…"},
	} {
		st := text.Inter.Title(48)
		st.Lang = c.lang
		for w := 300.; w < 1100; w += 20 {
			if b := e.Wrap(c.title, st, w, 1); strings.HasSuffix(b.Text(), c.never) {
				t.Errorf("%v px: %q", w, b.Text())
			}
		}
	}
}

func TestFirstClause_endsNeitherInAConjunctionNorInAList(t *testing.T) {
	for s, want := range map[string]string{
		"Guia prático para iniciantes: instalação e, no fim, o resto": "Guia prático para iniciantes…",
		"Individual de Rosana Palazyan: bordados, colagens":           "Individual de Rosana Palazyan…",
		"Como se pode começar do zero, errar e seguir, de novo":       "Como se pode começar do zero, errar e seguir…",
		"What we saw in a year: it works as planned, and it is fast":  "What we saw in a year: it works as planned…",
	} {
		if got := text.FirstClause(s, "", 60); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
