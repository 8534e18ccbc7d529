package css

import (
	"image/color"

	"masthead/render/html/counter"
	"masthead/render/html/css/colors"
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
	Radius  Corners

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
	ColorClip       Box // background-clip of the lowest layer, which the color has

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
	ListInside    bool        // list-style-position: inside
	Collapse      bool        // border-collapse: collapse
	Spacing       [2]float64  // border-spacing: between columns, between rows
	CaptionBelow  bool        // caption-side: bottom
	Features      []Feature   // font-feature-settings, font-variant-*, font-kerning
	Variations    []Variation // font-variation-settings
	Lang          string      // of the lang attribute
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
	Transform      []Transform     // translate, rotate and scale properties first, then transform
	Origin         [2]value.Length // transform-origin
	Filter         []Filter
	BackdropFilter []Filter
	ClipPath       *Shape
	Mask           []Layer
	MixBlend       Blend
	BackgroundMix  []Blend // background-blend-mode, one per layer, repeated

	masks                    layerLists // the parts of Mask
	translate, rotate, scale []Transform
	transform                []Transform // the parts of Transform
}

// AspectRatio is width by height; 0 is auto. Auto is set in addition for "auto 16/9": pictures keep their own ratio.
type AspectRatio struct {
	Ratio float64
	Auto  bool
}

// Corners are the radii of a box: horizontal and vertical of each corner, percentages of its width and height.
type Corners struct {
	TopLeft, TopRight, BottomRight, BottomLeft Radius
	Shape                                      [4]float64 // corner-shape as superellipse exponent; 0 is round
}

// Radius is that of one corner. Shape of the corner is in Corners.
type Radius struct {
	X, Y value.Length
}

// None reports whether all corners are square.
func (c *Corners) None() bool {
	return c.TopLeft == Radius{} && c.TopRight == Radius{} && c.BottomRight == Radius{} && c.BottomLeft == Radius{}
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

// Variation is the value of a variable font's axis.
type Variation struct {
	Tag   string
	Value float64
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
	Clip     Box
	Origin   Box
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
	Gradient *Gradient
}

// None reports whether there is no image.
func (i Image) None() bool { return i.URL == "" && i.Gradient == nil }

// GradientKind is the geometry of a gradient.
type GradientKind uint8

// The kinds.
const (
	LinearGradient GradientKind = iota
	RadialGradient
	ConicGradient
)

// Gradient is a gradient image.
type Gradient struct {
	Kind      GradientKind
	Repeating bool
	Space     colors.Space
	spaced    bool // it names its space
	HueLonger colors.HueWay
	// Angle of linear ones in degrees, 0 up and clockwise; of conic ones where they start. Side: to a corner, which
	// depends on the box: its X and Y are -1, 0 or 1.
	Angle        float64
	Corner       bool
	SideX, SideY int
	// X and Y are the center of radial and conic ones.
	X, Y value.Length
	// Of radial ones: Circle or ellipse, its extent, or explicit radii.
	Circle   bool
	Extent   Extent
	Explicit bool
	RX, RY   value.Length
	Stops    []Stop
}

// Stop is a color stop, or a hint.
type Stop struct {
	Color colors.Color
	At    value.Length // of conic ones: Percent of the turn
	Auto  bool         // without a position
	Hint  bool
}

// Extent of a radial gradient.
type Extent uint8

// The extents.
const (
	FarthestCorner Extent = iota
	ClosestSide
	FarthestSide
	ClosestCorner
)

// TransformKind is a transform function.
type TransformKind uint8

// The functions, as matrices or as what depends on the box.
const (
	TransformMatrix TransformKind = iota
	TransformTranslate
)

// Transform is one function of transform.
type Transform struct {
	Kind   TransformKind
	Matrix [6]float64   // a b c d e f
	X, Y   value.Length // of a translation
}

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

// ShapeKind is the kind of a clip-path.
type ShapeKind uint8

// The shapes.
const (
	ShapeBox ShapeKind = iota // only a reference box
	ShapeInset
	ShapeCircle
	ShapeEllipse
	ShapePolygon
	ShapePath
	ShapeCommands
)

// Shape is a clip-path.
type Shape struct {
	Kind    ShapeKind
	Ref     Box
	Inset   value.Sides[value.Length]
	Radius  Corners
	X, Y    value.Length // center
	RX, RY  value.Length
	ExtentX Extent // ClosestSide or FarthestSide where ExplicitX is false
	ExtentY Extent
	// ExplicitX and ExplicitY: RX and RY are given.
	ExplicitX, ExplicitY bool
	Points               [][2]value.Length
	EvenOdd              bool
	Path                 []PathStep // absolute, in px
	Commands             []ShapeCommand
}

// ShapeCommand is a command of shape(): M, L, H, V, C, S, Q, T, A or Z. To is its end, relative to the pen if Rel;
// A and B are control points.
type ShapeCommand struct {
	Op           byte
	Rel          bool
	To, A, B     [2]value.Length
	FromA, FromB ShapeOrigin
	RX, RY       value.Length // of an arc
	Rotation     float64
	Large, Sweep bool
}

// ShapeOrigin is what a control point is relative to.
type ShapeOrigin uint8

// The origins; FromDefault is the origin of absolute commands and the start of relative ones.
const (
	FromDefault ShapeOrigin = iota
	FromStart
	FromEnd
	FromOrigin
)

// PathStep is a step of a path: M, L, C, Q or Z with its points.
type PathStep struct {
	Op     byte
	Points [6]float64
}
