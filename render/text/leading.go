package text

// Leading returns what titles in the script of a text add to their line height, in em: letters with marks above and
// below need room. A script counts with a fifth of the letters.
func Leading(runes []rune) (em float64) {
	var of [classCount]int
	letters, stacked := 0, 0
	for _, r := range runes {
		script := scriptOf(r)
		if c := scriptClass(script); c != common {
			of[c]++
			if stacks(script) {
				stacked++
			}
			letters++
		}
	}
	for c, leading := range map[class]float64{rtlScripts: rtlLeading, cjk: cjkLeading, tall: tallLeading} {
		if of[c] > 0 && 5*of[c] >= letters {
			em = max(em, leading)
		}
	}
	if 2*stacked > of[tall] && 5*stacked >= letters {
		em = max(em, stackLeading)
	}
	return em
}
