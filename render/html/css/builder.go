package css

import (
	"math"
	"strings"

	"masthead/render/html/css/colors"
	"masthead/render/html/css/media"
	"masthead/render/html/css/value"
)

// builder computes the style of one element.
type builder struct {
	st     Style
	text   Text // st.Text while it is built
	fx     Effects
	parent *Style
	root   *Text
	view   media.Viewport
	cq     media.Viewport      // what cqw and cqh refer to
	zero   func(*Text) float64 // advance of 0 in em
	// reverted is the style by the styles of the browser alone, which revert goes back to; nil where nothing reverts.
	reverted *Style

	textDirty, fxDirty bool
}

// Feature groups, in the order of growing weight.
const (
	featureKerning = iota
	featureLigatures
	featureCaps
	featureNumeric
	featureEastAsian
	featurePosition
	featureSettings
	featureGroups
)

// defaultEffects are shared by all styles without effects.
var defaultEffects = &Effects{
	Outline: BorderSide{Width: 3, Color: colors.Color{Current: true}},
	Origin:  [2]value.Length{{Percent: 50}, {Percent: 50}},

	BorderImage: initialBorderImage,
}

// initial is the style with all properties at their initial values.
var initial = func() *Style {
	current := colors.Color{Current: true}
	side := BorderSide{Width: 3, Color: current}
	s := &Style{
		Text: &Text{
			FontFamily: []string{"serif"}, FontSize: 16, FontWeight: 400, FontStretch: 100,
			LineHeight: LineHeight{Normal: true}, TabSize: TabSize{Spaces: 8}, TextAlignLast: TextAuto,
			StrokeColor: current, FillColor: current, SkipInk: true,
		},
		Effects: defaultEffects,
		ZAuto:   true, Opacity: 1, FlexShrink: 1,
		MaxWidth: value.Size{Kind: value.None}, MaxHeight: value.Size{Kind: value.None},
		Margin:    value.Around(value.Px(0)),
		Border:    value.Around(side),
		AlignSelf: AlignAuto, JustifySelf: AlignAuto,
		ObjectPosition: [2]value.Length{{Percent: 50}, {Percent: 50}},
		Decoration:     Decoration{Style: LineSolid, Color: current},
	}
	s.Text.Color.A = 255
	return s
}()

// start prepares the builder for a child of parent.
func (b *builder) start(parent *Style) {
	b.parent = parent
	b.st = *initial
	b.text = *parent.Text
	b.fx = *defaultEffects
	b.st.Text, b.st.Effects = &b.text, &b.fx
	b.textDirty, b.fxDirty = false, false
}

// snapshot returns a copy of the style as far as it is built.
func (b *builder) snapshot() *Style {
	st, text, fx := b.st, b.text, b.fx
	st.Text, st.Effects = &text, &fx
	return &st
}

// finish completes the style: what depends on several properties.
func (b *builder) finish(parentDisplay Display, isRoot bool) *Style {
	st := b.st
	if b.textDirty {
		if l := &b.text.LineHeight; !l.Normal && l.Number > 0 {
			l.Px = l.Number * b.text.FontSize
		}
		b.text.Features = joinFeatures(&b.text)
		t := b.text
		st.Text = &t
	} else {
		st.Text = b.parent.Text
	}
	if b.fxDirty {
		fx := b.fx
		fx.Outline.Width = lineWidth(&fx.Outline)
		fx.Transform = append(append(append(fx.translate[:len(fx.translate):len(fx.translate)], fx.rotate...),
			fx.scale...), fx.transform...)
		fx.Mask = fx.masks.layers()
		st.Effects = &fx
	} else {
		st.Effects = noEffects
	}
	for _, side := range []*BorderSide{&st.Border.Top, &st.Border.Right, &st.Border.Bottom, &st.Border.Left} {
		side.Width = lineWidth(side)
	}
	st.Background = st.layers.layers()
	st.ColorClip = last(st.layers.clip, value.BoxBorder, max(len(st.layers.images), 1))
	outOfFlow := st.Position == Absolute || st.Position == FixedPosition
	item := isContainer(parentDisplay)
	if outOfFlow || item {
		st.Float = FloatNone
	}
	if outOfFlow || item || isRoot || st.Float != FloatNone {
		st.Display = blockified(st.Display)
	}
	fixOverflow(&st)
	return &st
}

// noEffects is defaultEffects with an outline of no width.
var noEffects = func() *Effects {
	fx := *defaultEffects
	fx.Outline.Width = 0
	return &fx
}()

// lineWidth returns the width of a border as Chromium draws it: whole pixels, at least one.
func lineWidth(s *BorderSide) float64 {
	if s.Style == LineNone || s.Style == LineHidden || s.Width <= 0 {
		return 0
	}
	if s.Width < 1 {
		return 1
	}
	return math.Floor(s.Width)
}

func fixOverflow(st *Style) {
	if (st.OverflowX == OverflowHidden) != (st.OverflowY == OverflowHidden) {
		if st.OverflowX == OverflowVisible || st.OverflowX == OverflowClip {
			st.OverflowX = OverflowHidden
		} else {
			st.OverflowY = OverflowHidden
		}
	}
}

func isContainer(d Display) bool {
	return d == DisplayFlex || d == DisplayInlineFlex || d == DisplayGrid || d == DisplayInlineGrid
}

// blockified returns the block-level equivalent of a display.
func blockified(d Display) Display {
	switch d {
	case DisplayInline, DisplayInlineBlock, DisplayTableRow, DisplayTableRowGroup, DisplayTableCell,
		DisplayTableColumn, DisplayTableCaption:
		return DisplayBlock
	case DisplayInlineFlex:
		return DisplayFlex
	case DisplayInlineGrid:
		return DisplayGrid
	case DisplayInlineWebkitBox:
		return DisplayWebkitBox
	case DisplayInlineTable:
		return DisplayTable
	}
	return d
}

func joinFeatures(t *Text) []Feature {
	var list []Feature
	for _, group := range t.features {
		list = append(list, group...)
	}
	return list
}

// apply applies a declaration whose variables are replaced. ok is false if the value is invalid.
func (b *builder) apply(name string, v []value.Value) (ok bool) {
	if p, found := properties[name]; found {
		b.touch(p)
		if k, is := wide(v); is {
			b.keyword(p, k)
			return true
		}
		return len(v) > 0 && p.set(b, v)
	}
	if s, found := shorthands[name]; found {
		if k, is := wide(v); is {
			for _, n := range s.longhands {
				p := properties[n]
				b.touch(p)
				b.keyword(p, k)
			}
			return true
		}
		for _, n := range s.longhands {
			b.touch(properties[n])
		}
		return len(v) > 0 && s.set(b, v)
	}
	return false
}

func (b *builder) touch(p *property) {
	b.textDirty = b.textDirty || p.inherited
	b.fxDirty = b.fxDirty || p.effects
}

// wide returns the keyword of a value that every property has.
func wide(v []value.Value) (string, bool) {
	if len(v) != 1 || v[0].Kind != value.Ident {
		return "", false
	}
	for _, k := range []string{"inherit", "initial", "unset", "revert", "revert-layer"} {
		if v[0].Is(k) {
			return k, true
		}
	}
	return "", false
}

func (b *builder) keyword(p *property, k string) {
	if b.reverted != nil && strings.HasPrefix(k, "revert") {
		p.copy(&b.st, b.reverted)
		return
	}
	if k == "inherit" || p.inherited && k != "initial" {
		p.copy(&b.st, b.parent)
		return
	}
	p.copy(&b.st, initial)
}

// unset is what a declaration does whose variables have no value.
func (b *builder) unset(name string) {
	b.apply(name, []value.Value{{Kind: value.Ident, Text: "unset"}})
}
