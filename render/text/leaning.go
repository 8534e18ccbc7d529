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
		return arabicLeading[strings.TrimPrefix(string(before), "و")] || string(after) == "بن"
	case first >= 0x900 && first < 0x980: // Devanagari
		word := string(before)
		return word == "श्री" || (word == "के" || word == "की") && hindiRelations[string(after)]
	}
	return false
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
