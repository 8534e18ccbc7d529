package page

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Lengths of [Details.Lead] in characters. Of a longer paragraph, its first sentences are the lead.
const (
	minLead, maxLead = 20, 200
	minSentences     = 40
	maxMetaLine      = 140 // of what says who wrote the page and when
)

// leadOf returns the lead that a paragraph is, or "".
func leadOf(text string) string {
	n := utf8.RuneCountInString(text)
	if n < minLead || isNotice(text) || isMetaLine(text) {
		return ""
	}
	if n <= maxLead {
		return text
	}
	end := 0
	for rest, state := text, -1; rest != ""; {
		var sentence string
		sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
		if rest == "" || utf8.RuneCountInString(text[:end+len(sentence)]) > maxLead+1 { // with the space after it
			break
		}
		end += len(sentence)
	}
	if lead := strings.TrimSpace(text[:end]); utf8.RuneCountInString(lead) >= minSentences {
		return lead
	}
	return ""
}

// asks matches words about scripts that are needed or off.
const asks = `(?:enabl|activat|allow|disabl|requir|need|turn|aktivier|activer|habilit)\p{L}*`

var (
	// notice matches what asks for scripts or tells of cookies: an article may be about either.
	notice = regexp.MustCompile(`(?i)\b` + asks + `\b.{0,60}\bjavascript\b|\bjavascript\b.{0,60}\b` + asks + `\b|` +
		`\b(?:use|accept|set|verwende|utilis|usa|utilizza)\p{L}*\b.{0,40}\bcookies\b`)
	// byline matches the beginning of what says who wrote a page, or when it was published: its name begins with a
	// capital or is in a script without them. The brackets in a word keep the spelling check from reading it as English.
	byline = regexp.MustCompile(`^(?i:by|written by|posted by|story by|words by|author|von|aut[o]r(?:in)?|por|` +
		`escrito por|par|di|a cura di|door|av|af|автор|текст|작성자|글|文|作者|記者|记者|著者|執筆|بقلم|كتب|הכותב|מאת)` +
		`\s*[:：/／]?\s*(?:\p{Lu}|\p{Lo}|\p{Lt})`)
	credit = regexp.MustCompile(`^(?i:photos?|pictures?|images?|credits?|fotos?|bild|foto|illustration)\s*(?i:by)?\s*[:：]`)
	dated  = regexp.MustCompile(`(?:^|\D)(?:19|20)\d\d(?:\D|$)|\d{1,2}[:.]\d\d\s*(?i:uhr|am|pm|a\.m|p\.m|h)?|` +
		`(?i)\d\s*-?(?:min(?:ute)?s?\b|minuten|minuti|minutos|мин|분|分)|[٠-٩۰-۹]{4}|[०-९]{4}`)
)

// isNotice reports whether a paragraph is about the page's technology, not its subject.
func isNotice(text string) bool { return notice.MatchString(text) }

// isMetaLine reports whether a paragraph says who wrote the page, when, or how long reading it takes, or is a row of
// links, rather than a sentence.
func isMetaLine(text string) bool {
	if utf8.RuneCountInString(text) > maxMetaLine {
		return false
	}
	if credit.MatchString(text) {
		return true
	}
	if byline.MatchString(text) && mostlyNames(text) {
		return true
	}
	if isSentence(text) {
		return false
	}
	return strings.ContainsAny(text, "·•|｜›»→") || dated.MatchString(text)
}

// isSentence reports whether a text ends as sentences do.
func isSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”’»«」』）)]")
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…。！？।॥؟۔።។။:：", last)
}

// mostlyNames reports whether few words of a text begin with a small letter or, in scripts without capitals, whether it
// doesn't end as a sentence.
func mostlyNames(text string) bool {
	small, words, cased := 0, 0, false
	for word := range strings.FieldsSeq(text) {
		first, _ := utf8.DecodeRuneInString(word)
		words++
		if unicode.IsLower(first) {
			small++
		}
		cased = cased || unicode.IsUpper(first)
	}
	if !cased {
		return !isSentence(text)
	}
	return 5*small < 2*words
}
