package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_phrasesOfArabicAndHindiStayWhole checks that lines end between phrases, at the price of some size or of even
// lines: not at a “~” of a title.
func TestFit_phrasesOfArabicAndHindiStayWhole(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"street", "ar", "بلدية طنجة تغلق شارع~محمد~الخامس أمام~السيارات كل~يوم~أحد ابتداء من~الأسبوع المقبل"},
		{"firm", "ar", "شركة~أرامكو~السعودية توزع أرباحا بقيمة~79.3~مليار~ريال عن~الربع الثالث"},
		{"genitive", "ar", "الأمم~المتحدة: 2.1~مليون~نازح في~دارفور يواجهون خطر~المجاعة مع~اقتراب الشتاء"},
		{"genitive without an article", "ar", "نجيب~محفوظ وأم~كلثوم: حكاية~صداقة لم~تروَ"},
		{"king", "ar", "علماء من~جامعة الملك~عبد~الله يطورون لوحًا~شمسيًا بكفاءة~33.7% يعمل في~حرارة عالية"},
		{"actor", "ar", "مهرجان مراكش السينمائي يكرم النجم~حسين~فهمي والمخرجة~كوثر~بن~هنية في~دورته الجديدة"},
		{"preposition", "ar", "دليل المبتدئين إلى~Docker: من~التثبيت إلى~نشر أول~حاوية على~خادم محلي"},
		{"number", "ar", "مطلوب محاسب~أول (ذكر/أنثى) بخبرة لا~تقل عن~5~سنوات – الرياض"},
		{"last word", "ar", "سامسونج Galaxy~S26~Ultra بسعر~4,999~ريالًا: هل~يستحق~الترقية؟"},
		{"weekday", "ar", "ارتفاع أسعار الذهب اليوم الاثنين~30~نوفمبر: عيار~21 يسجل رقما جديدا"},
		{"verb after a question word", "ar", "رأي: لماذا فشلت المدن~الذكية في~العالم~العربي؟"},
		{"label", "hi", "सुप्रीम~कोर्ट ने चुनाव~आयोग~से~पूछा: 65~लाख मतदाताओं~के नाम सूची~से क्यों हटाए गए"},
		{"comma", "hi", "विराट~कोहली~का 53वां~वनडे~शतक, भारत~ने दक्षिण~अफ़्रीका को 17~रन~से हराया"},
		{"question", "hi", "पीएम किसान योजना~की 22वीं~किस्त कब~आएगी? ऐसे चेक~करें अपना~नाम"},
		{"price", "hi", "नया फ़ोन भारत~में~लॉन्च: 6,500mAh~बैटरी, 200MP~कैमरा, कीमत~₹29,999~से~शुरू"},
		{"mission", "hi", "इसरो~ने गगनयान~के मानवरहित मिशन~G1~की तारीख़ बताई, व्योममित्र होगी सवार"},
		{"possessive", "hi", "नज़रिया: हमारे~शहरों~में पैदल चलने~की जगह किसने छीन~ली?"},
		{"last verb of a clause", "hi", "उत्तर~प्रदेश पुलिस भर्ती~2026: 32,679~पदों~पर आवेदन शुरू, अंतिम~तिथि 15~जनवरी"},
		{"adjective", "hi", "सरकार~ने विदेश~से आने वाले सामान~पर 25~प्रतिशत अतिरिक्त~शुल्क हटाने का एलान~किया"},
		{"age", "hi", "गली~में मिला 90~साल~पुराना कुआं, सफ़ाई~के~बाद फिर निकला पानी"},
		{"grade in quotes", "hi", "दिल्ली~में वायु प्रदूषण ‘गंभीर’~श्रेणी~में, AQI~438 पार; पांचवीं~तक के~स्कूल बंद"},
		{"postposition after quotes", "hi", "मुंशी~प्रेमचंद~की कहानी ‘ईदगाह’~की पूरी~कहानी आज~भी रुलाती~है"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { holds(t, e, c.lang, c.title, "~") })
	}
}

// TestFit_linesOfArabicAndHindi checks the lines of titles whose even ones would part phrases.
func TestFit_linesOfArabicAndHindi(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct {
		lang, want string
		w          float64
		ladder     text.Ladder
	}{
		{"hi", "घर पर बनाएं|पनीर बटर मसाला,|सिर्फ़ 30 मिनट में", 700, text.Steps(3, 104, 92, 84, 76)},
		{"hi", "डॉ. मनमोहन सिंह|और उनका समय:|एक अर्थशास्त्री|प्रधानमंत्री की विरासत", 700, text.Steps(3, 92).Then(4, 76, 68)},
		{"ar", "شركة أرامكو السعودية|توزع أرباحًا|بقيمة 79.3 مليار ريال|عن الربع الثالث", 760, text.Steps(4, 76, 68, 60)},
		{"ar", "نجيب محفوظ|وأم كلثوم:|حكاية صداقة لم تروَ", 700, text.Steps(3, 84, 76)},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := e.Fit(strings.ReplaceAll(c.want, "|", " "), st, text.Box{W: c.w, H: 500}, c.ladder)
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%v px: %s, want %s", b.SizePx, got, c.want)
		}
	}
}
