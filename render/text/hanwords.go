package text

import "sort"

// hanWord reports whether two letters are a common Chinese or Japanese word.
func hanWord(a, b rune) bool {
	if a < 0x4e00 || a > 0x9fff || b < 0x4e00 || b > 0x9fff {
		return false
	}
	word := string([]byte{byte(a >> 8), byte(a), byte(b >> 8), byte(b)})
	n := len(hanWords) / 4
	i := sort.Search(n, func(i int) bool { return hanWords[4*i:4*i+4] >= word })
	return i < n && hanWords[4*i:4*i+4] == word
}

// insideHanWord reports whether a break before runes[i] is inside a common word, and not between two of them.
func (p *paragraph) insideHanWord(i int) bool {
	r := p.runes
	return hanWord(r[i-1], r[i]) && !(i > 1 && i+1 < len(r) && hanWord(r[i-2], r[i-1]) && hanWord(r[i], r[i+1]))
}
