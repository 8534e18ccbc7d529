package text

import "sort"

// hanWord reports whether two letters are a common Chinese or Japanese word. It reads hanWords in place.
func hanWord(a, b rune) bool {
	if a < 0x4e00 || a > 0x9fff || b < 0x4e00 || b > 0x9fff || hanWords() == "" {
		return false
	}
	words := hanWords()
	number := func(i int) rune { return rune(words[2*i])<<8 | rune(words[2*i+1]) }
	firsts := int(number(0))
	seconds := 1 + 2*firsts
	i, ok := sort.Find(firsts, func(i int) int { return int(a - number(1+2*i)) })
	if !ok {
		return false
	}
	start, end := 0, int(number(2+2*i))
	if i > 0 {
		start = int(number(2 * i))
	}
	_, ok = sort.Find(end-start, func(i int) int { return int(b - number(seconds+start+i)) })
	return ok
}

// hanWordAt reports whether runes[i-1] and runes[i] are a common word.
func (p *paragraph) hanWordAt(i int) bool {
	return hanWord(p.runes[i-1], p.runes[i]) && !p.locative(i-1)
}

// insideHanWord reports whether a break before runes[i] is inside a common word, and not between two of them.
func (p *paragraph) insideHanWord(i int) bool {
	return p.hanWordAt(i) && !(i > 1 && i+1 < len(p.runes) && p.hanWordAt(i-1) && p.hanWordAt(i+1))
}

// Characters that follow a span of time, those that end one, and those that may be between its number and its end.
const (
	locatives = "内內前后後"
	spans     = "钟鐘秒时時天日周週月季年"
	inSpans   = " 分小个個星期"
)

// locative reports whether runes[i] follows a span of time, such as 内 in 十分钟内: it belongs to the span, although it
// may begin a common word with the next character, such as 内部.
func (p *paragraph) locative(i int) bool {
	const longest = 5 // characters between the number and the end of a span
	if i < 2 || !containsRune(locatives, p.runes[i]) || !containsRune(spans, p.runes[i-1]) {
		return false
	}
	for j := i - 2; j >= max(i-2-longest, 0); j-- {
		switch r := p.runes[j]; {
		case r >= '0' && r <= '9', containsRune(hanNumbers, r), r == '半':
			return true
		case !containsRune(inSpans, r):
			return false
		}
	}
	return false
}
