package text

import (
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
	// arabicSeconds are second words of names and fixed terms, with the first: Real Madrid, the United States, Nations,
	// and Kingdom, the World Cup, artificial intelligence, the Middle East, the White House, the Champions League, the
	// Security Council, the prime minister, a ceasefire.
	arabicSeconds = map[string]string{
		"مدريد": "ريال", "المتحدة": "ولايات أمم مملكة",
		"العالم": "كأس", "الاصطناعي": "ذكاء",
		"الأوسط": "شرق", "الأبيض": "بيت", "أبطال": "دوري",
		"الأمن": "مجلس", "الوزراء": "رئيس", "النار": "إطلاق",
	}
	// koreanTails are words of one syllable that belong to the preceding word: thing, time, only, and so on, during,
	// before, after, between, Mr or Ms, side, point, place.
	koreanTails = wordSet(`것 수 때 뿐 등 중 전 후 간 줄 채 씨 군 양 측 쪽 점 곳 데 바 속 내 외 위 밑 앞 뒤 안 밖 옆 끝`)
	// personTitles precede a name without a full stop.
	personTitles = wordSet(`الدكتور الدكتورة البروفيسور المهندس المهندسة
		الشيخ السيد السيدة الأستاذ الأستاذة
		श्री श्रीमती सुश्री`)
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
	case first >= 0x600 && first < 0x700: // Arabic
		if last == tatweel {
			return string(before) != hijri
		}
		if arabicSecond(before, after) {
			return true
		}
		return arabicLeading[strings.TrimPrefix(string(before), "و")] || string(after) == "بن" ||
			arabicTeens[strings.TrimPrefix(string(before), "و")] && strings.HasPrefix(string(after), "عشر")
	case first >= 0x900 && first < 0x980: // Devanagari
		word := string(before)
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

// genitive reports whether a word of Arabic, without an article, and the one that text begins with are probably read as
// one, such as “price of the oil”. The first letters of verbs, which their subject follows, are excepted.
func genitive(word, text []rune) bool {
	if len(word) < 3 || len(text) < 3 || text[0] != 'ا' || text[1] != 'ل' {
		return false
	}
	return word[0] >= 0x600 && word[0] < 0x700 && !containsRune("يتسن", word[0]) && !(word[0] == 'ا' && word[1] == 'ل')
}

// hijri is the abbreviation of the Islamic calendar, which follows a year.
const hijri = "هـ"

// insideName reports whether the word from start is after a title of a person, in a script without capitals: it is the
// first of a name's words.
func (p *paragraph) insideName(start int) bool {
	if start < 2 || !blank(p.runes[start-1]) || !unicode.Is(unicode.Lo, p.runes[start]) {
		return false
	}
	title := p.wordBefore(start - 1)
	if len(title) > 0 && title[len(title)-1] == '.' {
		return p.leadsName(title[:len(title)-1], p.runes[start])
	}
	return personTitles[string(title)]
}
