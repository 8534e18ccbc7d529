package text

// Full-width marks of Chinese and Japanese: closing ones, and all that may follow. Source: CLREQ 3.1.6, JLREQ 3.1.4.
const (
	closingWide = "）」』】》〉〕”’、。，．：；"
	wideMarks   = closingWide + "（「『【《〈〔“‘？！・·"
)

// maxClosingInk is the share of a letter's width that a closing mark with a blank half has ink in.
const maxClosingInk = .55

// closeMarks leaves out the blank half of a closing mark before another mark: 」 and 。 take one and a half letters
// together.
func (e *Engine) closeMarks(p *paragraph) {
	if p.class != cjk {
		return
	}
	if p.han == korean {
		e.halveMarks(p)
		return
	}
	for i := range p.glyphs {
		g := &p.glyphs[i]
		at := int(g.cluster)
		if at+1 >= len(p.runes) || p.level[at]&1 == 1 || g.adv < .95*g.scale ||
			!containsRune(closingWide, p.runes[at]) || !containsRune(wideMarks, p.runes[at+1]) {
			continue
		}
		if _, _, x1, _ := e.faces[g.face].ink(g.gid); x1*g.scale <= maxClosingInk*g.adv {
			g.adv -= g.adv / 2
		}
	}
}

// closingWorks close what koreanWorks open.
const closingWorks = "〉》」』"

// halveMarks leaves out the blank halves of the marks of works, which Korean sets half as wide as a letter.
func (e *Engine) halveMarks(p *paragraph) {
	for i := range p.glyphs {
		g := &p.glyphs[i]
		r := p.runes[g.cluster]
		if r < firstEast || g.adv < .95*g.scale {
			continue
		}
		x0, _, x1, _ := e.faces[g.face].ink(g.gid)
		switch {
		case containsRune(closingWorks, r) && x1*g.scale <= maxClosingInk*g.adv:
			g.adv -= g.adv / 2
		case containsRune(koreanWorks, r) && x0*g.scale >= (1-maxClosingInk)*g.adv:
			g.dx -= g.adv / 2
			g.adv -= g.adv / 2
		}
	}
}
