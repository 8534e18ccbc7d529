package text

// This file is for what Chinese words belong to: a number to its noun, an attribute to the word that it describes.

// classifiers are counters of things, which a noun follows that begins another word.
const classifiers = "座家名只隻條条部款位项項種种台臺艘辆輛所"

// countedWord reports whether a word begins at i after a number and one of classifiers: 三座 / 光伏电站.
func (p *paragraph) countedWord(i int) bool {
	return i > 1 && i+1 < len(p.runes) && containsRune(classifiers, p.runes[i-1]) &&
		containsRune(hanNumbers, p.runes[i-2]) && p.hanWordAt(i+1) && !p.hanWordAt(i) && !p.hanWordAt(i-1)
}

// afterLoneNumber reports whether a break before runes[i] is after a number of one character, which counts what
// follows it, or before the second of two that are one word: 三地五中心.
func (p *paragraph) afterLoneNumber(i int) bool {
	if p.han == japanese || !isHan(p.runes[i-1]) || !isHan(p.runes[i]) || p.insideWords[i] {
		return false
	}
	return p.loneNumber(i-1) && !containsRune(breakAfterHan, p.runes[i]) ||
		i > 1 && p.loneNumber(i) && p.loneNumber(i-2) && !p.insideWords[i-1]
}

// loneNumber reports whether the character at i is a number that is no part of a word.
func (p *paragraph) loneNumber(i int) bool {
	return containsRune(hanNumbers, p.runes[i]) && !p.insideWords[i] && i+1 < len(p.runes) && !p.insideWords[i+1]
}

// Characters that end a word which describes the next one, and those before them: 港式奶茶, 肝内胆管.
var attributes = map[rune]string{
	'式': "港日法美英韩韓中西老新旧舊台泰意德俄粤粵欧歐", '型': "大小中新轻輕重微",
	'内': "肝肺肾腎颅顱脑腦胸腹血宫宮体體院校境室", '內': "肝肺肾腎颅顱脑腦胸腹血宫宮体體院校境室",
	'下': "皮地水", '外': "校境院体體海户戶",
}

// describesNext reports whether a word of two characters before runes[i] describes the next word.
func (p *paragraph) describesNext(i int) bool {
	return p.han != japanese && i > 1 && isHan(p.runes[i]) && containsRune(attributes[p.runes[i-1]], p.runes[i-2]) &&
		!p.phraseBegins(i)
}

// asksHanBefore reports whether the question word 为什么 ends before runes[i].
func (p *paragraph) asksHanBefore(i int) bool {
	return i > 2 && containsRune("么麼", p.runes[i-1]) && containsRune("什甚", p.runes[i-2]) &&
		containsRune("为為", p.runes[i-3])
}

// releasedAt reports whether a Chinese verb and a mark follow the version of a name: Suanpan 4.0 发布：.
func (p *paragraph) releasedAt(b lineBreak) bool {
	const letters = 2
	end := b.next + letters
	return p.han != japanese && end < len(p.runes) && containsRune(eastStrong+eastWeak, p.runes[end]) &&
		hanVerb(p.runes[b.next:end]) && isVersion(p.wordBefore(b.end))
}

// parting reports whether a bar is before runes[end] that parts a label from the rest of a Chinese title, which begins
// at next: at the end of a line there is nothing that it parts.
func (p *paragraph) parting(start, end, next int) bool {
	return p.runes[end-1] == '｜' && p.han != japanese && end-1 > start && next < len(p.runes)
}

// labelTo reports whether a title begins with a label that ends at end, in brackets or before a bar: [채용], 【公告】,
// 第27期｜. Japanese ones are read on.
func (p *paragraph) labelTo(end int) bool {
	if p.class != cjk || p.han == japanese || end < 2 {
		return false
	}
	return end < len(p.runes) && p.runes[end] == '｜' ||
		containsRune("【［[", p.runes[0]) && containsRune("】］]", p.runes[end-1])
}
