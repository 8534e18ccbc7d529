package text

import (
	"slices"
	"strings"
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
	// hindiNumbers precede a noun: from two to ten, fifty, a hundred, a thousand.
	hindiNumbers = wordSet(`दो तीन चार पांच पाँच छह छः सात आठ नौ दस पचास सौ हज़ार हजार`)
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
		return word == "श्री" || (word == "के" || word == "की") && hindiRelations[string(after)]
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

// genitivePenalty returns the penalty of a line that ends between two nouns of Arabic that are probably read as one,
// such as “price of the oil”: the first has no article, the second has one, or is followed by a noun that has: “rise of
// prices of the oil”. Words that begin like verbs, which their subject follows, are excepted.
func (p *paragraph) genitivePenalty(word []rune, next int) float64 {
	after := p.wordAfter(next)
	if !bareNoun(word) || len(after) < 3 {
		return 0
	}
	if strings.HasPrefix(string(after), arabicArticle) {
		return penaltyGenitive
	}
	third := p.wordAfter(min(next+len(after)+1, len(p.runes)))
	if bareNoun(after) && !functionWords("ar")[string(after)] && strings.HasPrefix(string(third), arabicArticle) {
		return penaltyChain
	}
	return 0
}

// bareNoun reports whether a word of Arabic may be a noun without an article.
func bareNoun(word []rune) bool {
	return len(word) > 2 && arabicLetter(word[0]) && !containsRune("يتسن", word[0]) && !(word[0] == 'ا' && word[1] == 'ل')
}

// arabicCount returns the penalty of a line that ends between a number in words, or a superlative, and its noun, or
// between a title and a name.
func arabicCount(word, next []rune) float64 {
	if len(next) == 0 || !arabicLetter(next[0]) || strings.HasPrefix(string(next), arabicArticle) ||
		functionWords("ar")[string(next)] {
		return 0
	}
	switch bare := strings.TrimPrefix(string(word), "و"); {
	case arabicTeens[bare], bare == "نصف", bare == "ربع", arabicHonorifics[bare] && !likeArabicVerb(string(next)):
		return penaltyNumeral
	case arabicSuperlatives[bare]:
		return penaltyRomance
	}
	return 0
}

// hijri is the abbreviation of the Islamic calendar, which follows a year.
const hijri = "هـ"
