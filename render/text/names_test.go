package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_namesOfPersonsStayWhole checks names of Arabic, Hindi and Thai, which have no capitals: that of given names
// and surnames, after what a person is, and in Thai after a title or of letters that are in no word.
func TestFit_namesOfPersonsStayWhole(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"given name", "ar", "مهرجان مراكش السينمائي يكرم النجم حسين~فهمي في دورته الجديدة"},
		{"given name with a prefix", "ar", "المحكمة ترفض الطعن المقدم من الوزارة وتبرئ الصحفي وخالد~الهاشمي معا"},
		{"office with an adjective", "ar", "لقاء موسع بين الوزيرة والممثلة الأمريكية كيت~بلانشيت حول السلام"},
		{"after servant of", "ar", "القاهرة تستضيف قمة جديدة بحضور الرئيس عبد~الفتاح~السيسي ورؤساء الدول"},
		{"surname", "hi", "संसद में सत्ता पक्ष और विपक्ष के नेता राहुल~गांधी के बीच तीखी बहस"},
		{"office", "hi", "तीन दिन की यात्रा पर आए राष्ट्रपति इमैनुएल~मैक्रों ने ताजमहल देखा"},
		{"given name", "hi", "टेस्ट टीम का एलान, चोट से लौटे ऋषभ~पंत और नए कप्तान"},
		{"letters in no word", "th", "ชนาธิป~สรงกระสินธ์ ยิงชัยนาทีสุดท้าย พาทีมเฉือนเวียดนาม"},
		{"letters in no word", "th", "เปิดประวัติ ลลิษา~มโนบาล จากเด็กบุรีรัมย์สู่ศิลปินระดับโลก"},
		{"title", "th", "คุยกับ นพ.สุ·ภัทร ฮา·สุวรรณ·กิจ แพทย์ชนบทแห่งชายแดนใต้เรื่องสาธารณสุข"},
		{"title", "th", "นายอนุ·ทิน~ชาญ·วีร·กูล นายกรัฐมนตรี ลงพื้นที่น้ำท่วมหาดใหญ่"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { parts(t, e, c.lang, c.title) })
	}
}

// TestFit_wholesOfArabicHindiAndThai does the same with other words of headlines, and Latin names among them.
func TestFit_wholesOfArabicHindiAndThai(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"term", "ar", "محكمة النقض ترفض طعن رجل~الأعمال الشهير في قضية الآثار"},
		{"Latin name", "ar", "سامسونج Galaxy~S26~Ultra بسعر 4,999~ريالًا: هل يستحق الترقية؟"},
		{"word before a number", "ar", "أسعار الذهب اليوم في مصر: سجل عيار~21 ارتفاعا جديدا"},
		{"term", "hi", "भारत ने दूसरे मैच में दक्षिण~अफ़्रीका को 17 रन से हराया"},
		{"term", "hi", "मतदाता सूची पर सुप्रीम~कोर्ट ने चुनाव~आयोग से जवाब मांगा"},
		{"number, unit and noun", "hi", "नया फ़ोन लॉन्च: 6,500mAh~बैटरी और 200MP~कैमरा, जानें कीमत"},
		{"year before a colon", "hi", "उत्तर प्रदेश की पुलिस भर्ती~2026: 32,679 पदों पर आवेदन शुरू"},
		{"postposition", "hi", "हवा की गुणवत्ता बेहद ख़राब, आज सूचकांक 438~पार; स्कूल बंद"},
		{"postposition after Latin letters", "hi", "इसरो ने गगनयान के मानवरहित मिशन G1~की तारीख़ बताई, व्योममित्र होगी सवार"},
		{"silent letter", "th", "ทีมชาติไทยเรียกตัว สรงกระสิน·ธ์ กลับมาติดทีมชุดใหญ่อีกครั้ง"},
		{"compounds", "th", "เทศกาลดนตรีฤดู·หนาวกลับมาอีกครั้งปี·หน้า พร้อมตั้ง·ค่าระบบจองใหม่"},
		{"adjective", "th", "นักวิจัยไทยพบดาวเคราะห์นอกระบบดวง·ใหม่ที่ห่างจากโลก 129 ปีแสง"},
		{"ordinal", "th", "ทีมชาติไทยตามหลังตั้งแต่นาที·ที่~12 ก่อนจะกลับมาเอาชนะได้"},
		{"date", "th", "ศาลรัฐธรรมนูญนัดวินิจฉัยคดีสำคัญ 15~ธ.ค.นี้ ด้านทนายยื่นพยานเพิ่ม"},
		{"phase", "th", "ครม. ไฟเขียวโครงการคนละ·ครึ่ง เฟส~2 วงเงินกว่า 44,000 ล้านบาท"},
		{"the Great", "th", "สมเด็จพระนเรศวรมหา·ราชกับสงคราม: ประวัติศาสตร์ที่ควรรู้"},
		{"the Great after a name", "th", "พระราชประวัติของพระเจ้าตากสิน·มหาราชฉบับเยาวชนไทย"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { parts(t, e, c.lang, c.title) })
	}
}

// TestFit_thaiLinesEndAtSpaces checks that lines end between phrases rather than beside a space.
func TestFit_thaiLinesEndAtSpaces(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	parts(t, e, "th", "กรมอุตุฯ เตือนฝนตกหนักมาก คลื่นลมแรง เรือ·เล็กควรงดออกจากฝั่ง")
	parts(t, e, "th", "สูตรต้มยำกุ้งน้ำ·ข้น รสจัดจ้าน ทำ·ง่ายใน 20~นาที")
}

// TestFirstClause_saysSomethingWholeInArabic checks that a description isn't cut after what a sentence begins with.
func TestFirstClause_saysSomethingWholeInArabic(t *testing.T) {
	t.Parallel()
	const s = "في الذكرى الرابعة والخمسين لاغتياله، تتحدث ليلى عن أب كان يرسم لها قبل النوم، ويكتب حتى الفجر."
	if got := text.FirstClause(s, "ar", 60); got != "" {
		t.Errorf("%q", got)
	}
}

// TestFirstClause_keepsRangesWhole checks that a description isn't cut at the dash between two dates.
func TestFirstClause_keepsRangesWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, s, want string }{
		{"th", "พบกับ 320 สำนักพิมพ์ที่ศูนย์ประชุม 26 มีนาคม – 6 เมษายน 2570 เข้าฟรีทุกวัน", ""},
		{"en", "At the old harbor from 26 March – 6 April, free for everybody – bring a friend",
			"At the old harbor from 26 March – 6 April, free for everybody…"},
	} {
		if got := text.FirstClause(c.s, c.lang, 62); got != c.want {
			t.Errorf("%s: %q, want %q", c.lang, got, c.want)
		}
	}
}

// TestFit_cutsDontEndInsideNames cuts titles of many widths after a given name or a number in words.
func TestFit_cutsDontEndInsideNames(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ lang, title, never string }{
		{"ar", "مهرجان مراكش السينمائي يكرم الممثلة الأمريكية جودي فوستر", "جودي…"},
		{"ar", "مهرجان مراكش السينمائي يكرم المخرجة والممثلة جودي فوستر", "والممثلة…"},
		{"ar", "محكمة النقض تؤيد سجنه خمس سنوات في قضية الآثار", "خمس…"},
		{"hi", "संसद में नरेंद्र मोदी और राहुल गांधी के बीच तीखी बहस", "राहुल…"},
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

// TestFit_arabicDotsKeepClearOfTheNextLine checks the distance between the ink of lines: dots below a letter that are
// near the next line are read as those of its letters.
func TestFit_arabicDotsKeepClearOfTheNextLine(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang, st.LineHeight = "ar", 1.02
	for _, px := range []float64{84, 100, 124} {
		b := text.NewEngine().Fit("نجيب محفوظ في حكاية صداقة لم تروَ عن البيت خلال الصيف", st,
			text.Box{W: 8 * px}, text.Steps(6, px))
		for i := 1; i < len(b.Lines); i++ {
			if gap := b.LeastGap(i); gap < .26*b.SizePx-.1 {
				t.Errorf("%v px: %.1f px above line %d of %q", px, gap, i, linesOf(b))
			}
		}
	}
}
