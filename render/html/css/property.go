package css

import (
	"slices"
	"strings"

	"masthead/render/html/counter"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// property is a longhand: how it is set, and copied from another style.
type property struct {
	inherited, effects bool
	set                func(b *builder, v []value.Value) bool
	copy               func(dst, src *Style)
}

// shorthand sets several longhands.
type shorthand struct {
	longhands []string
	set       func(b *builder, v []value.Value) bool
}

// of returns a property that is stored in a field.
func of[T any](field func(*Style) *T, read func(b *builder, v []value.Value) (T, bool)) *property {
	return &property{
		set: func(b *builder, v []value.Value) bool {
			x, ok := read(b, v)
			if ok {
				*field(&b.st) = x
			}
			return ok
		},
		copy: func(dst, src *Style) { *field(dst) = *field(src) },
	}
}

// single reads one value.
func single[T any](read func(b *builder, v *value.Value) (T, bool)) func(b *builder, v []value.Value) (T, bool) {
	return func(b *builder, v []value.Value) (x T, ok bool) {
		if len(v) != 1 {
			return x, false
		}
		return read(b, &v[0])
	}
}

// keyword reads one of several keywords.
func keyword[T any](words map[string]T) func(b *builder, v []value.Value) (T, bool) {
	return func(_ *builder, v []value.Value) (x T, ok bool) {
		if len(v) != 1 || v[0].Kind != value.Ident {
			return x, false
		}
		x, ok = words[strings.ToLower(v[0].Text)]
		return x, ok
	}
}

func inText(p *property) *property { p.inherited = true; return p }

func inEffects(p *property) *property { p.effects = true; return p }

var lineStyles = map[string]LineStyle{
	"none": LineNone, "hidden": LineHidden, "solid": LineSolid, "dashed": LineDashed, "dotted": LineDotted,
	"double": LineDouble, "groove": LineGroove, "ridge": LineRidge, "inset": LineInset, "outset": LineOutset,
}

var displays = map[string]Display{
	"inline": DisplayInline, "block": DisplayBlock, "inline-block": DisplayInlineBlock, "flex": DisplayFlex,
	"inline-flex": DisplayInlineFlex, "grid": DisplayGrid, "inline-grid": DisplayInlineGrid, "none": DisplayNone,
	"contents": DisplayContents, "flow-root": DisplayFlowRoot, "list-item": DisplayListItem,
	"-webkit-box": DisplayWebkitBox, "-webkit-inline-box": DisplayInlineWebkitBox, "-webkit-flex": DisplayFlex,
	"table": DisplayTable, "inline-table": DisplayInlineTable, "table-row": DisplayTableRow,
	"table-row-group": DisplayTableRowGroup, "table-header-group": DisplayTableRowGroup,
	"table-footer-group": DisplayTableRowGroup, "table-cell": DisplayTableCell, "table-column": DisplayTableColumn,
	"table-column-group": DisplayTableColumn, "table-caption": DisplayTableCaption, "flow": DisplayBlock,
}

var aligns = map[string]Align{
	"normal": AlignNormal, "auto": AlignAuto, "stretch": AlignStretch, "start": AlignStart, "end": AlignEnd,
	"flex-start": AlignFlexStart, "flex-end": AlignFlexEnd, "center": AlignCenter, "baseline": AlignBaseline,
	"space-between": AlignSpaceBetween, "space-around": AlignSpaceAround, "space-evenly": AlignSpaceEvenly,
	"left": AlignLeft, "right": AlignRight, "self-start": AlignSelfStart, "self-end": AlignSelfEnd,
}

var overflows = map[string]Overflow{
	"visible": OverflowVisible, "hidden": OverflowHidden, "auto": OverflowHidden, "scroll": OverflowHidden,
	"clip": OverflowClip, "overlay": OverflowHidden,
}

var blends = map[string]Blend{
	"normal": BlendNormal, "multiply": BlendMultiply, "screen": BlendScreen, "overlay": BlendOverlay,
	"darken": BlendDarken, "lighten": BlendLighten, "color-dodge": BlendColorDodge, "color-burn": BlendColorBurn,
	"hard-light": BlendHardLight, "soft-light": BlendSoftLight, "difference": BlendDifference,
	"exclusion": BlendExclusion, "hue": BlendHue, "saturation": BlendSaturation, "color": BlendColor,
	"luminosity": BlendLuminosity, "plus-lighter": BlendPlusLighter,
}

// readAlign reads an alignment; "safe" and "unsafe" make no difference to it.
func readAlign(_ *builder, v []value.Value) (Align, bool) {
	if len(v) == 2 && (v[0].Is("safe") || v[0].Is("unsafe") || v[0].Is("first")) {
		v = v[1:]
	}
	if len(v) == 2 && v[0].Is("last") && v[1].Is("baseline") {
		return AlignLastBaseline, true
	}
	if len(v) == 2 && v[0].Is("legacy") {
		v = v[1:]
	}
	return keyword(aligns)(nil, v)
}

// readSize reads width and the like: not negative; none is for maximum sizes alone.
func readSize(maximum bool) func(b *builder, v *value.Value) (value.Size, bool) {
	return func(b *builder, v *value.Value) (value.Size, bool) {
		s, ok := b.size(v)
		if v.Kind == value.Number && (s.Px < 0 || s.Percent < 0) || s.Kind == value.Content ||
			(s.Kind == value.None) != maximum && (s.Kind == value.None || s.Kind == value.Auto) {
			return s, false
		}
		if v.Kind == value.Function && !s.HasPercent() {
			s.Px = max(s.Px, 0)
		}
		return s, ok
	}
}

// readOffset reads margins and insets.
func readOffset(b *builder, v *value.Value) (value.Size, bool) {
	s, ok := b.size(v)
	return s, ok && (s.Kind == value.Auto || s.Kind == value.Fixed)
}

func readGap(b *builder, v *value.Value) (value.Length, bool) {
	if v.Is("normal") {
		return value.Length{}, true
	}
	return positive(b, v)
}

func readColor(b *builder, v *value.Value) (colors.Color, bool) { return b.color(v) }

func readBorderWidth(b *builder, v *value.Value) (float64, bool) {
	switch {
	case v.Is("thin"):
		return 1, true
	case v.Is("medium"):
		return 3, true
	case v.Is("thick"):
		return 5, true
	}
	l, ok := b.px(v)
	return l, ok && l >= 0
}

func readPx(b *builder, v *value.Value) (float64, bool) { return b.px(v) }

func readNumber(b *builder, v *value.Value) (float64, bool) {
	n, ok := b.number(v)
	return n, ok && n >= 0
}

func readInteger(b *builder, v *value.Value) (int, bool) {
	n, ok := b.number(v)
	return int(n), ok && n == float64(int(n))
}

func readLength(b *builder, v *value.Value) (value.Length, bool) { return b.length(v) }

// properties are the longhands by name.
var properties map[string]*property

// shorthands are the others.
var shorthands map[string]*shorthand

func init() {
	properties = map[string]*property{}
	shorthands = map[string]*shorthand{}
	addFlowProperties()
	addSizeProperties()
	addFlexProperties()
	addInlineProperties()
	addFontProperties()
	addParagraphProperties()
	addLetterProperties()
	addFontFeatures()
	addBoxProperties()
	addEffectProperties()
	addTransformProperties()
	addLayerProperties()
	addGridProperties()
	addGridShorthands()
	addBoxShorthands()
	addBorderShorthands()
	addTextShorthands()
	addFlexShorthands()
}

var (
	positions = map[string]Position{
		"static": Static, "relative": Relative, "absolute": Absolute, "fixed": FixedPosition, "sticky": Sticky,
		"-webkit-sticky": Sticky,
	}
	floats = map[string]Float{
		"none": FloatNone, "left": FloatLeft, "right": FloatRight, "inline-start": FloatLeft, "inline-end": FloatRight,
	}
	clears = map[string]Clear{
		"none": ClearNone, "left": ClearLeft, "right": ClearRight, "both": ClearBoth, "inline-start": ClearLeft,
		"inline-end": ClearRight,
	}
	directions = map[string]FlexDirection{
		"row": Row, "row-reverse": RowReverse, "column": Column, "column-reverse": ColumnReverse,
	}
	orients = map[string]BoxOrient{
		"horizontal": OrientHorizontal, "vertical": OrientVertical, "inline-axis": OrientHorizontal,
		"block-axis": OrientVertical,
	}
	bidis = map[string]UnicodeBidi{
		"normal": BidiNormal, "embed": BidiEmbed, "isolate": BidiIsolate, "bidi-override": BidiOverride,
		"isolate-override": BidiIsolateOverride, "plaintext": BidiPlaintext,
	}
	isolations = map[string]bool{"auto": false, "isolate": true}
	fits       = map[string]ObjectFit{
		"fill": FitFill, "contain": FitContainBox, "cover": FitCover, "none": FitNone, "scale-down": FitScaleDown,
	}
	decorationStyles = map[string]LineStyle{
		"solid": LineSolid, "double": LineDouble, "dotted": LineDotted, "dashed": LineDashed, "wavy": LineWavy,
	}
	verticalAligns = map[string]VAlign{
		"baseline": VBaseline, "sub": VSub, "super": VSuper, "text-top": VTextTop, "text-bottom": VTextBottom,
		"middle": VMiddle, "top": VTop, "bottom": VBottom,
	}
)

// addFlowProperties adds what kind of box an element makes, and its place.
func addFlowProperties() {
	sizing := map[string]BoxSizing{"content-box": ContentBox, "border-box": BorderBox}
	p := properties
	p["display"] = of(func(s *Style) *Display { return &s.Display }, readDisplay)
	p["position"] = of(func(s *Style) *Position { return &s.Position }, keyword(positions))
	p["float"] = of(func(s *Style) *Float { return &s.Float }, keyword(floats))
	p["clear"] = of(func(s *Style) *Clear { return &s.Clear }, keyword(clears))
	p["box-sizing"] = of(func(s *Style) *BoxSizing { return &s.BoxSizing }, keyword(sizing))
	p["overflow-x"] = of(func(s *Style) *Overflow { return &s.OverflowX }, keyword(overflows))
	p["overflow-y"] = of(func(s *Style) *Overflow { return &s.OverflowY }, keyword(overflows))
	p["z-index"] = &property{
		set:  (*builder).zIndex,
		copy: func(d, s *Style) { d.ZAuto, d.ZIndex = s.ZAuto, s.ZIndex },
	}
	p["order"] = of(func(s *Style) *int { return &s.Order }, single(readInteger))
	p["opacity"] = of(func(s *Style) *float64 { return &s.Opacity }, single(readShare))
	p["isolation"] = of(func(s *Style) *bool { return &s.Isolate }, keyword(isolations))
	p["object-fit"] = of(func(s *Style) *ObjectFit { return &s.ObjectFit }, keyword(fits))
	p["object-position"] = of(func(s *Style) *[2]value.Length { return &s.ObjectPosition }, (*builder).position)
	p["background-color"] = of(func(s *Style) *colors.Color { return &s.BackgroundColor }, single(readColor))
	for i, name := range [counterChanges]string{"counter-reset", "counter-increment", "counter-set"} {
		p[name] = of(func(s *Style) *[]counter.Op { return &s.counters[i] }, readCounters(i == changeIncrement))
	}
	p["content"] = of(func(s *Style) *[]value.Value { return &s.content },
		func(_ *builder, v []value.Value) ([]value.Value, bool) { return v, true })
}

func addSizeProperties() {
	addContainerProperties()
	p := properties
	p["width"] = of(func(s *Style) *value.Size { return &s.Width }, single(readSize(false)))
	p["height"] = of(func(s *Style) *value.Size { return &s.Height }, single(readSize(false)))
	p["min-width"] = of(func(s *Style) *value.Size { return &s.MinWidth }, single(readSize(false)))
	p["min-height"] = of(func(s *Style) *value.Size { return &s.MinHeight }, single(readSize(false)))
	p["max-width"] = of(func(s *Style) *value.Size { return &s.MaxWidth }, single(readSize(true)))
	p["max-height"] = of(func(s *Style) *value.Size { return &s.MaxHeight }, single(readSize(true)))
	p["aspect-ratio"] = of(func(s *Style) *AspectRatio { return &s.AspectRatio }, (*builder).aspectRatio)
}

// addFlexProperties adds those of flex containers, and the alignments that grids have too.
func addFlexProperties() {
	wraps := map[string]FlexWrap{"nowrap": NoWrap, "wrap": Wrap, "wrap-reverse": WrapReverse}
	p := properties
	p["flex-direction"] = of(func(s *Style) *FlexDirection { return &s.FlexDirection }, keyword(directions))
	p["flex-wrap"] = of(func(s *Style) *FlexWrap { return &s.FlexWrap }, keyword(wraps))
	p["flex-grow"] = of(func(s *Style) *float64 { return &s.FlexGrow }, single(readNumber))
	p["flex-shrink"] = of(func(s *Style) *float64 { return &s.FlexShrink }, single(readNumber))
	p["flex-basis"] = of(func(s *Style) *value.Size { return &s.FlexBasis }, single(readBasis))
	p["row-gap"] = of(func(s *Style) *value.Length { return &s.RowGap }, single(readGap))
	p["column-gap"] = of(func(s *Style) *value.Length { return &s.ColumnGap }, single(readGap))
	p["align-items"] = of(func(s *Style) *Align { return &s.AlignItems }, readAlign)
	p["align-self"] = of(func(s *Style) *Align { return &s.AlignSelf }, readAlign)
	p["align-content"] = of(func(s *Style) *Align { return &s.AlignContent }, readAlign)
	p["justify-items"] = of(func(s *Style) *Align { return &s.JustifyItems }, readAlign)
	p["justify-self"] = of(func(s *Style) *Align { return &s.JustifySelf }, readAlign)
	p["justify-content"] = of(func(s *Style) *Align { return &s.JustifyContent }, readAlign)
}

// addInlineProperties adds those of text that aren't inherited.
func addInlineProperties() {
	p := properties
	p["vertical-align"] = of(func(s *Style) *VerticalAlign { return &s.VerticalAlign }, single((*builder).verticalAlign))
	p["text-overflow"] = of(func(s *Style) *TextOverflow { return &s.TextOverflow }, readTextOverflow)
	p["-webkit-line-clamp"] = of(func(s *Style) *int { return &s.LineClamp }, single(readClamp))
	p["-webkit-box-orient"] = of(func(s *Style) *BoxOrient { return &s.BoxOrient }, keyword(orients))
	p["box-decoration-break"] = of(func(s *Style) *bool { return &s.CloneEdges },
		keyword(map[string]bool{"slice": false, "clone": true}))
	p["unicode-bidi"] = of(func(s *Style) *UnicodeBidi { return &s.UnicodeBidi }, keyword(bidis))
	p["text-decoration-line"] = &property{
		set: (*builder).decorationLine,
		copy: func(d, s *Style) {
			a, b := &d.Decoration, &s.Decoration
			a.Underline, a.Overline, a.LineThrough = b.Underline, b.Overline, b.LineThrough
		},
	}
	p["text-decoration-style"] = of(func(s *Style) *LineStyle { return &s.Decoration.Style }, keyword(decorationStyles))
	p["text-decoration-color"] = of(func(s *Style) *colors.Color { return &s.Decoration.Color }, single(readColor))
	p["text-decoration-thickness"] = of(func(s *Style) *value.Size { return &s.Decoration.Thickness },
		single(readThickness))
}

func (b *builder) zIndex(v []value.Value) bool {
	if len(v) == 1 && v[0].Is("auto") {
		b.st.ZAuto, b.st.ZIndex = true, 0
		return true
	}
	n, ok := single(readInteger)(b, v)
	if ok {
		b.st.ZAuto, b.st.ZIndex = false, n
	}
	return ok
}

func readShare(b *builder, v *value.Value) (float64, bool) {
	n, ok := b.numberOrPercent(v)
	return min(max(n, 0), 1), ok
}

func readBasis(b *builder, v *value.Value) (value.Size, bool) {
	s, ok := b.size(v)
	return s, ok && s.Kind != value.None && (v.Kind != value.Number || s.Px >= 0 && s.Percent >= 0)
}

func readTextOverflow(_ *builder, v []value.Value) (TextOverflow, bool) {
	if len(v) == 1 && v[0].Kind == value.String {
		return TextEllipsis, true
	}
	return keyword(map[string]TextOverflow{"clip": TextClip, "ellipsis": TextEllipsis})(nil, v)
}

func readClamp(b *builder, v *value.Value) (int, bool) {
	if v.Is("none") {
		return 0, true
	}
	n, ok := readInteger(b, v)
	return n, ok && n > 0
}

func readThickness(b *builder, v *value.Value) (value.Size, bool) {
	if v.Is("from-font") {
		return value.Size{Kind: value.Content}, true
	}
	return b.fontRelative(v)
}

func readDisplay(_ *builder, v []value.Value) (Display, bool) {
	if len(v) == 2 { // "inline flex", "block flow-root"
		inline := v[0].Is("inline")
		if v[0].Kind != value.Ident || v[1].Kind != value.Ident {
			return 0, false
		}
		d, ok := displays[strings.ToLower(v[1].Text)]
		if ok && inline {
			d = map[Display]Display{
				DisplayFlex: DisplayInlineFlex, DisplayGrid: DisplayInlineGrid, DisplayFlowRoot: DisplayInlineBlock,
				DisplayBlock: DisplayInline,
			}[d]
		}
		return d, ok
	}
	return keyword(displays)(nil, v)
}

func (b *builder) aspectRatio(v []value.Value) (r AspectRatio, ok bool) {
	for len(v) > 0 && v[0].Is("auto") {
		r.Auto, v = true, v[1:]
	}
	if len(v) > 0 && v[len(v)-1].Is("auto") {
		r.Auto, v = true, v[:len(v)-1]
	}
	if len(v) == 0 {
		return AspectRatio{}, r.Auto
	}
	a, c, found := value.SplitSlash(v)
	if len(a) != 1 {
		return r, false
	}
	x, ok := b.number(&a[0])
	y := 1.0
	if found && ok && len(c) == 1 {
		y, ok = b.number(&c[0])
	} else if found {
		return r, false
	}
	if !ok || x < 0 || y < 0 {
		return r, false
	}
	if x > 0 && y > 0 {
		r.Ratio = x / y
	}
	return r, true
}

func (b *builder) verticalAlign(v *value.Value) (VerticalAlign, bool) {
	if v.Kind == value.Ident {
		k, ok := verticalAligns[strings.ToLower(v.Text)]
		return VerticalAlign{Kind: k}, ok
	}
	l, ok := b.length(v)
	height := b.text.LineHeight.Px
	if b.text.LineHeight.Normal {
		height = 1.2 * b.text.FontSize
	}
	if b.text.LineHeight.Number > 0 {
		height = b.text.LineHeight.Number * b.text.FontSize
	}
	return VerticalAlign{Raise: l.Resolve(height)}, ok
}

// fontRelative reads auto, a length, or a percentage of the font size.
func (b *builder) fontRelative(v *value.Value) (value.Size, bool) {
	if v.Is("auto") {
		return value.Size{}, true
	}
	l, ok := b.length(v)
	return value.Px(l.Resolve(b.text.FontSize)), ok
}

func (b *builder) decorationLine(v []value.Value) bool {
	d := b.st.Decoration
	d.Underline, d.Overline, d.LineThrough = false, false, false
	for i := range v {
		switch {
		case v[i].Is("none") && len(v) == 1:
		case v[i].Is("underline"):
			d.Underline = true
		case v[i].Is("overline"):
			d.Overline = true
		case v[i].Is("line-through"):
			d.LineThrough = true
		case v[i].Is("blink"):
		default:
			return false
		}
	}
	b.st.Decoration = d
	return true
}

// setColor sets color, where currentColor is the inherited one.
func (b *builder) setColor(v []value.Value) bool {
	if len(v) != 1 {
		return false
	}
	c, ok := b.color(&v[0])
	if ok {
		if c.Current {
			b.text.Color = b.parent.Color
		} else {
			b.text.Color = c.NRGBA
		}
	}
	return ok
}

// Properties returns the names of all properties that are drawn, sorted.
func Properties() []string {
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	for name := range shorthands {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
