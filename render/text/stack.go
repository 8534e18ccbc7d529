package text

import (
	"strings"
	"unicode/utf8"
)

// Stack is a title and a description that share a room.
type Stack struct {
	Title      string
	TitleStyle Style
	TitleBox   Box
	Ladder     Ladder

	// Text is the description. It stands Gap px below the title: its capitals' top that far under the title's last baseline, or
	// farther; see [StackOffset].
	Text      string
	TextStyle Style
	TextWidth float64
	TextLines int
	Gap       float64
	// MaxHeight is the height of both, from the top of the title's capitals to the description's last baseline.
	MaxHeight float64
	// MaxTitleLines is how many lines the title may have beside a description; 0 means no limit.
	MaxTitleLines int
}

// stackShare is the least share of the size without a description at which the description is worth having. Source: the type brief, joint fit.
const stackShare = .72

// FitStack sets a title and its description. A is the largest size of the ladder that leaves room for the description, B the
// largest without it: A is taken if it is at least .72 of B, else B and no description (nil), so that a long description
// never makes a small title. The description follows the rules of [Engine.Describe].
func (e *Engine) FitStack(s Stack) (title, description *Block) {
	description = e.Describe(s.Text, s.Title, s.TextStyle, s.TextWidth, s.TextLines)
	p := &e.para
	e.compose(p, s.Title, s.TitleStyle)
	var without *Block // the title at B
	var b float64      // B, a size of the ladder
	for _, step := range s.Ladder {
		if without != nil && (description == nil || step.SizePx < stackShare*b) {
			break
		}
		m, lines, ok := e.tryStep(p, step, s.TitleBox)
		if !ok {
			continue
		}
		title = e.finish(p, m, s.TitleBox.W, lines)
		if !title.fits(s.TitleBox) {
			continue
		}
		if description != nil && s.holds(title, description) {
			return title, description
		}
		if without == nil {
			without, b = title, step.SizePx
		}
	}
	if without != nil {
		return without, nil
	}
	title = e.fitSmallest(p, s.TitleBox, s.Ladder)
	if description != nil && !s.holds(title, description) {
		description = nil
	}
	return title, description
}

// holds reports whether a title and a description go into the room together.
func (s *Stack) holds(title, description *Block) bool {
	return StackOffset(title, description, s.Gap)+description.Height <= s.MaxHeight+slack && (s.MaxTitleLines == 0 || len(title.Lines) <= s.MaxTitleLines)
}

// clearShare is the part of a gap that stays free of ink: what hangs below the upper text and rises over the capitals of the lower one
// may take the rest.
const clearShare = .45

// StackOffset returns how far under the top of an upper text a lower one begins: gap px below the last baseline, or more where the dots
// and tails of Arabic, or marks over the letters of the lower text, would come too close.
func StackOffset(upper, lower *Block, gap float64) float64 {
	return max(upper.Height+gap, upper.Ink.Y1-lower.Ink.Y0+clearShare*gap)
}

// minKept is the share of a description below which a sentence is better than a cut with an ellipsis, and the share of such a cut
// that a sentence must have to take its place. Source: description rules.
const minKept = .60

// maxMissingShare is the share of letters that no face can draw beyond which a description is dropped.
const maxMissingShare = .2

// mostKept is the share of a cut from which a sentence is better even when the cut is long enough: a word or two of the next one
// say nothing.
const mostKept = .80

// stretch is how much wider than asked for a description may be set to be whole.
const stretch = 1.10

// Bounds on the search for a clause that fits: how much longer it may be than the text that was cut with an ellipsis (words
// trimmed, the ellipsis), and how many are tried.
const (
	longestTrim = 40
	maxClauses  = 8
)

// Describe sets a description, or returns nil when there is none worth setting: missing, under 24 characters or nothing that
// the title does not say.
//
// One that is a little too long is set up to a tenth wider. A cut that has only begun another sentence ends before it. One that would be cut to less than 60 % ends after the last whole
// sentence or clause that fits instead, if that is at least 60 % of what fits; else it is cut at a word with “…” after all. The
// brief of descriptions drops such a text, but on the pages of others that left a hole in every third card.
func (e *Engine) Describe(s, title string, st Style, w float64, maxLines int) *Block {
	s = CleanDescription(s, title, st.Lang)
	if s == "" {
		return nil
	}
	b := e.describe(s, st, w, maxLines)
	if b.Empty() || b.MissingShare > maxMissingShare || b.Truncated && repeats(b.Text(), title) {
		return nil
	}
	return b
}

// describe is Describe for a cleaned text.
func (e *Engine) describe(s string, st Style, w float64, maxLines int) *Block {
	b := e.Wrap(s, st, w, maxLines)
	if b.Empty() || !b.Truncated {
		return b
	}
	kept := float64(utf8.RuneCountInString(strings.TrimSuffix(b.Text(), ellipsis)))
	all := float64(utf8.RuneCountInString(s))
	if kept*stretch*stretch >= all { // widths of letters differ: a tenth may hold more
		if wide := e.Wrap(s, st, w*stretch, maxLines); !wide.Truncated {
			return wide
		}
	}
	least := minKept * kept
	if kept >= minKept*all {
		least = mostKept * kept
	}
	tries := 0
	for _, part := range clauses(s) {
		n := float64(utf8.RuneCountInString(part))
		if n > kept+longestTrim || n < least || kept >= minKept*all && !endsSentence(part) {
			continue
		}
		if tries++; tries > maxClauses {
			break
		}
		if c := e.Wrap(part, st, w, maxLines); !c.Truncated && !c.Empty() {
			c.Truncated = true
			return c
		}
	}
	return b
}
