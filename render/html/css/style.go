package css

import (
	"image/color"

	"masthead/render/html/counter"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/transform"
	"masthead/render/html/css/value"
)

// Style is the computed style of a box. Values are absolute where they can be: em, rem, vw, vh and colors are resolved;
// percentages and keywords that depend on layout remain. It is read-only once computed, and shared between boxes.
type Style struct {
	*Text    // inherited properties, shared by boxes with the same ones
	*Effects // rarely used paint properties; never nil (the shared default without any)

	Display    Display
	Position   Position
	Float      Float
	Clear      Clear
	BoxSizing  BoxSizing
	OverflowX  Overflow
	OverflowY  Overflow
	ZAuto      bool // z-index: auto
	ZIndex     int
	Order      int
	Opacity    float64
	Isolate    bool // isolation: isolate
	WillChange bool // will-change names a property that makes a stacking context

	Width, Height       value.Size
	MinWidth, MinHeight value.Size // Auto is the initial value
	MaxWidth, MaxHeight value.Size // None is the initial value
	AspectRatio         AspectRatio

	Margin  value.Sides[value.Size]
	Padding value.Sides[value.Length]
	Inset   value.Sides[value.Size] // top, right, bottom, left
	Border  value.Sides[BorderSide]
	Radius  shape.Corners

	FlexDirection FlexDirection
	FlexWrap      FlexWrap
	FlexGrow      float64
	FlexShrink    float64
	FlexBasis     value.Size // may be Content
	RowGap        value.Length
	ColumnGap     value.Length

	AlignItems, AlignSelf, AlignContent       Align
	JustifyItems, JustifySelf, JustifyContent Align

	Grid *Grid // nil without any grid property

	ContainerType  ContainerType
	containerNames []string

	FixedTable bool // table-layout: fixed

	VerticalAlign VerticalAlign
	TextOverflow  TextOverflow
	LineClamp     int // 0 is none. Clamps only where BoxOrient is vertical and display -webkit-box, or by line-clamp
	BoxOrient     BoxOrient
	UnicodeBidi   UnicodeBidi
	CloneEdges    bool       // box-decoration-break: clone
	Decoration    Decoration // text-decoration of this box (not inherited; it propagates to its inline content)

	ObjectFit      ObjectFit
	ObjectPosition [2]value.Length

	Background      []Layer // from top to bottom
	BackgroundColor colors.Color
	ColorClip       value.Box // background-clip of the lowest layer, which the color has

	layers  layerLists    // the parts of Background
	content []value.Value // of a pseudo-element; nil is normal

	counters [counterChanges][]counter.Op
}

// Text is the part of a style that is inherited.
type Text struct {
	Color         color.NRGBA
	FontFamily    []string // lower case; "sans-serif", "serif", "monospace", "system-ui" are generic
	FontSize      float64
	FontWeight    int // 1 to 1000
	Italic        bool
	FontStretch   float64 // percent
	LineHeight    LineHeight
	LetterSpacing float64
	WordSpacing   float64
	TextAlign     TextAlign
	TextAlignLast TextAlign // AlignAuto is the initial value
	TextIndent    value.Length
	TextTransform TextTransform
	WhiteSpace    WhiteSpace
	TabSize       TabSize
	OverflowWrap  OverflowWrap
	WordBreak     WordBreak
	LineBreak     LineBreak
	Hyphens       Hyphens
	TextWrap      TextWrap
	Direction     Direction
	Visibility    Visibility
	ListInside    bool       // list-style-position: inside
	Collapse      bool       // border-collapse: collapse
	Spacing       [2]float64 // border-spacing: between columns, between rows
	CaptionBelow  bool       // caption-side: bottom
	Features      []Feature  // font-feature-settings, font-variant-*, font-kerning
	VariedWeight  int        // wght of font-variation-settings; 0 for none
	Lang          string     // of the lang attribute
	Quotes        Quotes
	WritingMode   WritingMode
	Orientation   Orientation
	TextShadow    []Shadow
	StrokeWidth   float64 // -webkit-text-stroke
	StrokeColor   colors.Color
	FillColor     colors.Color // -webkit-text-fill-color
	StrokeFirst   bool         // paint-order: stroke
	SmallCaps     bool         // font-variant-caps, synthesized where the face has no smcp
	ImagePixels   bool         // image-rendering: pixelated
	SkipInk       bool         // text-decoration-skip-ink: auto
	UnderlineOff  value.Size   // text-underline-offset; Auto is the initial value
	UnderlineLow  bool         // text-underline-position: under

	// Vars are the custom properties, by name with the two hyphens.
	Vars *Vars

	listType listType
	features [featureGroups][]Feature // the parts of Features
	sized    bool                     // whether FontSize comes from a length rather than from a keyword
}

// Effects is the part of a style that few boxes have, and only painting reads.
type Effects struct {
	BoxShadow      []Shadow
	BorderImage    BorderImage
	Outline        BorderSide
	OutlineOffset  float64
	Transform      []transform.Transform // translate, rotate and scale properties first, then transform
	Origin         [2]value.Length       // transform-origin
	Filter         []Filter
	BackdropFilter []Filter
	ClipPath       *shape.Shape
	Mask           []Layer
	MixBlend       Blend
	BackgroundMix  []Blend // background-blend-mode, one per layer, repeated

	masks                    layerLists // the parts of Mask
	translate, rotate, scale []transform.Transform
	transform                []transform.Transform // the parts of Transform
}

// AspectRatio is width by height; 0 is auto. Auto is set in addition for "auto 16/9": pictures keep their own ratio.
type AspectRatio struct {
	Ratio float64
	Auto  bool
}

// BorderSide is one border or the outline. Width is 0 where the style is none.
type BorderSide struct {
	Width float64
	Style LineStyle
	Color colors.Color
}

// LineHeight is normal, a number, or a length.
type LineHeight struct {
	Normal bool
	Px     float64 // computed, of the box's own font size; set unless Normal
	Number float64 // what children inherit, times their font size; 0 if they inherit Px
}

// TabSize is a number of spaces or a length.
type TabSize struct {
	Spaces float64
	Px     float64
}

// Feature is an OpenType feature.
type Feature struct {
	Tag   string // four characters
	Value uint32
}

// Painted reports whether a box has a background.
func (s *Style) Painted() bool {
	return len(s.Background) > 0 || s.BackgroundColor.A > 0 || s.BackgroundColor.Current
}

// Ground returns a style that has the background alone: what cells of a table show of their row.
func (s *Style) Ground() *Style {
	return &Style{
		Text: s.Text, Effects: noEffects, Display: DisplayBlock, ZAuto: true, Opacity: 1,
		MaxWidth: value.Size{Kind: value.None}, MaxHeight: value.Size{Kind: value.None},
		Background: s.Background, BackgroundColor: s.BackgroundColor, ColorClip: s.ColorClip,
	}
}

// Decoration is text-decoration.
type Decoration struct {
	Underline, Overline, LineThrough bool
	Style                            LineStyle // Solid, Double, Dotted, Dashed, Wavy
	Color                            colors.Color
	Thickness                        value.Size // Auto, or Content for from-font
}

// Any reports whether there is a line.
func (d *Decoration) Any() bool { return d.Underline || d.Overline || d.LineThrough }

// VerticalAlign of an inline box: a keyword or a raise in px (percentages are resolved against its line-height).
type VerticalAlign struct {
	Kind  VAlign
	Raise float64
}

// Grid holds the properties of grid containers and items.
type Grid struct {
	Columns, Rows         []Track // with repeats expanded, except auto-fill and auto-fit
	AutoColumns, AutoRows []Track
	ColumnLines, RowLines [][]string // names of line i, 0 first; len(tracks)+1 if any is named
	Areas                 [][]string // rows of names; "." is no area
	FlowColumn, Dense     bool       // grid-auto-flow

	// Of items.
	ColumnStart, ColumnEnd, RowStart, RowEnd GridLine
}

// Track is a track's size: minmax(Min, Max), of which only Max may be a fraction.
type Track struct {
	Min, Max value.Size
	Fr       float64 // of Max; 0 if it is not a fraction
	// Repeat is auto-fill or auto-fit: this track stands for as many Tracks as fit.
	Repeat     RepeatKind
	Tracks     []Track
	TrackNames [][]string
}

// RepeatKind is the kind of an automatic repetition.
type RepeatKind uint8

// The repetitions.
const (
	NoRepeat RepeatKind = iota
	AutoFill
	AutoFit
)

// GridLine is one of grid-row-start and others. The zero value is auto.
type GridLine struct {
	Line int    // 0 is none; negative counts from the end
	Span int    // 0 is none
	Name string // of a line or area
}

// Shadow is a box or text shadow, first on top.
type Shadow struct {
	X, Y, Blur, Spread float64
	Inset              bool
	Color              colors.Color
}

// Layer is one background or mask layer.
type Layer struct {
	Image    Image
	X, Y     value.Length // position; percentages of the room that the picture leaves
	Size     LayerSize
	RepeatX  Repeat
	RepeatY  Repeat
	Clip     value.Box
	Origin   value.Box
	Fixed    bool        // background-attachment: fixed
	MaskOp   MaskOp      // mask-composite
	Luminous MaskingMode // mask-mode
}

// MaskOp is mask-composite.
type MaskOp uint8

// The compositions of masks.
const (
	MaskAdd MaskOp = iota
	MaskSubtract
	MaskIntersect
	MaskExclude
)

// MaskingMode is mask-mode.
type MaskingMode uint8

// The modes.
const (
	MaskAlpha MaskingMode = iota
	MaskLuminance
)

// LayerSize is background-size.
type LayerSize struct {
	Cover, Contain bool
	W, H           value.Size
}

// Image is a picture by URL, a gradient, or nothing.
type Image struct {
	URL      string
	Gradient *gradient.Gradient
}

// None reports whether there is no image.
func (i Image) None() bool { return i.URL == "" && i.Gradient == nil }

// FilterKind is a filter function.
type FilterKind uint8

// The filter functions.
const (
	FilterBlur FilterKind = iota
	FilterBrightness
	FilterContrast
	FilterGrayscale
	FilterSaturate
	FilterSepia
	FilterInvert
	FilterHueRotate
	FilterOpacity
	FilterDropShadow
)

// Filter is one function of filter.
type Filter struct {
	Kind   FilterKind
	Amount float64 // px of a blur, a factor, or degrees
	Shadow Shadow
}
