package text

import "strings"

const (
	polishVowels  = "aąeęioóuy"
	polishLiquids = "rlł"
)

// polishPoints calls part with each position in a lowercase Polish word where it may be hyphenated. The rules let a
// group of consonants be parted anywhere, but for the letters of one sound; of the possible positions it takes the
// usual ones: before one consonant, a group that begins with s, and a consonant with r or l; otherwise after the first
// consonant. Source: Wielki słownik ortograficzny PWN, “Dzielenie wyrazów”.
func polishPoints(word []rune, part func(i int)) {
	point := func(i int) {
		if i >= hyphenEdge && i <= len(word)-hyphenEdge {
			part(i)
		}
	}
	vowel := false    // one came before
	var starts [8]int // of the consonants since
	consonants := 0   // how many of these there are
	for i := 0; i < len(word); {
		n := polishSound(word[i:])
		if !strings.ContainsRune(polishVowels, word[i]) {
			if consonants < len(starts) {
				starts[consonants] = i //nolint:gosec // G602: consonants is below the length
			}
			consonants++
			i += n
			continue
		}
		if vowel && consonants > 0 && consonants <= len(starts) {
			first := word[starts[0]]
			switch {
			case consonants == 1, first == 's' && word[starts[0]+1] != 'z', first == 'ś',
				consonants == 2 && strings.ContainsRune(polishLiquids, word[starts[1]]) &&
					!strings.ContainsRune(polishLiquids+"jmnńw", first):
				point(starts[0])
			default:
				point(starts[1])
			}
		}
		vowel, consonants = true, 0
		i += n
	}
}

// polishSound returns how many letters of a word write its first sound, with the i that softens a consonant.
func polishSound(word []rune) int {
	n := 1
	if len(word) > 1 {
		switch string(word[:2]) {
		case "ch", "cz", "dz", "dź", "dż", "rz", "sz", "au", "eu":
			n = 2
		}
	}
	if n < len(word)-1 && word[n] == 'i' && !strings.ContainsRune(polishVowels, word[0]) &&
		strings.ContainsRune(polishVowels, word[n+1]) {
		n++
	}
	return n
}
