package css

// Display is the display property, inner and outer.
type Display uint8

// The displays.
const (
	DisplayInline Display = iota
	DisplayBlock
	DisplayInlineBlock
	DisplayFlex
	DisplayInlineFlex
	DisplayGrid
	DisplayInlineGrid
	DisplayNone
	DisplayContents
	DisplayFlowRoot
	DisplayListItem
	DisplayWebkitBox // -webkit-box: a block, or a flex container without line-clamp
	DisplayInlineWebkitBox
	DisplayTable
	DisplayInlineTable
	DisplayTableRow
	DisplayTableRowGroup
	DisplayTableCell
	DisplayTableColumn
	DisplayTableCaption
)

// Position is the position property.
type Position uint8

// The positions.
const (
	Static Position = iota
	Relative
	Absolute
	FixedPosition
	Sticky
)

// Float is the float property.
type Float uint8

// The floats.
const (
	FloatNone Float = iota
	FloatLeft
	FloatRight
)

// Clear is the clear property.
type Clear uint8

// The values of clear.
const (
	ClearNone Clear = iota
	ClearLeft
	ClearRight
	ClearBoth
)

// BoxSizing is the box-sizing property.
type BoxSizing uint8

// The box sizings.
const (
	ContentBox BoxSizing = iota
	BorderBox
)

// Overflow is the overflow of one axis.
type Overflow uint8

// The overflows; auto and scroll draw as hidden.
const (
	OverflowVisible Overflow = iota
	OverflowHidden
	OverflowClip
)

// FlexDirection is the flex-direction property.
type FlexDirection uint8

// The directions.
const (
	Row FlexDirection = iota
	RowReverse
	Column
	ColumnReverse
)

// FlexWrap is the flex-wrap property.
type FlexWrap uint8

// The wraps.
const (
	NoWrap FlexWrap = iota
	Wrap
	WrapReverse
)

// Align is a value of the align-* and justify-* properties.
type Align uint8

// The alignments.
const (
	AlignNormal Align = iota
	AlignAuto         // of *-self
	AlignStretch
	AlignStart
	AlignEnd
	AlignFlexStart
	AlignFlexEnd
	AlignCenter
	AlignBaseline
	AlignLastBaseline
	AlignSpaceBetween
	AlignSpaceAround
	AlignSpaceEvenly
	AlignLeft
	AlignRight
	AlignSelfStart
	AlignSelfEnd
)

// VAlign is a keyword of vertical-align.
type VAlign uint8

// The alignments of inline boxes.
const (
	VBaseline VAlign = iota // raised by Raise
	VSub
	VSuper
	VTextTop
	VTextBottom
	VMiddle
	VTop
	VBottom
)

// TextAlign is the text-align property.
type TextAlign uint8

// The alignments of lines.
const (
	TextStart TextAlign = iota
	TextEnd
	TextLeft
	TextRight
	TextCenter
	TextJustify
	TextAuto // text-align-last
)

// TextTransform is the text-transform property.
type TextTransform uint8

// The transforms.
const (
	TransformNone TextTransform = iota
	Uppercase
	Lowercase
	Capitalize
)

// WhiteSpace is the white-space property.
type WhiteSpace uint8

// The values of white-space.
const (
	WhiteNormal WhiteSpace = iota
	WhiteNowrap
	WhitePre
	WhitePreWrap
	WhitePreLine
	WhiteBreakSpaces
)

// OverflowWrap is the overflow-wrap property.
type OverflowWrap uint8

// The values of overflow-wrap.
const (
	WrapNormal OverflowWrap = iota
	WrapBreakWord
	WrapAnywhere
)

// WordBreak is the word-break property.
type WordBreak uint8

// The values of word-break.
const (
	BreakNormal WordBreak = iota
	BreakAll
	KeepAll
	BreakWord
)

// LineBreak is the line-break property.
type LineBreak uint8

// The values of line-break.
const (
	LineBreakAuto LineBreak = iota
	LineBreakLoose
	LineBreakNormal
	LineBreakStrict
	LineBreakAnywhere
)

// Hyphens is the hyphens property.
type Hyphens uint8

// The values of hyphens.
const (
	HyphensManual Hyphens = iota
	HyphensNone
	HyphensAuto
)

// TextWrap is the text-wrap property; nowrap is in WhiteSpace.
type TextWrap uint8

// The values of text-wrap.
const (
	TextWrapNormal TextWrap = iota
	TextWrapBalance
	TextWrapPretty
)

// Direction is the direction property.
type Direction uint8

// The directions of text.
const (
	LTR Direction = iota
	RTL
)

// UnicodeBidi is the unicode-bidi property.
type UnicodeBidi uint8

// The values of unicode-bidi.
const (
	BidiNormal UnicodeBidi = iota
	BidiEmbed
	BidiIsolate
	BidiOverride
	BidiIsolateOverride
	BidiPlaintext
)

// TextOverflow is the text-overflow property.
type TextOverflow uint8

// The values of text-overflow.
const (
	TextClip TextOverflow = iota
	TextEllipsis
)

// BoxOrient is -webkit-box-orient.
type BoxOrient uint8

// The orientations.
const (
	OrientHorizontal BoxOrient = iota
	OrientVertical
)

// Visibility is the visibility property.
type Visibility uint8

// The visibilities.
const (
	Visible Visibility = iota
	Hidden
	Collapse
)

// LineStyle is the style of a border, outline or decoration.
type LineStyle uint8

// The line styles.
const (
	LineNone LineStyle = iota
	LineSolid
	LineDashed
	LineDotted
	LineDouble
	LineHidden
	LineGroove
	LineRidge
	LineInset
	LineOutset
	LineWavy
)

// Repeat is the repetition of a layer along one axis.
type Repeat uint8

// The repetitions.
const (
	RepeatTile Repeat = iota
	RepeatNone
	RepeatSpace
	RepeatRound
)

// ObjectFit is the object-fit property.
type ObjectFit uint8

// The fits.
const (
	FitFill ObjectFit = iota
	FitContainBox
	FitCover
	FitNone
	FitScaleDown
)

// Blend is a blend mode.
type Blend uint8

// The blend modes.
const (
	BlendNormal Blend = iota
	BlendMultiply
	BlendScreen
	BlendOverlay
	BlendDarken
	BlendLighten
	BlendColorDodge
	BlendColorBurn
	BlendHardLight
	BlendSoftLight
	BlendDifference
	BlendExclusion
	BlendHue
	BlendSaturation
	BlendColor
	BlendLuminosity
	BlendPlusLighter
)
