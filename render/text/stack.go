package text

// Stack is a title and a description that share a room.
type Stack struct {
	Title      string
	TitleStyle Style
	TitleBox   Box
	Ladder     Ladder

	// Text is the description. It stands Gap px below the title: its capitals' top that far under the title's last
	// baseline, or farther; see [StackOffset].
	Text      string
	TextStyle Style
	TextWidth float64
	TextLines int
	// TextGiven says that somebody asked for this very text: it is set however short it is, and though the title is
	// smaller for it.
	TextGiven bool
	Gap       float64
	// MaxHeight is the height of both, from the top of the title's capitals to the description's last baseline.
	MaxHeight float64
	// MaxTitleLines is how many lines the title may have beside a description; 0 means no limit.
	MaxTitleLines int
}

// stackShare is the least share of the size without a description at which the description is worth having. Source:
// docs/rendering.md#fit.
const stackShare = .72

// FitStack sets a title and its description. A is the largest size of the ladder that leaves room for the description,
// B the largest without it: A is taken if it is at least .72 of B, else B and no description (nil), so that a long
// description never makes a small title; one that was asked for may. The description follows the rules of
// fitDescription.
func (e *Engine) FitStack(s Stack) (title, description *Block) {
	description = e.fitDescription(&s)
	p := &e.para
	e.compose(p, s.Title, s.TitleStyle)
	var without *Block // the title at B
	var b float64      // B, a size of the ladder
	ladder := e.prepareLadder(p, s.TitleBox, s.Ladder)
	for i, step := range ladder {
		if without != nil && (description == nil || step.SizePx < stackShare*b && !s.TextGiven) {
			break
		}
		if title = e.fitStep(p, step, s.TitleBox); title == nil {
			continue
		}
		title = e.better(p, title, s.TitleBox, ladder[i+1:])
		if description != nil && s.holds(title, description) {
			return title, description
		}
		if without == nil {
			without, b = title, step.SizePx
		}
	}
	if without != nil {
		without.Crowded = description != nil
		return without, nil
	}
	title = e.fitSmallest(p, s.TitleBox, s.Ladder)
	if description != nil && !s.holds(title, description) {
		description, title.Crowded = nil, true
	}
	return title, description
}

// holds reports whether a title and a description go into the room together.
func (s *Stack) holds(title, description *Block) bool {
	if s.MaxTitleLines > 0 && len(title.Lines) > s.MaxTitleLines {
		return false
	}
	return StackOffset(title, description, s.Gap)+description.Height <= s.MaxHeight+slack
}

// clearShare is the part of a gap that stays free of ink: what hangs below the upper text and rises over the capitals
// of the lower one may take the rest.
const clearShare = .45

// StackOffset returns how far under the top of an upper text a lower one begins: gap px below the last baseline, or
// more where the dots and tails of Arabic, or marks over the letters of the lower text, would come too close.
func StackOffset(upper, lower *Block, gap float64) float64 {
	return max(upper.Height+gap, upper.Ink.Y1-lower.Ink.Y0+clearShare*gap)
}
