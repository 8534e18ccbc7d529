package text

import (
	"strings"
	"unicode"
)

// Names of persons in Arabic and Hindi, which have no capitals. A name is found by its first word, by what the person
// is, or in Hindi by its last word.
var (
	// arabicGiven are given names that are rarely other words, and surnames that begin like verbs.
	arabicGiven = wordSet(`أحمد أسامة أشرف أكرم أمجد أمينة أنس أنور أيمن إبراهيم إسراء إسلام إسماعيل إلهام إلياس إيمان
		إيهاب باسم بدر بشار بشير بلال تامر توفيق ثامر جابر جاسم جعفر جلال جمال جمانة جهاد جورج جوزيف حاتم حازم حامد حبيب
		حسام حسن حسني حسين حكيم حمدان حمدي حمزة حميد حنان حيدر خالد خديجة خليل داليا داود ديانا رامي رانيا راشد
		رجب رضوان رمزي رنا روان رياض ريم زكريا زكي زياد زيد زين زينب سارة سامح سامي سحر سعاد سعود سلطان سلمان سليم سليمان
		سمر سمير سميرة سهى سوسن سيف شادي شريف شهاب شيرين صالح صباح صلاح ضياء طارق طاهر طلال عائشة عادل عاصم عباس عثمان
		عدنان عزت عزيز عصام علاء علي عماد عمار عمر عمرو غادة غازي غسان فارس فاروق فاطمة فخري فريد فهد فؤاد فيصل قاسم كاظم
		كريم كمال كوثر لطفي لمى لينا ليلى ماجد ماهر مارك مايكل مجدي محسن محمد محمود مراد مروان مروة مريم مصطفى معاذ معتز
		منصور منى منير مها مهند موسى مي ميسون نادر نادية ناصر نبيل نجلاء نجيب نزار نهى نوال نورا هاني هبة هدى هشام هند
		هيثم هيفاء وائل وسام وسيم وفاء وليد ياسر ياسمين ياسين يحيى يوسف يونس
		إيلون جو جودي جون جيمس دونالد ديفيد روبرت فلاديمير كيم كريستيانو كيليان ليونيل
		تبون ترامب تميم`)
	// arabicHonorifics precede a name at once.
	arabicHonorifics = wordSet(`الأستاذ الأستاذة الأمير الأميرة الدكتور الدكتورة السيد السيدة الشيخ الملك الملكة المهندس
		المهندسة`)
	// arabicPersons are what a person is. The name follows, perhaps after words with an article: the French president …
	arabicPersons = wordSet(`الدكتور الدكتورة البروفيسور المهندس المهندسة الشيخ السيد السيدة الأستاذ الأستاذة
		الأمير الأميرة الباحث الباحثة الجنرال الرئيس الروائي الروائية الزعيم السفير السفيرة الشاعر الشاعرة الصحفي الصحفية
		العقيد الفنان الفنانة القاضي القاضية القائد الكاتب الكاتبة اللاعب اللاعبة اللواء المحامي المحامية المخرج المخرجة
		المدرب المطرب المطربة الملك الملكة الممثل الممثلة النائب النائبة النجم النجمة الوزير الوزيرة الإعلامي الإعلامية
		أمير رئيس رئيسة زعيم قائد مدرب مدير مديرة مهاجم نجم وزير وزيرة نظيره نظيرها`)
	// hindiPersons are what a person is, before the name.
	hindiPersons = wordSet(`श्री श्रीमती सुश्री अध्यक्ष अभिनेता अभिनेत्री कप्तान कवि कवयित्री कोच क्रिकेटर
		गायक गायिका गृहमंत्री चेयरमैन जस्टिस डॉक्टर निर्देशक नेता न्यायमूर्ति पंडित पीएम प्रधानमंत्री
		प्रोफ़ेसर प्रोफेसर मंत्री महात्मा मुख्यमंत्री राजा राज्यपाल राष्ट्रपति लेखक लेखिका विधायक संत सर
		सांसद सीएम स्वामी`)
	// hindiGiven are given names, also foreign ones.
	hindiGiven = wordSet(`अखिलेश अजय अनिल अनुष्का अमित अमिताभ अरविंद अर्जुन आमिर आलिया इंदिरा एलन ऐश्वर्या
		करण करीना कुलदीप कैटरीना गौतम जवाहरलाल जसप्रीत जॉन जो टॉम डेविड डोनाल्ड तेजस्वी दीपिका
		देवेंद्र नरेंद्र नीतीश नीरज पीयूष प्रियंका बिल भगत भूपेंद्र ममता मनमोहन महेंद्र मार्क मुंशी
		मोहम्मद यशस्वी योगी रजनीकांत रणबीर रणवीर रतन राजनाथ राजीव रामनाथ राहुल ऋतिक ऋषभ रोहित लता लियोनेल
		विक्की विराट व्लादिमीर शाहरुख़ शाहरुख शिवराज शी शुभमन श्रेयस संजय सचिन सलमान सुनील सुभाष सोनिया
		स्मृति हार्दिक हेमंत`)
	// hindiSurnames are surnames that are no other words.
	hindiSurnames = wordSet(`अंबानी अखौरी अग्रवाल अडानी अय्यर अरोड़ा आर्या कपूर कुमार कुमारी केजरीवाल कोहली ख़ान खान
		खन्ना खरगे गंभीर गडकरी गांधी गुप्ता गोयल गौड़ घोष चतुर्वेदी चौधरी चौहान चोपड़ा जयशंकर जायसवाल जैन जोशी झा
		टंडन टाटा ट्रंप ठाकुर ठाकरे डोभाल तिवारी तेंदुलकर त्रिपाठी त्रिवेदी दत्त दास दुबे देशमुख द्विवेदी
		धोनी नायडू नायर नारायणन नेगी नेहरू पंड्या पटेल पांडेय पांडे पाटिल पाठक पुतिन फडणवीस बच्चन बनर्जी
		बाइडन बिरला बुमराह बैनर्जी बोस भट्ट भट्टाचार्य मलिक मस्क माथुर मालवीय मिश्र मिश्रा मुखर्जी मुर्मू मेहता
		मोदी यादव रहमान राजपूत राजभर राठौड़ रावत रेड्डी वर्मा शर्मा शाह शास्त्री शिंदे शुक्ला शुक्ल श्रीवास्तव
		सक्सेना सिंह सिंधिया सिन्हा सैनी सोरेन सोलंकी`)
)

// longestTitle is how many words with an article may be between what a person is and the name.
const longestTitle = 3

// insideName reports whether a line that ends at b ends inside the name of a person, in a script without capitals: the
// last word of the line begins at start.
func (p *paragraph) insideName(start int, b lineBreak) bool {
	first := p.runes[start]
	if !unicode.Is(unicode.Lo, first) || b.next >= len(p.runes) || !unicode.Is(unicode.Lo, p.runes[b.next]) {
		return false
	}
	word, next := string(p.runes[start:b.end]), string(p.wordAfter(b.next))
	words := functionWords(p.style.Lang)
	if words[word] || words[next] {
		return false
	}
	var title []rune
	if start > 1 && blank(p.runes[start-1]) {
		title = p.wordBefore(start - 1)
	}
	switch {
	case arabicLetter(first):
		return p.insideArabicName(word, next, start)
	case len(title) > 0 && title[len(title)-1] == '.':
		return p.leadsName(title[:len(title)-1], first)
	case first >= firstDevanagari && first < endDevanagari:
		return hindiGiven[word] || hindiSurnames[next] || hindiPersons[string(title)] && !p.belongsToLast(start)
	}
	return false
}

// leadsToName reports whether a line that ends at b ends in what a person is, whose name follows: “and the actress…”.
func (p *paragraph) leadsToName(b lineBreak) bool {
	word := string(p.wordBefore(b.end))
	return b.next < len(p.runes) && (arabicPersons[strings.TrimPrefix(word, "و")] || hindiPersons[word])
}

// insideArabicName reports whether a word of Arabic from start and the next one are of a person's name. Words that
// begin like verbs in the present are none, unless they are in arabicGiven: the subject's name may be one word.
func (p *paragraph) insideArabicName(word, next string, start int) bool {
	if likeArabicVerb(next) && !arabicGiven[next] {
		return false
	}
	if arabicGiven[word] || arabicGiven[withoutArabicPrefix(word)] {
		return true
	}
	if likeArabicVerb(word) || !blank(p.runes[max(start-1, 0)]) {
		return false
	}
	end := start - 1
	for range longestTitle + 1 {
		before := p.wordBefore(end)
		if len(before) == 0 {
			return false
		}
		title := strings.TrimPrefix(string(before), "و")
		if title == "عبد" {
			return end == start-1 // “عبد الفتاح السيسي”
		}
		if arabicPersons[title] {
			return !strings.HasPrefix(word, arabicArticle)
		}
		if !strings.HasPrefix(title, arabicArticle) {
			return false
		}
		end -= len(before) + 1
		if end <= 0 {
			return false
		}
	}
	return false
}

const (
	arabicArticle   = "ال"
	firstDevanagari = 0x900
	endDevanagari   = 0x980
)

func arabicLetter(r rune) bool { return r >= 0x600 && r < 0x700 }

// likeArabicVerb reports whether a word begins as verbs do in the present or the future.
func likeArabicVerb(word string) bool {
	for _, prefix := range [...]string{"ي", "ت", "سي", "ست", "وي", "وت"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}

// withoutArabicPrefix returns a word without the first letter if that may be one of arabicPrefixes.
func withoutArabicPrefix(word string) string {
	r := []rune(word)
	if len(r) > 3 && containsRune(arabicPrefixes, r[0]) {
		return string(r[1:])
	}
	return word
}
