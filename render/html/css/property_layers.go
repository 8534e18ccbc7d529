package css

import (
	"strings"

	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// layerLists are the lists of a background or mask, one per property.
type layerLists struct {
	images   []Image
	x, y     []value.Length
	sizes    []LayerSize
	repeats  [][2]Repeat
	clip     []value.Box
	origin   []value.Box
	fixed    []bool
	ops      []MaskOp
	luminous []MaskingMode
	isMask   bool
}

// at returns the value of a list for layer i; lists are repeated.
func at[T any](list []T, i int, initial T) T {
	if len(list) == 0 {
		return initial
	}
	return list[i%len(list)]
}

// last returns the value of a list for the lowest of n layers.
func last[T any](list []T, initial T, n int) T { return at(list, n-1, initial) }

// layers combines the lists.
func (l *layerLists) layers() []Layer {
	if len(l.images) == 0 {
		return nil
	}
	origin := value.BoxPadding
	if l.isMask {
		origin = value.BoxBorder
	}
	list := make([]Layer, len(l.images))
	for i := range list {
		r := at(l.repeats, i, [2]Repeat{})
		list[i] = Layer{
			Image: l.images[i], X: at(l.x, i, value.Length{}), Y: at(l.y, i, value.Length{}), Size: at(l.sizes, i, LayerSize{}),
			RepeatX: r[0], RepeatY: r[1], Clip: at(l.clip, i, value.BoxBorder), Origin: at(l.origin, i, origin),
			Fixed: at(l.fixed, i, false), MaskOp: at(l.ops, i, MaskAdd), Luminous: at(l.luminous, i, MaskAlpha),
		}
	}
	return list
}

// listOf returns a property that is a list in layerLists.
func listOf[T any](
	lists func(*Style) *layerLists, field func(*layerLists) *[]T, read func(b *builder, v []value.Value) (T, bool),
) *property {
	return &property{
		set: func(b *builder, v []value.Value) bool {
			var list []T
			for _, part := range value.SplitCommas(v) {
				x, ok := read(b, part)
				if !ok || len(list) >= maxList {
					return false
				}
				list = append(list, x)
			}
			*field(lists(&b.st)) = list
			return true
		},
		copy: func(d, s *Style) { *field(lists(d)) = *field(lists(s)) },
	}
}

var layerBoxes = map[string]value.Box{
	"border-box": value.BoxBorder, "padding-box": value.BoxPadding, "content-box": value.BoxContent, "text": value.BoxText,
	"border-area": value.BoxBorder, "no-clip": value.BoxNone, "fill-box": value.BoxContent, "stroke-box": value.BoxBorder,
	"view-box": value.BoxBorder, "padding": value.BoxPadding, "border": value.BoxBorder, "content": value.BoxContent,
}

var (
	maskOps = map[string]MaskOp{
		"add": MaskAdd, "subtract": MaskSubtract, "intersect": MaskIntersect, "exclude": MaskExclude,
	}
	maskModes   = map[string]MaskingMode{"alpha": MaskAlpha, "match-source": MaskAlpha, "luminance": MaskLuminance}
	attachments = map[string]bool{"scroll": false, "local": false, "fixed": true}
)

// addLayerProperties adds backgrounds and masks.
func addLayerProperties() {
	backgrounds := func(s *Style) *layerLists { return &s.layers }
	masks := func(s *Style) *layerLists { s.masks.isMask = true; return &s.masks }
	addLayers("background", false, backgrounds)
	addLayers("mask", true, masks)
	properties["background-attachment"] = listOf(backgrounds,
		func(l *layerLists) *[]bool { return &l.fixed }, keyword(attachments))
	effect("mask-composite", listOf(masks, func(l *layerLists) *[]MaskOp { return &l.ops }, keyword(maskOps)))
	effect("mask-mode", listOf(masks, func(l *layerLists) *[]MaskingMode { return &l.luminous }, keyword(maskModes)))
	aliases["-webkit-mask-composite"] = "mask-composite"
	aliases["-webkit-mask-position-x"], aliases["-webkit-mask-position-y"] = "mask-position-x", "mask-position-y"
}

// addLayers adds what backgrounds and masks have in common.
func addLayers(name string, mask bool, lists func(*Style) *layerLists) {
	add := func(suffix string, p *property) {
		p.effects = mask
		properties[name+"-"+suffix] = p
	}
	add("image", listOf(lists, func(l *layerLists) *[]Image { return &l.images }, single((*builder).image)))
	add("size", listOf(lists, func(l *layerLists) *[]LayerSize { return &l.sizes }, (*builder).layerSize))
	add("repeat", listOf(lists, func(l *layerLists) *[][2]Repeat { return &l.repeats }, readRepeat))
	add("clip", listOf(lists, func(l *layerLists) *[]value.Box { return &l.clip }, keyword(layerBoxes)))
	add("origin", listOf(lists, func(l *layerLists) *[]value.Box { return &l.origin }, keyword(layerBoxes)))
	add("position-x", listOf(lists, func(l *layerLists) *[]value.Length { return &l.x },
		func(b *builder, v []value.Value) (value.Length, bool) { return b.axisOffset(v, false) }))
	add("position-y", listOf(lists, func(l *layerLists) *[]value.Length { return &l.y },
		func(b *builder, v []value.Value) (value.Length, bool) { return b.axisOffset(v, true) }))
	shorthands[name+"-position"] = &shorthand{
		longhands: []string{name + "-position-x", name + "-position-y"},
		set: func(b *builder, v []value.Value) bool {
			var xs, ys []value.Length
			for _, part := range value.SplitCommas(v) {
				p, ok := b.position(part)
				if !ok || len(xs) >= maxList {
					return false
				}
				xs, ys = append(xs, p[0]), append(ys, p[1])
			}
			l := lists(&b.st)
			l.x, l.y = xs, ys
			return true
		},
	}
	longhands := []string{
		name + "-image", name + "-position-x", name + "-position-y", name + "-size", name + "-repeat",
		name + "-origin", name + "-clip",
	}
	if mask {
		longhands = append(longhands, "mask-composite", "mask-mode")
	} else {
		longhands = append(longhands, "background-attachment", "background-color")
	}
	shorthands[name] = &shorthand{longhands: longhands, set: func(b *builder, v []value.Value) bool {
		return b.layerShorthand(lists(&b.st), v, mask)
	}}
}

var repeats = map[string]Repeat{
	"repeat": RepeatTile, "no-repeat": RepeatNone, "space": RepeatSpace, "round": RepeatRound,
}

func readRepeat(_ *builder, v []value.Value) (r [2]Repeat, ok bool) {
	if len(v) == 1 {
		switch {
		case v[0].Is("repeat-x"):
			return [2]Repeat{RepeatTile, RepeatNone}, true
		case v[0].Is("repeat-y"):
			return [2]Repeat{RepeatNone, RepeatTile}, true
		}
	}
	words := keyword(repeats)
	if len(v) == 0 || len(v) > 2 {
		return r, false
	}
	if r[0], ok = words(nil, v[:1]); !ok {
		return r, false
	}
	r[1], ok = words(nil, v[len(v)-1:])
	return r, ok
}

func (b *builder) layerSize(v []value.Value) (s LayerSize, ok bool) {
	if len(v) == 1 && (v[0].Is("cover") || v[0].Is("contain")) {
		return LayerSize{Cover: v[0].Is("cover"), Contain: v[0].Is("contain")}, true
	}
	if len(v) == 0 || len(v) > 2 {
		return s, false
	}
	read := func(x *value.Value) (value.Size, bool) {
		if x.Is("auto") {
			return value.Size{}, true
		}
		l, ok := positive(b, x)
		return value.Size{Kind: value.Fixed, Length: l}, ok
	}
	if s.W, ok = read(&v[0]); ok && len(v) == 2 {
		s.H, ok = read(&v[1])
	}
	return s, ok
}

// layerShorthand reads background or mask.
func (b *builder) layerShorthand(l *layerLists, v []value.Value, mask bool) bool {
	out := layerLists{isMask: mask}
	col := colors.Color{}
	parts := value.SplitCommas(v)
	for i, part := range parts {
		one := Layer{Origin: value.BoxPadding, Clip: value.BoxBorder}
		if mask {
			one.Origin = value.BoxBorder
		}
		r := layerReader{b: b, layer: &one, mask: mask, last: i == len(parts)-1}
		if len(part) == 0 || i >= maxList || !r.read(part) {
			return false
		}
		if r.colored {
			col = r.color
		}
		out.images = append(out.images, one.Image)
		out.x, out.y = append(out.x, one.X), append(out.y, one.Y)
		out.sizes = append(out.sizes, one.Size)
		out.repeats = append(out.repeats, [2]Repeat{one.RepeatX, one.RepeatY})
		out.origin, out.clip = append(out.origin, one.Origin), append(out.clip, one.Clip)
		out.fixed = append(out.fixed, one.Fixed)
		out.ops, out.luminous = append(out.ops, one.MaskOp), append(out.luminous, one.Luminous)
	}
	*l = out
	if !mask {
		b.st.BackgroundColor = col
	}
	return true
}

// layerReader reads one layer of a shorthand.
type layerReader struct {
	b          *builder
	layer      *Layer
	mask, last bool
	boxes      int
	color      colors.Color
	colored    bool
}

func (r *layerReader) read(v []value.Value) bool {
	for len(v) > 0 {
		n := r.part(v)
		if n == 0 {
			return false
		}
		v = v[n:]
	}
	return true
}

// part reads one part of a layer, and returns the number of its values; 0 if there is none.
func (r *layerReader) part(v []value.Value) int {
	x := &v[0]
	if img, ok := r.b.image(x); ok {
		r.layer.Image = img
		return 1
	}
	if x.Kind == value.Ident {
		if n := r.word(v); n > 0 {
			return n
		}
	}
	if n := r.b.positionLength(v); n > 0 {
		return r.position(v, n)
	}
	c, ok := r.b.color(x)
	if !ok || r.mask || !r.last || r.colored {
		return 0
	}
	r.color, r.colored = c, true
	return 1
}

// word reads a keyword, or two of a repetition.
func (r *layerReader) word(v []value.Value) int {
	x := &v[0]
	word := strings.ToLower(x.Text)
	if box, ok := layerBoxes[word]; ok {
		if box != value.BoxText && r.boxes == 0 {
			r.layer.Origin = box
		}
		if box != value.BoxText {
			r.boxes++
		}
		r.layer.Clip = box
		return 1
	}
	for n := min(2, len(v)); n > 0; n-- {
		if k, ok := readRepeat(r.b, v[:n]); ok {
			r.layer.RepeatX, r.layer.RepeatY = k[0], k[1]
			return n
		}
	}
	if fixed, ok := attachments[word]; ok && !r.mask {
		r.layer.Fixed = fixed
		return 1
	}
	if r.mask {
		if op, ok := maskOps[word]; ok {
			r.layer.MaskOp = op
			return 1
		}
		if mode, ok := maskModes[word]; ok {
			r.layer.Luminous = mode
			return 1
		}
	}
	return 0
}

// position reads a position of n values, and a size behind a slash.
func (r *layerReader) position(v []value.Value, n int) int {
	p, ok := r.b.position(v[:n])
	if !ok {
		return 0
	}
	r.layer.X, r.layer.Y = p[0], p[1]
	if n+1 >= len(v) || !v[n].Delim("/") {
		return n
	}
	rest := v[n+1:]
	for k := min(2, len(rest)); k > 0; k-- {
		if size, ok := r.b.layerSize(rest[:k]); ok {
			r.layer.Size = size
			return n + 1 + k
		}
	}
	return 0
}

// positionLength returns how many values belong to a position.
func (b *builder) positionLength(v []value.Value) int {
	n := 0
	for n < len(v) && n < 4 {
		x := &v[n]
		if x.Is("left") || x.Is("right") || x.Is("top") || x.Is("bottom") || x.Is("center") {
			n++
			continue
		}
		if _, ok := b.length(x); !ok {
			break
		}
		n++
	}
	return n
}

// image reads an image: none, a URL or a gradient.
func (b *builder) image(v *value.Value) (Image, bool) {
	switch v.Kind {
	case value.Ident:
		return Image{}, v.Is("none")
	case value.URL:
		return Image{URL: v.Text}, true
	case value.Function:
		if v.Text == "url" && len(v.Args) == 1 && v.Args[0].Kind == value.String {
			return Image{URL: v.Args[0].Text}, true
		}
		if v.Text == "image-set" || v.Text == "-webkit-image-set" {
			part := value.SplitCommas(v.Args)[0]
			if len(part) > 0 && part[0].Kind == value.String {
				return Image{URL: part[0].Text}, true
			}
			if len(part) > 0 {
				return b.image(&part[0])
			}
			return Image{}, false
		}
		g, ok := b.gradient(v)
		return Image{Gradient: g}, ok
	}
	return Image{}, false
}
