package draw

import (
	"sort"

	"masthead/render/html/css"
	"masthead/render/html/layout/fragment"
)

// item is a positioned box or stacking context to be painted by its z-index.
type item struct {
	f  *fragment.Fragment
	z  int
	up bool // a stacking context of its own
}

// collect gathers what is painted by z-index within a stacking context, in the order of the document.
func collect(f *fragment.Fragment, list []item) []item {
	for _, c := range f.Children {
		if c.Hidden {
			continue
		}
		switch own := makesContext(c); {
		case own:
			list = append(list, item{c, c.Style.ZIndex, true})
		case c.Positioned && !c.Anonymous:
			list = append(list, item{c, 0, false})
			list = collect(c, list)
		default:
			list = collect(c, list)
		}
	}
	return list
}

// apart reports whether a fragment isn't painted in the flow of its parent.
func apart(f *fragment.Fragment) bool { return f.Positioned && !f.Anonymous || makesContext(f) }

// context paints a stacking context, with its effects.
func (p *painter) context(f *fragment.Fragment, t target, root bool) {
	if p.stop() {
		return
	}
	items := collect(f, nil)
	sort.SliceStable(items, func(i, k int) bool { return items[i].z < items[k].z })
	isolate := false
	if !root {
		for _, it := range items {
			st := it.f.Style
			isolate = isolate || st.MixBlend != css.BlendNormal || hidesBackdrop(f.Style) && st.BackdropFilter != nil
		}
	}
	inside := func(t target) {
		s := &scene{p: p, root: f, base: t, clips: map[*fragment.Fragment]target{}}
		p.decorate(f, t)
		k := 0
		for ; k < len(items) && items[k].z < 0; k++ {
			p.item(items[k], s)
		}
		inner := s.within(f, t)
		p.phases(f, inner, s)
		p.outline(f, t)
		for ; k < len(items); k++ {
			p.item(items[k], s)
		}
	}
	if root {
		inside(t)
		return
	}
	if !plain(f.Style, isolate) && p.putOff(paintContext, f, t) {
		return
	}
	p.withEffects(f, t, isolate, inside)
}

// hidesBackdrop reports whether boxes inside filter only what is behind them in this one. Other styles that hide it
// have a layer in any case. Source: Filter Effects 2, backdrop root.
func hidesBackdrop(st *css.Style) bool { return st.BackdropFilter != nil || st.ClipPath != nil }

func (p *painter) item(it item, s *scene) {
	t := s.targetOf(it.f)
	if t.c.R.Empty() {
		return
	}
	if it.up {
		p.context(it.f, t, false)
		return
	}
	p.atomic(it.f, t, s)
}

// atomic paints a box with all that isn't painted apart, as if it made a stacking context.
func (p *painter) atomic(f *fragment.Fragment, t target, s *scene) {
	if p.stop() || f.Hidden {
		return
	}
	switch f.Kind {
	case fragment.Text, fragment.Emoji:
		p.foregroundOf(f, t, s)
		return
	case fragment.Inline:
		p.foregroundOf(f, t, s)
		return
	}
	p.decorate(f, t)
	inner := s.within(f, t)
	p.phases(f, inner, s)
	p.outline(f, t)
}

// phases paints the content of a box: backgrounds of blocks, floats, then text and inline boxes, then outlines.
func (p *painter) phases(f *fragment.Fragment, t target, s *scene) {
	if f.Kind == fragment.Replaced {
		p.replaced(f, t)
		return
	}
	p.blocks(f, t, s)
	p.floats(f, t, s)
	p.inlines(f, t, s)
	p.blockOutlines(f, t, s)
}

// isBlock reports whether a fragment is a block in the flow.
func isBlock(c *fragment.Fragment) bool {
	return (c.Kind == fragment.Box || c.Kind == fragment.Replaced && !c.Atomic) && !c.Atomic && !c.FlexItem && !c.Float
}

func (p *painter) blocks(f *fragment.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || !isBlock(c) || p.textOnly {
			continue
		}
		p.decorate(c, t)
		if c.Kind == fragment.Box {
			p.blocks(c, s.within(c, t), s)
		}
	}
}

func (p *painter) floats(f *fragment.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) {
			continue
		}
		if c.Float {
			p.atomic(c, t, s)
			continue
		}
		if isBlock(c) && c.Kind == fragment.Box {
			p.floats(c, s.within(c, t), s)
		} else if c.Kind == fragment.Inline {
			p.floats(c, t, s)
		}
	}
}

func (p *painter) inlines(f *fragment.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || c.Float {
			continue
		}
		p.foregroundOf(c, t, s)
	}
}

// foregroundOf paints the text and inline boxes of a fragment.
func (p *painter) foregroundOf(c *fragment.Fragment, t target, s *scene) {
	if p.stop() {
		return
	}
	switch {
	case c.Kind == fragment.Text:
		p.text(c, t)
	case c.Kind == fragment.Emoji:
		p.emojiFragment(c, t)
	case c.Kind == fragment.Inline:
		if !p.textOnly {
			p.decorate(c, t)
		}
		p.inlines(c, t, s)
		if !p.textOnly {
			p.outline(c, t)
		}
	case isBlock(c) && c.Kind == fragment.Box:
		p.inlines(c, s.within(c, t), s)
	case isBlock(c):
		p.replaced(c, t)
	case p.textOnly:
		p.inlines(c, s.within(c, t), s)
	default:
		p.atomic(c, t, s)
	}
}

// blockOutlines paints the outlines of the blocks in a box.
func (p *painter) blockOutlines(f *fragment.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || !isBlock(c) || p.textOnly {
			continue
		}
		p.outline(c, t)
		if c.Kind == fragment.Box {
			p.blockOutlines(c, s.within(c, t), s)
		}
	}
}

// foreground paints only the text within a box, for backgrounds that are clipped to it.
func (p *painter) foreground(f *fragment.Fragment, t target) {
	s := &scene{p: p, root: f, base: t, clips: map[*fragment.Fragment]target{}}
	p.words(f, t, s)
}

func (p *painter) words(f *fragment.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || p.stop() {
			continue
		}
		if c.Kind == fragment.Text {
			p.text(c, t)
			continue
		}
		inner := t
		if makesContext(c) {
			inner.m = t.m.Mul(transformOf(c))
		}
		p.words(c, inner, s)
	}
}

// emojiFragment paints an emoji that layout made a box of its own.
func (p *painter) emojiFragment(f *fragment.Fragment, t target) {
	if f.Text == nil || f.Style.Visibility != css.Visible || p.textOnly {
		return
	}
	p.paintUnder()
	for i := range f.Text.Runs {
		for _, g := range f.Text.Runs[i].Glyphs {
			p.emojiAt(g.ID, rectOf(f.Border), f.Style.WritingMode.Quarters(), t)
		}
	}
}
