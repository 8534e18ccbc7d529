package text

import (
	"strings"
	"unicode"
)

// Stack is a title and a description that share a space.
type Stack struct {
	Title      string
	TitleStyle Style
	TitleBox   Box
	Ladder     Ladder

	// Text is the description. It is Gap px below the title: the top of its capitals that far below the title's last
	// baseline, or farther; see [StackOffset].
	Text      string
	TextStyle Style
	TextWidth float64
	TextLines int
	// TextGiven means that this text was explicitly requested: it is shown however short it is, and even if that makes the
	// title smaller.
	TextGiven bool
	// TextExact means that no line of it is wider than TextWidth: nothing is beside it but the margin.
	TextExact bool
	Gap       float64
	// MaxHeight is the height of both, from the top of the title's capitals to the description's last baseline.
	MaxHeight float64
	// Firm means that a title that is too long gets no line more than the ladder says.
	Firm bool
	// MaxTitleLines is the maximum number of lines of a title with a description; 0 means no limit.
	MaxTitleLines int

	roomy bool // the description may have a line that it doesn't need
}

// stackShare is the minimum ratio of the title's size to its size without a description. Source: docs/rendering.md#fit.
const stackShare = .72

// FitStack lays out a title and its description. A is the largest size of the ladder that leaves room for the
// description, B the largest without it: A is used if it is at least .72 of B, otherwise B and no description (nil), so
// that a long description never makes a title small; an explicitly requested one may. The description follows the rules
// of fitDescription.
func (e *Engine) FitStack(s Stack) (title, description *Block) {
	title, description = e.fitStack(&s)
	return title, e.roomier(&s, title, description)
}

// roomier returns the description of a stack, or, if a line of it ends badly, the one with a line more that fits below
// the same title and reads better.
func (e *Engine) roomier(s *Stack, title, description *Block) *Block {
	if description.Empty() || len(description.Lines) >= s.TextLines ||
		!description.Truncated && !description.Awkward() {
		return description
	}
	s.roomy = true
	d := e.fitDescription(s)
	if s.roomy = false; EndsBetter(d, description) && s.over(title, d) <= slack {
		return d
	}
	return description
}

// fitStack is FitStack with no line of the description that it doesn't need.
func (e *Engine) fitStack(s *Stack) (title, description *Block) {
	description = e.fitDescription(s)
	p := &e.para
	e.compose(p, s.Title, s.TitleStyle)
	var without *Block // the title at B
	var b float64      // B, a size of the ladder
	var kept *Block    // the title in fewer lines than it wants
	ladder := e.prepareLadder(p, s.TitleBox, s.Ladder)
	for i, step := range ladder.regular() {
		if without != nil && (description == nil || step.SizePx < stackShare*b && !s.TextGiven) {
			break
		}
		if title = e.fitStep(p, step, s.TitleBox); title == nil {
			continue
		}
		title = e.better(p, title, s.TitleBox, ladder[i+1:])
		if !s.Firm {
			title = e.withoutParting(p, title, s.TitleBox, ladder[i:])
		}
		title = e.smallerWhole(p, title, s.TitleBox, ladder[i+1:])
		if description != nil && s.holds(title, description) {
			if kept != nil && !ReadsBetter(title, kept) {
				title = kept
			}
			return title, description
		}
		if description != nil && e.mayHaveFewer(p, title, step, s.TitleBox) {
			few := e.fewerLines(p, s, ladder[i:])
			switch {
			case few == nil || !s.holds(few, description):
			case p.class == european: // a line across two clauses is no reason to leave the description out
				if kept == nil && few.worst == gravePenalty || kept != nil && ReadsBetter(few, kept) {
					kept = few
				}
			case few.worst <= max(title.worst, penaltyJoint):
				return few, description
			}
		}
		if without == nil {
			without, b = title, step.SizePx
		}
	}
	if kept != nil {
		return kept, description
	}
	if without != nil {
		without.Crowded = description != nil
		return without, nil
	}
	more := 1 // is better than a cut
	if s.Firm {
		more = 0
	}
	title = e.fitSmallest(p, s.TitleBox, s.Ladder, more)
	if title.Truncated && description != nil {
		title = e.fitSmallest(p, s.TitleBox, s.Ladder, 0)
	}
	if s.TitleBox.H >= s.MaxHeight { // otherwise it may have the room of the description
		title = e.ratherSmaller(p, title, s.TitleBox, s.Ladder, more)
	}
	title = e.smallerWhole(p, title, s.TitleBox, ladder)
	if description != nil && !s.holds(title, description) {
		description, title.Crowded = nil, true
	}
	return title, description
}

// mayHaveFewer reports whether a title at a step may have more lines than it needs, so that they end better.
func (e *Engine) mayHaveFewer(p *paragraph, title *Block, step Step, box Box) bool {
	if p.class != european {
		return p.isKorean()
	}
	_, lines, ok := e.tryStep(p, step, box)
	return ok && len(title.Lines) > len(lines)
}

// fewerLines is fitStep for a title of Korean or of a European script, in no more lines than a step needs.
func (e *Engine) fewerLines(p *paragraph, s *Stack, ladder Ladder) *Block {
	p.fewLines = true
	title := e.fitStep(p, ladder[0], s.TitleBox)
	if title != nil {
		title = e.better(p, title, s.TitleBox, ladder[1:])
	}
	p.fewLines = false
	return title
}

// FitBelow lays out the description of a stack in as many lines as fit below a title that is laid out already, or in
// one more if it ends better then; nil if none do.
func (e *Engine) FitBelow(s Stack, title *Block) *Block {
	var best *Block
	longer := s
	for ; best == nil && s.TextLines > 0; s.TextLines-- {
		if d := e.fitDescription(&s); d != nil && s.holds(title, d) {
			best = d
		}
	}
	longer.TextLines++
	if best == nil || best.Truncated {
		if d := e.fitDescription(&longer); EndsBetter(d, best) && s.holds(title, d) {
			best = d
		}
	}
	return e.roomier(&longer, title, best)
}

// EndsBetter reports whether a description, which may be nil, ends better than another one of the same text: it is
// whole and the other one isn't, or ends with a sentence and the other one is missing or ends with “…”; or both end
// alike, and the lines of b end so much better that they are worth another one.
func EndsBetter(b, other *Block) bool {
	if ends := b.ending(); ends != other.ending() || ends == 0 {
		return ends > other.ending()
	}
	return other.Awkward() && b.demerits+lineDemerits < other.demerits
}

// ending returns how well a description ends: 0 for a missing one, 1 if it ends with “…”, 2 with a sentence, 3 whole.
func (b *Block) ending() int {
	switch {
	case b.Empty():
		return 0
	case !b.Truncated:
		return 3
	case strings.HasSuffix(b.Lines[len(b.Lines)-1].Text, ellipsis):
		return 1
	}
	return 2
}

// voweled reports whether a text of Arabic has marks for vowels, which reach far below its last line.
func (b *Block) voweled() bool {
	marks, all := 0, 0
	for _, r := range b.Text() {
		all++
		if unicode.Is(unicode.Mn, r) {
			marks++
		}
	}
	return 5*marks > all
}

// holds reports whether a title and a description fit together, perhaps with lines of Arabic nearer to each other.
func (s *Stack) holds(title, description *Block) bool {
	if s.MaxTitleLines > 0 && len(title.Lines) > s.MaxTitleLines {
		return false
	}
	over := s.over(title, description)
	if over > slack && title.RTL && !description.voweled() {
		title.lower(title.Ink.Y1 - over)
		over = s.over(title, description)
	}
	return over <= slack
}

// over returns by how much a title and a description are higher than both may be.
func (s *Stack) over(title, description *Block) float64 {
	return StackOffset(title, description, s.Gap) + description.Height - s.MaxHeight
}

// clearShare is the fraction of a gap that stays free of ink: descenders of the upper text and accents of the lower one
// may use the rest.
const clearShare = .45

// StackOffset returns the distance between the tops of an upper and a lower text: gap px below the last baseline, or
// more if Arabic dots and tails, or marks on the letters of the lower text, would come too close.
func StackOffset(upper, lower *Block, gap float64) float64 {
	return max(upper.Height+gap, upper.Ink.Y1-lower.Ink.Y0+clearShare*gap)
}
