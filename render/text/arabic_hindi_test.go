package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_linesOfArabicAndHindiKeepPhrases checks that no line ends at a “~” of a title.
func TestFit_linesOfArabicAndHindiKeepPhrases(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"particle after and", "ar", "أسعار الوقود ترتفع للمرة الثالثة ولا~نية للحكومة في دعمها"},
		{"particle with a mark", "ar", "مدينة بلا أرصفة تقول لسكّانها كل صباح إنّ~مكانهم الوحيد المحترم خلف المقود"},
		{"particle with a mark", "ar", "مدينة تقول لسكّانها كل صباح لكنّ~مكانهم الوحيد خلف المقود"},
		{"without", "ar", "كيف نعيش في بيوت كبيرة بلا~جيران ولا حدائق"},
		{"genitive after a preposition", "ar", "كتاب جديد عن تاريخ~القهوة في بلاد الشام"},
		{"genitive after a preposition", "ar", "خبز ساخن من فرن~الحارة القديمة كل صباح"},
		{"action and its object", "ar", "نَسَق: أداة سطر أوامر لتوحيد~الهمزات والتشكيل"},
		{"action like a verb", "ar", "المجلس يقرّ 42 مليون دينار لتجديد شبكة تصريف~الأمطار والمعارضة تتحفّظ على الجدول"},
		{"before to do", "ar", "نَسَق: أداة~سطر~أوامر لتوحيد الهمزات والتشكيل"},
		{"brand and model", "ar", "مكيّف سبليت «نسائم»~NX-24i إنفرتر، ٢٤٬٠٠٠~وحدة"},
		{"grade", "ar", "نقص فيتامين~D ونقص الحديد عند الأطفال"},
		{"before brackets", "ar", "وظيفة شاغرة: محرر~محتوى (دوام~جزئي) في قسم الأخبار"},
		{"adjective after a number", "hi", "मानसून में छत पर सब्ज़ी उगाने~वालों~की 7~आम~ग़लतियाँ और उनके सीधे उपाय"},
		{"suffix", "hi", "सुबह जल्दी उठने~वालों~की आदतें और उनके फ़ायदे"},
		{"noun and to do", "hi", "दिल्ली मेट्रो में सफ़र~करने~वालों~के लिए बड़ी ख़बर, किराया बढ़ा"},
		{"who speaks", "hi", "व्यापारी संघ के रमेश~पोरवाल बोले— दस दिन और चढ़ेंगे दाम"},
		{"who talks", "hi", "ख़ाली गाँवों में लौटते लोग — गरिमा~धस्माना के~साथ बातचीत"},
		{"brackets", "hi", "पवनिका BL-1200 सीलिंग फ़ैन (1200~मिमी,~28 वाट)"},
		{"before brackets", "hi", "पवनिका BL-1200 सीलिंग~फ़ैन (1200 मिमी, 28 वाट)"},
		{"before brackets", "hi", "टाटा का नया इलेक्ट्रिक~स्कूटर (150 किमी, 75 हज़ार)"},
		{"word in -ing", "hi", "घर में लगाएँ सीलिंग~फ़ैन और बचाएँ बिजली का ख़र्च"},
		{"adjective by its ending", "hi", "नदी के जल का तुलनात्मक~अध्ययन और उसके नतीजे"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { holds(t, e, c.lang, c.title, "~") })
	}
}

// TestFit_linesOfArabicBeginWithParticles checks that a line ends before “and not” rather than before a noun.
func TestFit_linesOfArabicBeginWithParticles(t *testing.T) {
	t.Parallel()
	const want = "لا أعترض على المبلغ، بل على خطة|تَعِدُ بإنهاء سبعة أحياء في أربعة أشهر|ولم تُنهِ حيًّا واحدًا في سنتين."
	st := text.Inter.Title(0)
	st.Lang = "ar"
	b := text.NewEngine().Fit(strings.ReplaceAll(want, "|", " "), st, text.Box{W: 1056, H: 400},
		text.Steps(3, 104, 92, 84, 76).Then(4, 66, 56, 48))
	if got := strings.Join(linesOf(b), "|"); got != want {
		t.Errorf("%v px: %s, want %s", b.SizePx, got, want)
	}
}

// TestFirstClause_endsInNoTitleOfHindi checks that a description doesn't end with the abbreviation before a name.
func TestFirstClause_endsInNoTitleOfHindi(t *testing.T) {
	t.Parallel()
	const s = "शरीर की जैविक घड़ी, देर रात का खाना और नींद पर बोलेंगी डॉ. शैलजा देशमुख, शाम सात बजे से।"
	for most := 30; most < 80; most++ {
		if got := text.FirstClause(s, "hi", most); strings.HasSuffix(got, "डॉ.") {
			t.Errorf("%d: %q", most, got)
		}
	}
}

// TestWrap_cutsOfArabicDontEndInParticles cuts a text: not after a particle with a mark or after “and”.
func TestWrap_cutsOfArabicDontEndInParticles(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	st := text.Inter.Title(48)
	st.Lang = "ar"
	for w := 300.; w < 1100; w += 20 {
		b := e.Wrap("مراجعة سماعات جديدة لكنّ سعرها مرتفع ولم تصل إلى الأسواق العربية بعد", st, w, 1)
		for _, never := range [...]string{"لكنّ…", "ولم…"} {
			if strings.HasSuffix(b.Text(), never) {
				t.Errorf("%v px: %q", w, b.Text())
			}
		}
	}
}
