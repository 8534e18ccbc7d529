package css

import "masthead/render/html/css/value"

// BorderImage is the border-image properties. Lists are by side: top, right, bottom, left.
type BorderImage struct {
	Source  Image
	Slice   [4]value.Length // of the picture, in its px
	Fill    bool            // whether the middle of the picture is drawn, too
	Width   [4]EdgeWidth
	Outset  [4]EdgeWidth
	Stretch [2]bool // horizontally, vertically: rather than repeated as Repeat says
	Repeat  [2]Repeat
}

// EdgeWidth is a length, a multiple of the border's width, or that of the picture's slice.
type EdgeWidth struct {
	Length value.Length
	Times  float64
	Auto   bool
}

var initialBorderImage = BorderImage{
	Slice: [4]value.Length{{Percent: 100}, {Percent: 100}, {Percent: 100}, {Percent: 100}},
	Width: [4]EdgeWidth{{Times: 1}, {Times: 1}, {Times: 1}, {Times: 1}}, Stretch: [2]bool{true, true},
}

var edgeRepeats = map[string]Repeat{"repeat": RepeatTile, "round": RepeatRound, "space": RepeatSpace}

func addBorderImageProperties() {
	add := func(part string, read func(b *builder, v []value.Value, to *BorderImage) bool) {
		p := &property{
			set: func(b *builder, v []value.Value) bool { return read(b, v, &b.fx.BorderImage) },
			copy: func(d, s *Style) {
				from, to := &s.BorderImage, &d.BorderImage
				switch part {
				case "source":
					to.Source = from.Source
				case "slice":
					to.Slice, to.Fill = from.Slice, from.Fill
				case "width":
					to.Width = from.Width
				case "outset":
					to.Outset = from.Outset
				default:
					to.Stretch, to.Repeat = from.Stretch, from.Repeat
				}
			},
		}
		effect("border-image-"+part, p)
	}
	add("source", func(b *builder, v []value.Value, to *BorderImage) bool {
		if len(v) != 1 {
			return false
		}
		img, ok := b.image(&v[0])
		if ok {
			to.Source = img
		}
		return ok
	})
	add("slice", readSlices)
	add("width", func(b *builder, v []value.Value, to *BorderImage) bool { return b.edgeWidths(v, &to.Width) })
	add("outset", func(b *builder, v []value.Value, to *BorderImage) bool { return b.edgeWidths(v, &to.Outset) })
	add("repeat", readEdgeRepeats)
	shorthands["border-image"] = &shorthand{
		longhands: []string{
			"border-image-source", "border-image-slice", "border-image-width", "border-image-outset", "border-image-repeat",
		},
		set: (*builder).borderImage,
	}
}

func readSlices(b *builder, v []value.Value, to *BorderImage) bool {
	var rest []value.Value
	fill := false
	for i := range v {
		if v[i].Is("fill") {
			fill = true
		} else {
			rest = append(rest, v[i])
		}
	}
	list, ok := value.Four(rest)
	if !ok {
		return false
	}
	var out [4]value.Length
	for i, side := range list {
		if n, isNumber := b.number(&side[0]); isNumber && n >= 0 {
			out[i] = value.Length{Px: n}
			continue
		}
		share, isShare := b.numberOrPercent(&side[0])
		if !isShare || share < 0 {
			return false
		}
		out[i] = value.Length{Percent: 100 * share}
	}
	to.Slice, to.Fill = out, fill
	return true
}

func (b *builder) edgeWidths(v []value.Value, to *[4]EdgeWidth) bool {
	list, ok := value.Four(v)
	if !ok {
		return false
	}
	var out [4]EdgeWidth
	for i, side := range list {
		if n, isNumber := b.number(&side[0]); isNumber && n >= 0 {
			out[i] = EdgeWidth{Times: n}
			continue
		}
		if side[0].Is("auto") {
			out[i] = EdgeWidth{Auto: true}
			continue
		}
		l, isLength := b.length(&side[0])
		if !isLength {
			return false
		}
		out[i] = EdgeWidth{Length: l}
	}
	*to = out
	return true
}

func readEdgeRepeats(_ *builder, v []value.Value, to *BorderImage) bool {
	if len(v) < 1 || len(v) > 2 {
		return false
	}
	var stretch [2]bool
	var repeat [2]Repeat
	for i := range stretch {
		word := &v[min(i, len(v)-1)]
		if stretch[i] = word.Is("stretch"); stretch[i] {
			continue
		}
		k, ok := edgeRepeats[word.Text]
		if !ok || word.Kind != value.Ident {
			return false
		}
		repeat[i] = k
	}
	to.Stretch, to.Repeat = stretch, repeat
	return true
}

// borderImage reads a source, the sizes (slices / widths / outsets) and repetitions, in any order.
func (b *builder) borderImage(v []value.Value) bool {
	out := initialBorderImage
	var sizes [3][]value.Value
	var words []value.Value
	part, sourced, sized := 0, false, false
	for i := range v {
		_, repeats := edgeRepeats[v[i].Text]
		follows := sized // a size comes before
		sized = false
		switch {
		case v[i].Delim("/"):
			if part++; part > 2 || !follows {
				return false
			}
		case v[i].Kind == value.Ident && (repeats || v[i].Is("stretch")):
			words = append(words, v[i])
		case v[i].Kind == value.Number, v[i].Is("fill"), v[i].Is("auto"):
			sizes[part], sized = append(sizes[part], v[i]), true
		default:
			img, ok := b.image(&v[i])
			if ok && !sourced {
				out.Source, sourced = img, true
				continue
			}
			sizes[part], sized = append(sizes[part], v[i]), true // calc()
		}
	}
	ok := (len(sizes[0]) == 0 || readSlices(b, sizes[0], &out)) &&
		(len(sizes[1]) == 0 || b.edgeWidths(sizes[1], &out.Width)) &&
		(len(sizes[2]) == 0 || b.edgeWidths(sizes[2], &out.Outset)) &&
		(len(words) == 0 || readEdgeRepeats(b, words, &out)) && len(v) > 0
	if ok {
		b.fx.BorderImage = out
	}
	return ok
}
