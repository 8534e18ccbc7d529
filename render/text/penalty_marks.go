package text

// judgeBrackets adds the penalty of lines that end inside short brackets, or inside the name of a work in quotes.
func (p *paragraph) judgeBrackets() {
	const longest, longestName = 40, 24 // characters
	bracket, quote := -1, -1
	for i, r := range p.runes {
		switch r {
		case '(', '[':
			bracket = i
		case ')', ']':
			p.judgeInside(bracket, i, longest, penaltyInBrackets)
			bracket = -1
		case '«', '„', '“', '”', '»':
			if quote >= 0 && r != '„' {
				p.judgeInside(quote, i, longestName, penaltyInQuotes)
				quote = -1
			} else if r != '”' {
				quote = i
			}
		}
	}
}

// judgeInside adds a penalty to breaks between two marks, unless they are farther from each other than longest, or the
// first one is missing.
func (p *paragraph) judgeInside(open, end, longest int, penalty float64) {
	if open < 0 || end-open >= longest {
		return
	}
	for k := range p.breaks {
		if b := &p.breaks[k]; b.end > open && b.end <= end && (b.penalty >= 0 || p.phrasal()) {
			b.penalty = max(b.penalty, 0) + penalty
		}
	}
}
