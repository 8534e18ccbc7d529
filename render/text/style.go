package text

import "math"

// Family is a value of style.font. The zero value draws as [Inter].
type Family string

// Families for designs that need a specific one; [fonts.Families] lists all.
const (
	Inter           Family = "inter"
	PlusJakartaSans Family = "plus-jakarta-sans"
	SpaceGrotesk    Family = "space-grotesk"
	JetBrainsMono   Family = "jetbrains-mono"
	NotoSans        Family = "noto-sans"
	InstrumentSerif Family = "instrument-serif"
)

// familyTraits make families look equally large and tight. Source: docs/rendering.md#text (factor, title tracking in
// em, change of line height).
var familyTraits = map[Family]struct{ factor, tracking, leading float64 }{
	Inter:           {1, -.025, 0},
	PlusJakartaSans: {1, -.025, 0},
	SpaceGrotesk:    {1, -.025, 0},
	JetBrainsMono:   {.84, -.03, 0},
	NotoSans:        {.97, -.015, 0},
	InstrumentSerif: {1.30, -.01, -.06},
}

// Valid reports whether f is a family of style.font.
func (f Family) Valid() bool {
	_, ok := familyTraits[f]
	return ok
}

// known reports whether f is a family that texts may have.
func (f Family) known() bool { return f == Brand || f == BrandText || f.Valid() }

// SizeAdjust returns the factor for sizes in f; 1 for an unknown family.
func (f Family) SizeAdjust() float64 {
	if t, ok := familyTraits[f]; ok {
		return t.factor
	}
	return 1
}

// Title returns the style of a title: weight 700 (or the family's nearest), the family's title tracking, line height
// 1.06, optical margin with hanging quotes, balanced lines. Designs change it as needed.
func (f Family) Title(sizePx float64) Style {
	tracking := familyTraits[Inter].tracking
	if f == Brand { // how tight it is set by itself isn't known
		tracking = familyTraits[NotoSans].tracking
	}
	if t, ok := familyTraits[f]; ok {
		tracking = t.tracking
	}
	return Style{
		Family: f, Weight: 700, SizePx: sizePx, Tracking: tracking, LineHeight: 1.06,
		OpticalMargin: true, HangingPunctuation: true, Balance: true,
	}
}

// Text returns the style of running text, names and dates: no tracking, line height 1.4, optical margin. Instrument
// Serif is only for titles; its running text is Inter.
func (f Family) Text(sizePx float64, weight int) Style {
	switch f {
	case InstrumentSerif:
		f = Inter
	case Brand:
		f = BrandText
	}
	return Style{Family: f, Weight: weight, SizePx: sizePx, LineHeight: 1.4, OpticalMargin: true}
}

// Label returns the style of a line in capitals: weight 600, tracking +8 %.
func (f Family) Label(sizePx float64) Style {
	st := f.Text(sizePx, 600)
	st.Caps, st.Tracking = true, .08
	return st
}

// Dir is the direction of a paragraph.
type Dir uint8

// Auto uses the direction of the first strong character (UAX 9, P2 and P3), or left-to-right if there is none.
const (
	Auto Dir = iota
	LeftToRight
	RightToLeft
)

// Align is the horizontal alignment of lines in their box.
type Align uint8

// Start is left for left-to-right text and right for right-to-left text; End is the other side. Left and Right are
// physical.
const (
	Start Align = iota
	Center
	End
	Left
	Right
)

// Style says how text is drawn. Create one with [Family.Title], [Family.Text] or [Family.Label] and change what
// differs.
type Style struct {
	Family Family
	// Weight is 400 to 800; the family's nearest is used, and 500 as 400.
	Weight int
	Italic bool
	// SizePx is the size before the factor of the family, in pixels of the canvas; see [Style.Exact].
	SizePx float64
	// Tracking is added between clusters, in em. Negative tracking applies only at drawn sizes of 48 and above;
	// right-to-left text and CJK have none.
	Tracking float64
	// LineHeight is the distance between baselines as a multiple of the drawn size. Right-to-left text adds .12, CJK .10,
	// tall scripts .15, Thai and Lao .22; Instrument Serif subtracts .06.
	LineHeight float64
	// Caps draws capital letters by the rules of Lang (not in right-to-left text).
	Caps bool
	// OpticalMargin aligns the ink of each line, instead of its side bearing, with the edge; round and slanted letters
	// extend slightly outside.
	OpticalMargin bool
	// HangingPunctuation hangs an opening quote at the start of the text outside the edge. It needs OpticalMargin.
	HangingPunctuation bool
	// Balance evens out the lengths of lines.
	Balance bool
	// Exact uses SizePx, LineHeight and Tracking unchanged: no factor of the family, no adjustment for the script.
	Exact bool
	// Lang is a BCP 47 tag, or empty. It determines letter forms, quotes, capitals and which words aren't allowed before
	// an ellipsis.
	Lang  string
	Dir   Dir
	Align Align
}

// Step is one rung of a ladder: a size and its maximum number of lines.
type Step struct {
	SizePx float64
	Lines  int
	// Last is for a text that would be cut otherwise: better breaks are no reason to be that small.
	Last bool
	// Spare is for a text whose words would be parted otherwise.
	Spare bool
}

// Ladder lists sizes from large to small.
type Ladder []Step

// Steps returns a ladder of sizes with the same number of lines: "92 84 76 68 in 3 lines, then 60 54 in 4" is written
// Steps(3, 92, 84, 76, 68).Then(4, 60, 54).
func Steps(lines int, sizes ...float64) Ladder {
	return Ladder(nil).Then(lines, sizes...)
}

// Then returns l with smaller sizes appended, each with up to this many lines.
func (l Ladder) Then(lines int, sizes ...float64) Ladder {
	out := append(make(Ladder, 0, len(l)+len(sizes)), l...)
	for _, s := range sizes {
		out = append(out, Step{SizePx: s, Lines: lines})
	}
	return out
}

// spareShares are the sizes of spare steps, as fractions of the smallest regular one.
var spareShares = [...]float64{.92, .85, .78}

// WithSpares returns l with smaller sizes appended, of at least this many pixels: those for a text whose words would be
// parted at all others.
func (l Ladder) WithSpares(least float64) Ladder {
	if len(l) == 0 {
		return l
	}
	smallest := 0.0
	for _, s := range l {
		if !s.Last {
			smallest = s.SizePx
		}
	}
	out := append(make(Ladder, 0, len(l)+len(spareShares)), l...)
	for _, share := range spareShares {
		px := 2 * math.Round(smallest*share/2)
		if last := out[len(out)-1]; px >= least && px < last.SizePx {
			out = append(out, Step{SizePx: px, Lines: last.Lines, Spare: true})
		}
	}
	return out
}

// regular returns l without its spare steps, which are at its end.
func (l Ladder) regular() Ladder {
	n := len(l)
	for n > 0 && l[n-1].Spare {
		n--
	}
	return l[:n]
}

// minFactored is the minimum size after applying a family's factor. Source: docs/rendering.md#canvas.
const minFactored = 24

// drawnSize applies a family's factor: rounded to even, and never from above 24 px to below.
func drawnSize(sizePx, factor float64) float64 {
	if factor == 1 {
		return sizePx
	}
	even := 2 * math.Round(sizePx*factor/2)
	return math.Max(even, math.Min(sizePx, minFactored))
}
