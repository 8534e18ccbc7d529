package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words of European languages, by which lines of titles end elsewhere.
var (
	// countLeads precede a number that counts, although they have a capital: “Just 97 Light-Years”, unlike “Apollo 13”.
	countLeads = wordSet(`about almost another first just last least most nearly next only other over some these those
		top under`)
	// acronyms have full stops between their letters, as initials have, but no surname follows them.
	acronyms = wordSet(`B.C D.C E.U L.A M.D N.Y N.Z U.A.E U.K U.N U.S U.S.A Ph.D`)
	// weekdays precede a date, with a comma: “Sat., July 18”, “Sonntag, 6. Dezember”.
	weekdays = wordSet(`monday tuesday wednesday thursday friday saturday sunday
		mon tue tues wed thu thur thurs fri sat sun
		montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
		lundi mardi mercredi jeudi vendredi samedi dimanche
		lunes martes miércoles jueves viernes sábado domingo
		lunedì martedì mercoledì giovedì venerdì sabato domenica`)
)

// inTitleCase reports whether most words of a text have a capital.
func (p *paragraph) inTitleCase() bool {
	words, capitals := 0, 0
	for i, r := range p.runes {
		if i > 0 && p.runes[i-1] == ' ' && unicode.IsLetter(r) {
			words++
			if unicode.IsUpper(r) {
				capitals++
			}
		}
	}
	return capitals*2 > words+1
}

// englishTitle reports whether a text is in title case and in English, or in no declared language.
func (p *paragraph) englishTitle() bool {
	return (p.style.Lang == "" || primaryLanguage(p.style.Lang) == "en") && p.inTitleCase()
}

// capitalized reports whether a function word between start and end has a capital only since all words of a title have:
// the Of of “Challenges Of Getting Funding”, which looks like the others at the end of a line.
func (p *paragraph) capitalized(start, end int) bool {
	return start > 0 && end-start > 1 && beginsCapital(string(p.runes[start:end])) && p.englishTitle()
}

// countsInTitle reports whether the number that ends at end counts the word after it, which has a capital in title
// case.
func (p *paragraph) countsInTitle(end int) bool {
	if !p.englishTitle() {
		return false
	}
	number := p.wordBefore(end)
	lead := p.wordBefore(max(end-len(number)-1, 0))
	if len(lead) == 0 {
		return end == len(number) // the title begins with it
	}
	word := strings.ToLower(string(lead))
	return unicode.IsLower(lead[0]) || countLeads[word] || functionWords("en")[word]
}

// acronymAt reports whether the word that ends at end is one with full stops that isn't a name's initials.
func (p *paragraph) acronymAt(end int) bool {
	word := p.wordBefore(end)
	const shortest, longest = 4, 6
	return len(word) >= shortest && len(word) <= longest && word[len(word)-1] == '.' &&
		acronyms[string(word[:len(word)-1])]
}

// datesWeekday reports whether a weekday, with a comma, ends at a break, and a date follows.
func (p *paragraph) datesWeekday(b lineBreak) bool {
	day, date := p.wordBefore(b.end), p.wordAfter(b.next)
	if len(date) == 0 || len(day) > maxMonth {
		return false
	}
	return (unicode.IsDigit(date[0]) || months[strings.ToLower(string(date))]) &&
		weekdays[strings.ToLower(strings.TrimRight(string(day), ".,"))]
}

// beginsCapital reports whether a word, not an article, begins with a capital.
func beginsCapital(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && word != "The" && word != "A" && word != "An"
}

// filed reports whether a capital and a number follow a number, as in that of a court's file: 2 S 127/25.
func (p *paragraph) filed(next int) bool {
	return next+2 < len(p.runes) && unicode.IsUpper(p.runes[next]) && blank(p.runes[next+1]) &&
		unicode.IsDigit(p.runes[next+2])
}

// namesPlace reports whether the name of a German town and an abbreviation at next are one name: Frankfurt a. M.
func (p *paragraph) namesPlace(word []rune, next int) bool {
	return primaryLanguage(p.style.Lang) == "de" && unicode.IsUpper(word[0]) && next+3 < len(p.runes) &&
		strings.ContainsRune("abi", p.runes[next]) && p.runes[next+1] == '.' && blank(p.runes[next+2]) &&
		unicode.IsLetter(word[len(word)-1])
}

// joinsQue reports whether a French word and the “que” after it are one expression: “est-ce que”, “parce que”.
func (p *paragraph) joinsQue(word []rune) bool {
	return primaryLanguage(p.style.Lang) == "fr" &&
		(string(word) == "parce" || strings.HasSuffix(string(word), "-ce"))
}
