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

// cyrillicFirsts are words that compounds begin with.
var cyrillicFirsts = wordSet(`авиа авто агро аэро био бого вело взаимо видео внутри водо газо гидро горно город
	гос древне железно законо земле кино книго контр криминально кредито лесо макро мало машино медиа между металло
	микро много моно мото мульти налого нано народо нейро нефте обще одно около перво поли прото психо радио само
	сверх сельско спец судо супер тепло теле термо товаро транс турбо ультра физио фото электро энерго языко`)

// longestFirst is the length of the longest of cyrillicFirsts, in letters.
const longestFirst = 11

// cyrillicSeams returns the positions after the first words of a compound: фото|электро|преобразователи.
func cyrillicSeams(word []rune) (seams []int) {
	const least = 4 // letters of the last word
	if len(word) == 0 || word[0] < 'а' {
		return nil
	}
	for start := 0; ; {
		next := start
		for n := longestFirst; n > 2; n-- {
			if start+n+least <= len(word) && cyrillicFirsts[string(word[start:start+n])] {
				next = start + n
				break
			}
		}
		if next == start {
			return seams
		}
		seams, start = append(seams, next), next
	}
}
