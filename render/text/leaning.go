package text

import (
	"slices"
	"strings"
	"unicode"
)

// Words of Arabic and Hindi that lean on the word beside them. These scripts have no capitals that would tell a name.
var (
	// arabicLeading begin a name or join two words, and never end a line: servant of, father of, son of, family of, the
	// month of; or.
	arabicLeading = wordSet(`عبد أبو أبا أبي بن ابن آل ذو ذي شهر أم`)
	// arabicTeens are the first words of the numbers from 11 to 19.
	arabicTeens = wordSet(`أحد إحدى اثنا اثني اثنتا اثنتي
		ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة
		ثلاث أربع خمس ست سبع ثماني تسع`)
	// arabicNegations are read as one with the next word, even after who or which.
	arabicNegations = wordSet(`لا لم لن`)
	// arabicSuperlatives precede a noun without an article: the first, last, largest, best, most important, newest, …
	arabicSuperlatives = wordSet(`أول آخر أكبر أصغر أفضل أسوأ أهم أقوى أحدث أشهر أعلى أطول أسرع أبرز`)
	// arabicSeconds are second words of names and fixed terms, with the first: Real Madrid, the United States, Nations,
	// and Kingdom, the World Cup, artificial intelligence, the Middle East, the White House, the Champions League, the
	// Security Council, the prime minister, a ceasefire, a businessman, the Foreign Ministry, the Egyptian cup, a
	// penalty kick, Sunday, interest rates, the crown prince, the Richter scale, clubs.
	arabicSeconds = map[string]string{
		"مدريد": "ريال", "المتحدة": "ولايات أمم مملكة",
		"العالم": "كأس", "الاصطناعي": "ذكاء",
		"الأوسط": "شرق", "الأبيض": "بيت", "أبطال": "دوري",
		"الأمن": "مجلس", "الوزراء": "رئيس مجلس", "النار": "إطلاق",
		"الأعمال": "رجل رجال سيدة سيدات", "الخارجية": "وزير وزارة", "الداخلية": "وزير وزارة",
		"الدفاع": "وزير وزارة", "مصر": "كأس", "جزاء": "ركلة", "أحد": "يوم", "الفائدة": "أسعار سعر",
		"العهد": "ولي", "ريختر": "مقياس", "سيتي": "مانشستر", "يونايتد": "مانشستر",
	}
	// arabicHeads are what a place, a firm or an event is. Its name follows: street, square, city, station, airport,
	// university, bank, firm, …
	arabicHeads = wordSet(`شارع ميدان ساحة مدينة محطة مطار جامعة كلية معهد مدرسة مستشفى مسجد جامع كنيسة قصر قلعة متحف
		حديقة ملعب استاد برج جسر ميناء نهر جبل بحر بحيرة جزيرة خليج وادي قرية حي بلدية ولاية محافظة إقليم إمارة دولة جمهورية
		مملكة سلطنة بنك مصرف شركة مجموعة مؤسسة مصنع مطعم فندق قناة صحيفة جريدة مجلة وكالة إذاعة نادي منتخب فريق حزب حركة
		جماعة جمعية نقابة محكمة وزارة هيئة مهرجان معرض مؤتمر قمة بطولة كأس جائزة دوري عيد`)
	// arabicBeforeVerbs precede a verb: why, how, when, what, where, is it, who or which.
	arabicBeforeVerbs = wordSet(`لماذا كيف متى ماذا أين هل لم لن قد لقد الذي التي الذين عندما حين كما إذا`)
	// arabicDays are those of the week, and today.
	arabicDays = wordSet(`السبت الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة اليوم أمس غدا غدًا`)
	// koreanTails are words of one syllable that belong to the preceding word: thing, time, only, and so on, during,
	// before, after, between, Mr or Ms, side, point, place.
	koreanTails = wordSet(`것 수 때 뿐 등 중 전 후 간 줄 채 씨 군 양 측 쪽 점 곳 데 바 속 내 외 위 밑 앞 뒤 안 밖 옆 끝`)
	// hindiSeconds are second words of names and fixed terms, with the first: the Supreme and the High Court, the
	// Election Commission, states, South Africa and Korea, chambers of parliament, the World Cup, the stock market,
	// the United Nations, artificial intelligence, New Delhi, New Zealand, ministers.
	hindiSeconds = map[string]string{
		"कोर्ट": "सुप्रीम हाई", "आयोग": "चुनाव नीति",
		"प्रदेश": "उत्तर मध्य आंध्र हिमाचल अरुणाचल", "बंगाल": "पश्चिम",
		"अफ़्रीका": "दक्षिण", "अफ्रीका": "दक्षिण", "कोरिया": "दक्षिण उत्तर",
		"सभा": "लोक राज्य विधान", "कप": "विश्व वर्ल्ड एशिया",
		"बाज़ार": "शेयर", "बाजार": "शेयर", "राष्ट्र": "संयुक्त",
		"बुद्धिमत्ता": "कृत्रिम", "दिल्ली": "नई", "ज़ीलैंड": "न्यू", "यॉर्क": "न्यू",
		"मंत्री": "प्रधान वित्त गृह रक्षा विदेश रेल शिक्षा वाणिज्य",
	}
	// hindiNumbers precede a noun: from two to ten, tens, a hundred, a thousand.
	hindiNumbers = wordSet(`दो तीन चार पांच पाँच छह छः सात आठ नौ दस बीस तीस चालीस पचास साठ सत्तर अस्सी
		नब्बे सौ हज़ार हजार`)
	// hindiRelations follow के or की, with which they are one postposition: for, with, after, about, …
	hindiRelations = wordSet(`लिए साथ बाद बारे पास बीच बिना
		ऊपर नीचे सामने अनुसार कारण दौरान तहत
		ओर तरह द्वारा`)
)

// tatweel lengthens an Arabic letter. A prefix before a foreign word ends in it: لـ WebAssembly.
const tatweel = 'ـ'

// leans reports whether two words of Arabic or Hindi are never parted.
func leans(before, after []rune) bool {
	first, last := before[0], before[len(before)-1]
	switch {
	case arabicLetter(first):
		if last == tatweel {
			return string(before) != hijri
		}
		if arabicSecond(before, after) {
			return true
		}
		return arabicLeading[strings.TrimPrefix(string(before), "و")] || string(after) == "بن" ||
			arabicTeens[strings.TrimPrefix(string(before), "و")] && strings.HasPrefix(string(after), "عشر")
	case first >= firstDevanagari && first < endDevanagari:
		word := string(before)
		if slices.Contains(strings.Fields(hindiSeconds[string(after)]), word) {
			return true
		}
		return word == "श्री" || hindiSuffixes[string(after)] ||
			(word == "के" || word == "की") && hindiRelations[string(after)]
	}
	return false
}

// arabicSecond reports whether after is one of arabicSeconds and before its first word, with any prefixes.
func arabicSecond(before, after []rune) bool {
	for _, first := range strings.Fields(arabicSeconds[string(after)]) {
		if strings.HasSuffix(string(before), first) {
			return true
		}
	}
	return false
}

// arabicPrefixes are written with the word after them, even before digits: and, with, for, then, like.
const arabicPrefixes = "وبلفك"

// arabicPenalty returns the penalty of a line that ends in a word of Arabic from start, before none that belongs to it
// certainly: in a name, a title, a number in words, or between two nouns of which the second is a genitive or an
// adjective. Words that begin like verbs, which their subject follows, are no nouns.
func (p *paragraph) arabicPenalty(word []rune, start, next int) float64 {
	after := p.wordAfter(next)
	if len(after) == 0 || !arabicLetter(after[0]) || arabicParticle(after) {
		return 0
	}
	bare, name := strings.TrimPrefix(string(word), "و"), string(after)
	definite := strings.HasPrefix(name, arabicArticle)
	verb := likeArabicVerb(name) && !arabicGiven[name]
	switch {
	case verb:
		return 0
	case arabicHonorifics[bare] && !definite && !joinedByAnd(after):
		return penaltyTitle
	case arabicHeads[withoutArabicPrefix(bare)] && !joinedByAnd(after):
		if definite {
			return penaltyConstruct
		}
		return penaltyPlace
	case arabicPersons[bare] && (arabicGiven[name] || arabicLeading[name]):
		return penaltyOffice
	case bare == "أحد" && start > 1 && strings.HasSuffix(string(p.wordBefore(start-1)), "يوم"):
		return 0 // Sunday
	case !definite && (arabicTeens[bare] || bare == "نصف" || bare == "ربع"):
		return penaltyCount
	case !definite && arabicSuperlatives[bare]:
		return penaltyRomance
	case definite && start > 1 && arabicHeads[withoutArabicPrefix(string(p.wordBefore(start-1)))]:
		return penaltyPlaceName
	}
	return p.nounPenalty(word, after, start, next)
}

// nounPenalty returns the penalty of a line that ends between two words of Arabic that may be nouns, or a noun and its
// adjective: “price of the oil”, whose first word has no article, “rise of prices of the oil”, “the smart cities”.
func (p *paragraph) nounPenalty(word, after []rune, start, next int) float64 {
	definite := strings.HasPrefix(string(after), arabicArticle)
	switch {
	case start > 1 && arabicBeforeVerbs[string(p.wordBefore(start-1))]:
		return 0
	case likeArabicVerb(string(word)) && !arabicAction(string(word)):
		if word[0] == 'و' {
			return penaltyVerbFirst
		}
		return 0
	case strings.HasPrefix(string(word), arabicArticle):
		if definite && !arabicDays[string(after)] {
			return penaltyAdjective
		}
		return 0
	case indefinite(word):
		if indefinite(after) {
			return penaltyAdjective
		}
		return 0
	case len(word) <= 2, joinedByAnd(after), opensPhrase(after):
		return 0
	case definite && (certainNoun(word) || opensPhrase(word) ||
		start > 1 && among(arabicPrepositions, p.wordBefore(start-1))):
		return penaltyConstruct
	case definite:
		return penaltyGenitive
	case word[len(word)-1] == 'ة':
		return penaltyGenitive
	}
	third := p.wordAfter(min(next+len(after)+1, len(p.runes)))
	if string(after) == "أول" && (len(third) == 0 || opens(third[0])) {
		return penaltyGenitive // an adjective
	}
	if strings.HasPrefix(string(third), arabicArticle) {
		return penaltyChain
	}
	return penaltyBareNouns
}

// certainNoun reports whether a word of Arabic without an article is a noun by its form.
func certainNoun(word []rune) bool {
	return word[len(word)-1] == 'ة' || arabicAction(string(word)) ||
		word[0] == 'م' && len(word) > 3 || strings.HasSuffix(string(word), "ات") ||
		strings.HasPrefix(string(word), "أ") && len(word) > 3
}

// indefinite reports whether a word of Arabic ends in the mark of an indefinite accusative.
func indefinite(word []rune) bool { return slices.Contains(word[max(len(word)-2, 0):], 'ً') }

// joinedByAnd reports whether a word of Arabic begins with “and”.
func joinedByAnd(word []rune) bool {
	return word[0] == 'و' && len(word) > 3 && !arabicPersons[string(word)] && !arabicHeads[string(word)]
}

// leadsDigits reports whether a word stays with the number at next: of Arabic one of arabicAmounts or a weekday, of
// Hindi one of hindiLimits or “price”.
func (p *paragraph) leadsDigits(word []rune, next int) bool {
	if next >= len(p.runes) || p.runes[next] >= 0x80 && !unicode.IsDigit(p.runes[next]) || !p.phrasal() {
		return false
	}
	s, after := string(word), p.wordAfter(next)
	if !p.numeral(after) {
		letter := len(after) == 1 && unicode.IsUpper(after[0]) // “الفئة A”
		return (arabicLetter(word[0]) || devanagari(word[0])) && (letter || shortModel(after))
	}
	return arabicAmounts[s] || arabicDays[s] || functionWords("ar")[s] || hindiLimits[s] || s == "क़ीमत" || s == "कीमत"
}

// hijri is the abbreviation of the Islamic calendar, which follows a year.
const hijri = "هـ"
