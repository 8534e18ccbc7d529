package text

import "strings"

// The kinds of letters that syllables of East Slavic languages and Bulgarian are made of.
const (
	cyrillicVowels = "аеёиоуыэюяіїє"
	cyrillicSigns  = "йьъ" // which end a syllable
	sonorants      = "рлмнв"
)

// cyrillicPoints calls part with each position in a lowercase word where it may be hyphenated: between syllables, of
// which each has a vowel, by the rules of P. Khristov, with consonants before р and л kept together (“досто-
// примечательности”). Rules suffice where spelling follows syllables; patterns would take 20 KB.
func cyrillicPoints(word []rune, part func(i int)) {
	// Each letter as one byte: vowel, sign or consonant.
	kinds := make([]byte, len(word))
	for i, r := range word {
		switch kinds[i] = 's'; {
		case strings.ContainsRune(cyrillicVowels, r):
			kinds[i] = 'g'
		case strings.ContainsRune(cyrillicSigns, r):
			kinds[i] = 'x'
		}
	}
	for i := hyphenEdge; i <= len(word)-hyphenEdge; i++ {
		left, right := string(kinds[:i]), string(kinds[i:])
		if right[0] == 'x' || !strings.Contains(left, "g") || !strings.Contains(right, "g") {
			continue
		}
		ends := func(left1, right1 string) bool {
			return strings.HasSuffix(left, left1) && strings.HasPrefix(right, right1)
		}
		switch {
		case ends("x", "s"), word[i-1] == 'ъ', ends("g", "g"), ends("g", "sg"), ends("gs", "ssg"), ends("gss", "ssg"),
			ends("gs", "sg") && !cyrillicCluster(word[i-1], word[i]),
			ends("g", "ssg") && cyrillicCluster(word[i], word[i+1]):
			part(i)
		}
	}
}

// cyrillicCluster reports whether two consonants begin a syllable together.
func cyrillicCluster(a, b rune) bool {
	return (b == 'р' || b == 'л') && !strings.ContainsRune(sonorants, a)
}
