package css

import (
	"math"
	"unicode"

	"masthead/render/html/css/shape"
	"masthead/render/html/css/transform"
	"masthead/render/html/css/value"
)

// WritingMode is the writing-mode property.
type WritingMode uint8

// The writing modes.
const (
	HorizontalTB WritingMode = iota
	VerticalRL
	VerticalLR
	SidewaysRL
	SidewaysLR
)

// Orientation is the text-orientation property.
type Orientation uint8

// The orientations.
const (
	MixedOrientation Orientation = iota
	UprightOrientation
	SidewaysOrientation
)

var (
	writingModes = map[string]WritingMode{
		"horizontal-tb": HorizontalTB, "vertical-rl": VerticalRL, "vertical-lr": VerticalLR, "sideways-rl": SidewaysRL,
		"sideways-lr": SidewaysLR, "lr": HorizontalTB, "lr-tb": HorizontalTB, "rl": HorizontalTB, "tb": VerticalRL,
		"tb-rl": VerticalRL,
	}
	orientations = map[string]Orientation{
		"mixed": MixedOrientation, "upright": UprightOrientation, "sideways": SidewaysOrientation,
		"sideways-right": SidewaysOrientation,
	}
)

// Quarters returns by how many quarters of a turn, clockwise, horizontal text is turned in the mode.
func (m WritingMode) Quarters() int {
	switch m {
	case HorizontalTB:
		return 0
	case SidewaysLR:
		return 3
	}
	return 1
}

// Vertical reports whether some characters or all of them aren't turned with their lines.
func (t *Text) Vertical() bool {
	return (t.WritingMode == VerticalRL || t.WritingMode == VerticalLR) && t.Orientation != SidewaysOrientation
}

// Upright reports whether a character isn't turned with its line: with mixed orientation, one of Chinese, Japanese or
// Korean, and symbols.
func (t *Text) Upright(r rune) bool {
	return t.Vertical() && (t.Orientation == UprightOrientation || unicode.Is(upright, r))
}

// Han reports whether a character is of Chinese, Japanese or Korean, whose faces have a vertical advance of 1 em.
func Han(r rune) bool { return r >= firstHan && unicode.Is(upright, r) }

const firstHan = 0x2e80

// Transformed reports whether a character has a vertical form that is its usual one turned: a bracket, a dash, a colon.
func Transformed(r rune) bool { return unicode.Is(transformed, r) }

// transformed are the characters of the classes Tr. Source: UAX 50.
var transformed = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x3008, Hi: 0x3011, Stride: 1}, {Lo: 0x3014, Hi: 0x301f, Stride: 1}, {Lo: 0x3030, Hi: 0x3030, Stride: 1},
	{Lo: 0x30a0, Hi: 0x30a0, Stride: 1}, {Lo: 0x30fc, Hi: 0x30fc, Stride: 1}, {Lo: 0xfe59, Hi: 0xfe5e, Stride: 1},
	{Lo: 0xff08, Hi: 0xff09, Stride: 1}, {Lo: 0xff0d, Hi: 0xff0d, Stride: 1}, {Lo: 0xff1a, Hi: 0xff1b, Stride: 1},
	{Lo: 0xff3b, Hi: 0xff3d, Stride: 2}, {Lo: 0xff3f, Hi: 0xff3f, Stride: 1}, {Lo: 0xff5b, Hi: 0xff60, Stride: 1},
	{Lo: 0xffe3, Hi: 0xffe3, Stride: 1},
}}

// Stop reports whether a character is a comma or full stop that is at the lower left of its cell, and at the upper
// right in vertical text.
func Stop(r rune) bool { return r == '、' || r == '。' || r == '，' || r == '．' }

// upright are the characters that aren't turned in vertical text, roughly. Source: UAX 50.
var upright = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x11ff, Stride: 1}, {Lo: 0x25a0, Hi: 0x27bf, Stride: 1}, {Lo: 0x2e80, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1}, {Lo: 0xac00, Hi: 0xd7ff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff01, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe7, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

// Turn returns the style as it is in a frame that is turned by a quarter clockwise, or by three: its sides, corners,
// sizes and shadows are named as in the frame. Shadows of text turn with it, as in Chromium.
func (s *Style) Turn(quarters int) *Style {
	if quarters%2 == 0 {
		return s
	}
	out := *s
	for range quarters {
		out.Margin, out.Padding, out.Inset = turned(out.Margin), turned(out.Padding), turned(out.Inset)
		out.Border = turned(out.Border)
		r := out.Radius
		out.Radius.TopLeft, out.Radius.TopRight = flipped(r.TopRight), flipped(r.BottomRight)
		out.Radius.BottomRight, out.Radius.BottomLeft = flipped(r.BottomLeft), flipped(r.TopLeft)
	}
	out.Width, out.Height = s.Height, s.Width
	out.MinWidth, out.MinHeight = s.MinHeight, s.MinWidth
	out.MaxWidth, out.MaxHeight = s.MaxHeight, s.MaxWidth
	out.OverflowX, out.OverflowY = s.OverflowY, s.OverflowX
	if s.AspectRatio.Ratio > 0 {
		out.AspectRatio.Ratio = 1 / s.AspectRatio.Ratio
	}
	if len(s.BoxShadow) > 0 {
		effects := *s.Effects
		effects.BoxShadow = turnedShadows(s.BoxShadow, quarters)
		out.Effects = &effects
	}
	return &out
}

// turned returns what the sides are called after a quarter of a turn.
func turned[T any](s value.Sides[T]) value.Sides[T] {
	return value.Sides[T]{Top: s.Right, Right: s.Bottom, Bottom: s.Left, Left: s.Top}
}

func flipped(r shape.Radius) shape.Radius { return shape.Radius{X: r.Y, Y: r.X} }

func turnedShadows(list []Shadow, quarters int) []Shadow {
	out := make([]Shadow, len(list))
	for i, s := range list {
		for range quarters {
			s.X, s.Y = s.Y, -s.X
		}
		out[i] = s
	}
	return out
}

// Inner returns the style of a box in one of this style that has its content, turned about its center.
func (s *Style) Inner(quarters int) *Style {
	effects := *defaultEffects
	sin, cos := math.Sincos(float64(quarters) * math.Pi / 2)
	m := [6]float64{math.Round(cos), math.Round(sin), -math.Round(sin), math.Round(cos)}
	effects.Transform = []transform.Transform{{Matrix: m}}
	overflow := OverflowVisible
	if s.TextOverflow == TextEllipsis {
		overflow = s.OverflowY
	}
	return &Style{
		TextOverflow: s.TextOverflow, OverflowX: overflow, OverflowY: overflow,
		Text: s.Text, Effects: &effects, Display: s.Display, ZAuto: true, Opacity: 1, FlexShrink: 1,
		MaxWidth: value.Size{Kind: value.None}, MaxHeight: value.Size{Kind: value.None},
		AlignSelf: AlignAuto, JustifySelf: AlignAuto,
		FlexDirection: s.FlexDirection, FlexWrap: s.FlexWrap, RowGap: s.RowGap, ColumnGap: s.ColumnGap,
		AlignItems: s.AlignItems, AlignContent: s.AlignContent, JustifyItems: s.JustifyItems,
		JustifyContent: s.JustifyContent, Grid: s.Grid, FixedTable: s.FixedTable,
	}
}
