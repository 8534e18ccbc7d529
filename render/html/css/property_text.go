package css

import (
	"strings"

	"masthead/render/html/counter"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// inherit adds an inherited property.
func inherit(name string, p *property) { properties[name] = inText(p) }

var (
	textAligns = map[string]TextAlign{
		"start": TextStart, "end": TextEnd, "left": TextLeft, "right": TextRight, "center": TextCenter,
		"justify": TextJustify, "-webkit-center": TextCenter, "-webkit-left": TextLeft, "-webkit-right": TextRight,
		"match-parent": TextStart,
	}
	lastAligns = map[string]TextAlign{
		"auto": TextAuto, "start": TextStart, "end": TextEnd, "left": TextLeft, "right": TextRight,
		"center": TextCenter, "justify": TextJustify,
	}
	textTransforms = map[string]TextTransform{
		"none": TransformNone, "uppercase": Uppercase, "lowercase": Lowercase, "capitalize": Capitalize,
	}
	wordBreaks = map[string]WordBreak{
		"normal": BreakNormal, "break-all": BreakAll, "keep-all": KeepAll, "break-word": BreakWord,
		"auto-phrase": BreakNormal,
	}
	lineBreaks = map[string]LineBreak{
		"auto": LineBreakAuto, "loose": LineBreakLoose, "normal": LineBreakNormal, "strict": LineBreakStrict,
		"anywhere": LineBreakAnywhere,
	}
	renderings = map[string]bool{
		"auto": false, "smooth": false, "high-quality": false, "crisp-edges": true, "pixelated": true,
		"-webkit-optimize-contrast": false,
	}
)

// addParagraphProperties adds those of lines and their breaks.
func addParagraphProperties() {
	wraps := map[string]OverflowWrap{"normal": WrapNormal, "break-word": WrapBreakWord, "anywhere": WrapAnywhere}
	hyphens := map[string]Hyphens{"manual": HyphensManual, "none": HyphensNone, "auto": HyphensAuto}
	writing := map[string]Direction{"ltr": LTR, "rtl": RTL}
	visible := map[string]Visibility{"visible": Visible, "hidden": Hidden, "collapse": Collapse}
	inside := map[string]bool{"inside": true, "outside": false}
	collapses := map[string]bool{"collapse": true, "separate": false}
	sides := map[string]bool{"bottom": true, "top": false, "block-end": true, "block-start": false}
	layouts := map[string]bool{"fixed": true, "auto": false}
	inherit("text-align", of(func(s *Style) *TextAlign { return &s.TextAlign }, keyword(textAligns)))
	inherit("text-align-last", of(func(s *Style) *TextAlign { return &s.TextAlignLast }, keyword(lastAligns)))
	inherit("text-indent", of(func(s *Style) *value.Length { return &s.TextIndent }, single(readLength)))
	inherit("white-space", &property{set: (*builder).whiteSpace, copy: func(d, s *Style) { d.WhiteSpace = s.WhiteSpace }})
	inherit("tab-size", of(func(s *Style) *TabSize { return &s.TabSize }, single(readTabSize)))
	inherit("overflow-wrap", of(func(s *Style) *OverflowWrap { return &s.OverflowWrap }, keyword(wraps)))
	inherit("word-break", of(func(s *Style) *WordBreak { return &s.WordBreak }, keyword(wordBreaks)))
	inherit("line-break", of(func(s *Style) *LineBreak { return &s.LineBreak }, keyword(lineBreaks)))
	inherit("hyphens", of(func(s *Style) *Hyphens { return &s.Hyphens }, keyword(hyphens)))
	inherit("text-wrap", &property{set: (*builder).textWrap, copy: func(d, s *Style) { d.TextWrap = s.TextWrap }})
	inherit("direction", of(func(s *Style) *Direction { return &s.Direction }, keyword(writing)))
	inherit("visibility", of(func(s *Style) *Visibility { return &s.Visibility }, keyword(visible)))
	inherit("writing-mode", of(func(s *Style) *WritingMode { return &s.WritingMode }, keyword(writingModes)))
	inherit("text-orientation", of(func(s *Style) *Orientation { return &s.Orientation }, keyword(orientations)))
	inherit("quotes", of(func(s *Style) *Quotes { return &s.Quotes }, readQuotes))
	inherit("list-style-type", of(func(s *Style) *listType { return &s.listType }, single(readListType)))
	inherit("border-collapse", of(func(s *Style) *bool { return &s.Collapse }, keyword(collapses)))
	inherit("border-spacing", of(func(s *Style) *[2]float64 { return &s.Spacing }, readSpacings))
	inherit("caption-side", of(func(s *Style) *bool { return &s.CaptionBelow }, keyword(sides)))
	properties["table-layout"] = of(func(s *Style) *bool { return &s.FixedTable }, keyword(layouts))
	inherit("list-style-position", of(func(s *Style) *bool { return &s.ListInside }, keyword(inside)))
}

// readSpacings reads one length for both, or one for each.
func readSpacings(b *builder, v []value.Value) (s [2]float64, ok bool) {
	if len(v) == 0 || len(v) > 2 {
		return s, false
	}
	for i := range s {
		if s[i], ok = b.px(&v[min(i, len(v)-1)]); !ok || s[i] < 0 {
			return s, false
		}
	}
	return s, true
}

// addLetterProperties adds how letters and the lines at them are painted.
func addLetterProperties() {
	skips := map[string]bool{"auto": true, "none": false, "all": true}
	inherit("text-transform", of(func(s *Style) *TextTransform { return &s.TextTransform }, keyword(textTransforms)))
	inherit("text-shadow", of(func(s *Style) *[]Shadow { return &s.TextShadow }, (*builder).textShadows))
	inherit("-webkit-text-stroke-width", of(func(s *Style) *float64 { return &s.StrokeWidth }, single(readBorderWidth)))
	inherit("-webkit-text-stroke-color", of(func(s *Style) *colors.Color { return &s.StrokeColor }, single(readColor)))
	inherit("-webkit-text-fill-color", of(func(s *Style) *colors.Color { return &s.FillColor }, single(readColor)))
	inherit("paint-order", of(func(s *Style) *bool { return &s.StrokeFirst }, beginsWith("stroke")))
	inherit("image-rendering", of(func(s *Style) *bool { return &s.ImagePixels }, keyword(renderings)))
	inherit("text-decoration-skip-ink", of(func(s *Style) *bool { return &s.SkipInk }, keyword(skips)))
	inherit("text-underline-offset", of(func(s *Style) *value.Size { return &s.UnderlineOff },
		single((*builder).fontRelative)))
	inherit("text-underline-position", of(func(s *Style) *bool { return &s.UnderlineLow }, beginsWith("under")))
}

// beginsWith reads keywords of which only the first matters.
func beginsWith(word string) func(b *builder, v []value.Value) (bool, bool) {
	return func(_ *builder, v []value.Value) (bool, bool) { return v[0].Is(word), v[0].Kind == value.Ident }
}

func (b *builder) textShadows(v []value.Value) ([]Shadow, bool) { return b.shadows(v, false) }

func readTabSize(b *builder, v *value.Value) (TabSize, bool) {
	if n, ok := b.number(v); ok {
		return TabSize{Spaces: n}, n >= 0
	}
	px, ok := b.px(v)
	return TabSize{Px: px}, ok && px >= 0
}

// listType is the list-style-type property: a style, or a text.
type listType struct {
	style counter.Style
	text  string
}

func readListType(_ *builder, v *value.Value) (t listType, ok bool) {
	if v.Kind == value.String {
		return listType{counter.Text, v.Text}, true
	}
	t.style, ok = counter.Styles[strings.ToLower(v.Text)]
	return t, ok && v.Kind == value.Ident
}

func (b *builder) lineHeight(v *value.Value) (LineHeight, bool) {
	if v.Is("normal") {
		return LineHeight{Normal: true}, true
	}
	if n, ok := b.number(v); ok {
		if n == 0 {
			return LineHeight{}, true
		}
		return LineHeight{Number: n, Px: n * b.text.FontSize}, n > 0
	}
	l, ok := b.length(v)
	px := l.Resolve(b.text.FontSize)
	return LineHeight{Px: px}, ok && px >= 0
}

func readSpacing(b *builder, v *value.Value) (float64, bool) {
	if v.Is("normal") {
		return 0, true
	}
	l, ok := b.length(v)
	return l.Resolve(b.text.FontSize), ok
}

func (b *builder) whiteSpace(v []value.Value) bool {
	w, ok := keyword(map[string]WhiteSpace{
		"normal": WhiteNormal, "nowrap": WhiteNowrap, "pre": WhitePre, "pre-wrap": WhitePreWrap,
		"pre-line": WhitePreLine, "break-spaces": WhiteBreakSpaces, "wrap": WhiteNormal,
	})(b, v)
	if !ok && len(v) <= 3 { // white-space-collapse and text-wrap-mode
		collapse, wrap := "collapse", true
		for i := range v {
			switch {
			case v[i].Is("nowrap"):
				wrap = false
			case v[i].Is("wrap"), v[i].Is("collapse"):
			case v[i].Is("preserve"), v[i].Is("preserve-breaks"), v[i].Is("break-spaces"):
				collapse = strings.ToLower(v[i].Text)
			default:
				return false
			}
		}
		ok = true
		switch collapse {
		case "preserve":
			w = WhitePreWrap
			if !wrap {
				w = WhitePre
			}
		case "preserve-breaks":
			w = WhitePreLine
		case "break-spaces":
			w = WhiteBreakSpaces
		default:
			if !wrap {
				w = WhiteNowrap
			}
		}
	}
	if ok {
		b.text.WhiteSpace = w
	}
	return ok
}

// textWrap sets how lines break; where the value has no nowrap, they do.
func (b *builder) textWrap(v []value.Value) bool {
	wrap, style := true, TextWrapNormal
	for i := range v {
		switch {
		case v[i].Is("nowrap"):
			wrap = false
		case v[i].Is("balance"):
			style = TextWrapBalance
		case v[i].Is("pretty"):
			style = TextWrapPretty
		case v[i].Is("wrap"), v[i].Is("stable"), v[i].Is("auto"):
		default:
			return false
		}
	}
	b.text.TextWrap = style
	switch w := &b.text.WhiteSpace; {
	case !wrap && (*w == WhiteNormal || *w == WhitePreLine):
		*w = WhiteNowrap
	case !wrap && *w == WhitePreWrap:
		*w = WhitePre
	case wrap && *w == WhiteNowrap:
		*w = WhiteNormal
	case wrap && *w == WhitePre:
		*w = WhitePreWrap
	}
	return true
}
