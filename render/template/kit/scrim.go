package kit

import (
	"image"
	"image/color"
	"math"
	"slices"

	"masthead/render/paint"
	"masthead/render/palette"
)

// Parameters of the scrim. Source: docs/rendering.md#pictures-behind-text.
const (
	titleContrast = 7.0
	boxMargin     = 24  // around a text, included in its check
	startVeil     = .45 // opacity of the veil from the side of the text
	veilStep      = .05 // step of raising it
	maxVeil       = .80 // above this a panel is better
	worstShare    = .05 // the worst fraction of the background under a text, which decides
	busy          = .18 // minimum standard deviation of light for blurring a background

	// The distances were chosen by eye.
	frontFeather    = .35 // of the width, over which the veil from the side of the text fades beyond it
	textFeather     = 120 // over which the veil around a text elsewhere fades
	uprightFeather  = .46 // of the height, over which the veil from the bottom or top fades beyond the texts
	softShade       = .80 // of the height that texts over a sharp picture need, over which their shade fades at least
	uprightSlack    = 1.15
	sideLight       = .80 // how much of that is omitted beyond the ends of lines …
	sideFeather     = .24 // … at this fraction of the width from them
	frontBlur       = .20 // of the width, over which the blur at the side of the text fades
	textBlurFeather = 80  // over which the blur around a text elsewhere fades
	// flutedContrast is how much more contrast a title needs behind glass: each flute repeats what is light, so that a
	// line of the title may have more of it than its surroundings.
	flutedContrast = 1.08

	sideShare = .30 // of the width: texts that begin in it are at the side of the text

	panelOpacity, panelRadius, panelPadding = .92, 24, 40

	// Single pixels, such as stars, may be brighter than the mean of their surroundings.
	sparkShare = .01
)

// scrim determines how much of a picture must be hidden to make the texts of a card readable.
type scrim struct {
	card  *Card
	plate *paint.Plate
	at    image.Point // of the plate
	ink   color.NRGBA
	veil  *paint.Veil
	trial paint.Veil // of raise
	panel image.Rectangle

	surfaces []image.Rectangle // on the canvas, over the picture
}

func newScrim(c *Card, b Backdrop, area image.Rectangle) *scrim {
	s := &scrim{card: c, plate: c.plateOf(b, area), at: area.Min, ink: b.Ink, veil: paint.NewVeil(c.W, c.H)}
	for _, r := range b.Hidden {
		s.surfaces = append(s.surfaces, c.MotifRect(r.Min.X, r.Min.Y, r.Dx(), r.Dy()))
	}
	if b.Sharp {
		s.tint()
	}
	shape, opacity := c.fromText(), startVeil
	if b.Veil != nil {
		shape, opacity = b.Veil, 1
	}
	s.veil.Cover(image.Rect(0, 0, c.W, c.H), func(x, y float64) float64 {
		return opacity * shape(c.Mirror(x, 0), y)
	})
	beside := c.ofPage && !b.Picture.Empty() // a photograph beside the texts stays as it is
	if mood := s.mood(); mood > 0 && !b.Upright && !beside {
		s.veil.Cover(image.Rect(0, 0, c.W, c.H), func(_, _ float64) float64 { return mood })
	}
	return s
}

// mood returns how much of the whole picture is hidden: some, if it is light and the card is dark, or vice versa. A
// dark card stays dark.
func (s *scrim) mood() float64 {
	// For luminance beyond the middle; fog over a dark picture is more noticeable than shade over a light one.
	const middle, shade, fog = .5, .5, .25
	if light := s.plate.Light(); palette.Luminance(s.ink) < palette.Luminance(s.card.Theme.Text) {
		return shade * max(light-middle, 0)
	} else {
		return fog * max(middle-light, 0)
	}
}

// protect raises the veil until all texts and icons are readable: from the side of the text for those that begin there,
// as one gradient whatever the length of the lines, and around each of the others.
func (s *scrim) protect() {
	c := s.card
	needs, reach := s.needs()
	if c.over.backdrop.Upright {
		s.protectUpright(needs)
		return
	}
	front := func(feather float64) func(x, _ float64) float64 {
		return func(x, _ float64) float64 {
			return 1 - paint.Ease((c.Mirror(x, 0)-reach-boxMargin)/(feather*float64(c.W)))
		}
	}
	whole, frontBlurred := image.Rect(0, 0, c.W, c.H), false
	for _, n := range needs {
		if !n.text || s.plate.Deviation(n.box.Sub(s.at)) <= busy {
			continue
		}
		if !n.atSide {
			shape, where := paint.Near(n.lines, textBlurFeather)
			s.veil.Blur(where, shape)
		} else if !frontBlurred {
			s.veil.Blur(whole, front(frontBlur))
			frontBlurred = true
		}
	}
	var atSide *paint.VeilShape
	for _, n := range needs {
		if s.enough(s.veil, n) {
			continue
		}
		shape := atSide
		if !n.atSide {
			about, where := paint.Near(n.lines, textFeather)
			shape = s.veil.NewVeilShape(where, about)
		} else if shape == nil {
			shape = s.veil.NewVeilShape(whole, front(frontFeather))
			atSide = shape
		}
		if !s.raise(n, shape) && n.text {
			s.panel = s.panel.Union(n.box.Inset(-panelPadding))
		}
	}
}

// besideText returns the strength of a veil from side to side: full at texts, and less beyond their ends, where the
// picture keeps its light.
func (s *scrim) besideText(needs []need) func(x float64) float64 {
	from, to := s.card.W, 0
	for _, n := range needs {
		from, to = min(from, n.box.Min.X), max(to, n.box.Max.X)
	}
	reach := sideFeather * float64(s.card.W)
	return func(x float64) float64 {
		beyond := max(x-float64(to), float64(from)-x) - boxMargin
		if s.card.RTL == (x > float64(to)) { // before the beginning of lines there is no room for light
			return 1
		}
		return 1 - sideLight*paint.Ease(beyond/reach)
	}
}

// protectUpright is protect for a card whose texts are at its top or bottom: one gradient from there covers all of
// them.
func (s *scrim) protectUpright(needs []need) {
	c, h := s.card, s.card.H
	head, foot := 0, h // extent of the texts
	for _, n := range needs {
		if n.box.Min.Y+n.box.Max.Y < h {
			head = max(head, n.box.Max.Y+boxMargin)
		} else {
			foot = min(foot, n.box.Min.Y-boxMargin)
		}
	}
	whole, feather := image.Rect(0, 0, s.card.W, h), uprightFeather*float64(h)
	side := s.besideText(needs)
	if b := &c.over.backdrop; b.Sharp {
		feather, side = max(float64(b.Feather), softShade*float64(h-foot)), func(float64) float64 { return 1 }
	}
	shapes := [2]func(x, y float64) float64{
		func(x, y float64) float64 { return side(x) * (1 - paint.Ease((y-float64(head))/feather)) },
		func(x, y float64) float64 { return side(x) * (1 - paint.Ease((float64(foot)-y)/feather)) },
	}
	var blurred [2]bool
	var veils [2]*paint.VeilShape
	for _, n := range needs {
		at := 1
		if n.box.Min.Y+n.box.Max.Y < h {
			at = 0
		}
		// Light areas aren't completely hidden here, and single pixels of a cell are lighter than its mean.
		n.least = max(n.least, min(uprightSlack*n.least, .97*palette.Contrast(n.color, s.ink)))
		if n.text && !c.over.backdrop.Sharp && !blurred[at] && s.plate.Deviation(n.box.Sub(s.at)) > busy {
			s.veil.Blur(whole, shapes[at])
			blurred[at] = true
		}
		if s.enough(s.veil, n) {
			continue
		}
		if veils[at] == nil {
			veils[at] = s.veil.NewVeilShape(whole, shapes[at])
		}
		if !s.raise(n, veils[at]) && n.text {
			s.panel = s.panel.Union(n.box.Inset(-panelPadding))
		}
	}
}

// needs returns the requirements of the card's texts and icons, those at the side of the text first, and how far these
// extend, in the layout.
func (s *scrim) needs() (needs []need, reach float64) {
	c := s.card
	var elsewhere []need
	add := func(n need) {
		x0 := c.Mirror(float64(n.box.Min.X), float64(n.box.Dx()))
		if n.atSide = c.t.TextSide == "left" && x0 <= sideShare*float64(c.W); !n.atSide {
			elsewhere = append(elsewhere, n)
			return
		}
		needs, reach = append(needs, n), max(reach, x0+float64(n.box.Dx()))
	}
	var title color.NRGBA
	for _, p := range c.over.texts {
		if p.Role == Title {
			title = p.Color
		}
		if p.Role != Monogram && !p.Empty() && !s.hidden(p.InkBox()) {
			add(s.needOf(p))
		}
	}
	for _, icon := range c.over.icons {
		if c.over.backdrop.Sharp && icon.chip {
			continue
		}
		if title.A != 0 && !s.hidden(icon.Box) { // the background of an icon is that of the title
			lines := []image.Rectangle{icon.Box}
			add(need{lines: lines, box: icon.Box, color: title, least: palette.MinText})
		}
	}
	return append(needs, elsewhere...), reach
}

// hidden reports whether an area of the canvas is on a surface that hides the picture.
func (s *scrim) hidden(box image.Rectangle) bool {
	return slices.ContainsFunc(s.surfaces, box.In)
}

// needOf returns the requirement of a text.
func (s *scrim) needOf(p Text) need {
	least := palette.MinText
	if p.Role == Title {
		if least = titleContrast; s.card.over.backdrop.Flutes.Width > 0 {
			least *= flutedContrast
		}
	}
	n := need{box: p.InkBox(), color: p.Color, text: true}
	// On the ink alone a text may have less contrast; then that much is enough.
	n.least = max(min(least, .97*palette.Contrast(p.Color, s.ink)), palette.MinText)
	for _, l := range p.Lines {
		if !l.Ink.Empty() {
			n.lines = append(n.lines, p.Box(l.Ink))
		}
	}
	return n
}

// raise hides more of the picture, by a shape, until a requirement is met, in as few steps as possible. It returns
// false if all steps aren't enough.
func (s *scrim) raise(n need, shape *paint.VeilShape) bool {
	enough := func(step int) bool {
		s.veil.Trial(&s.trial, n.around(), shape, float64(step)*veilStep)
		return s.enough(&s.trial, n)
	}
	// More always helps, so a binary search finds the step.
	low, high := 1, int(math.Round(maxVeil/veilStep))
	ok := enough(high)
	for ok && low < high {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	s.veil.CoverBy(shape, float64(high)*veilStep)
	return ok
}

// need is the requirement of lines of text for their background.
type need struct {
	lines  []image.Rectangle
	box    image.Rectangle // of all lines
	color  color.NRGBA
	least  float64 // contrast
	text   bool    // not an icon
	atSide bool    // it begins where lines begin
}

// around returns the area of the canvas that matters to [scrim.enough].
func (n *need) around() (r image.Rectangle) {
	for _, line := range n.lines {
		r = r.Union(line.Inset(-boxMargin - paint.CellSide))
	}
	return r
}

// enough reports whether a requirement is met: by all but the worst 5 % of the background around the lines, and under
// the lines themselves by all of it as far as any text needs it.
func (s *scrim) enough(v *paint.Veil, n need) bool {
	text := palette.Luminance(n.color)
	light := text > palette.Luminance(s.ink)
	least, any := backgroundFor(text, n.least, light), backgroundFor(text, palette.MinText, light)
	poorer := func(background color.NRGBA, than float64) bool {
		return (palette.Luminance(background) > than) == light
	}
	tinted, row, parts := s.card.over.backdrop.Sharp, -1, [3]int32{} // what is hidden of the channels in a row
	for _, line := range n.lines {
		area := line.Inset(-boxMargin).Sub(s.at)
		poor, under, sparks, lost := 0, 0, 0, false
		mayBePoor := worstShare * float64(s.plate.CountEveryOther(area))
		s.plate.EveryOther(area, func(x, y int, c *paint.Cell) bool {
			x, y = x+s.at.X, y+s.at.Y
			within := image.Pt(x, y).In(line)
			if within {
				under++
			}
			cover, blur := v.At(x, y)
			if cover > .998 && !tinted { // the ink, on which everything is readable
				return true
			}
			if tinted && y != row {
				row, parts = y, v.Tinted(cover, y)
			}
			var mean, extreme color.NRGBA
			if tinted {
				mean, extreme = seenTinted(c, s.ink, &parts, light, within)
			} else {
				mean, extreme = seen(c, s.ink, cover, blur, light, within)
			}
			if poorer(mean, least) {
				poor++
			}
			if within && poorer(extreme, any) {
				sparks++
				lost = poorer(mean, any)
			}
			return !lost && float64(poor) <= mayBePoor
		})
		if lost || float64(poor) > mayBePoor || float64(sparks) > sparkShare*float64(under) {
			return false
		}
	}
	return true
}

// backgroundFor returns the background luminance at which text of a luminance has exactly a contrast.
func backgroundFor(text, contrast float64, light bool) float64 {
	if light {
		return (text+.05)/contrast - .05
	}
	return (text+.05)*contrast - .05
}

// seen returns the visible color of a cell through the veil: its mean and, if wanted, the extreme closest to the text.
func seen(c *paint.Cell, ink color.NRGBA, cover, blur float64, light, wanted bool) (mean, extreme color.NRGBA) {
	if !wanted {
		k, f := int32(cover*256+.5), int32(blur*256+.5)
		mix := func(a, b, over uint8) uint8 {
			v := int32(a) + (int32(b)-int32(a))*f>>8
			return uint8(v + (int32(over)-v)*k>>8)
		}
		mean = color.NRGBA{
			R: mix(c.Mean.R, c.Soft.R, ink.R), G: mix(c.Mean.G, c.Soft.G, ink.G), B: mix(c.Mean.B, c.Soft.B, ink.B), A: 255,
		}
		return mean, color.NRGBA{}
	}
	off := int32(c.Low) - int32(c.Luma)
	if light {
		off = int32(c.High) - int32(c.Luma)
	}
	k, f := int32(cover*256+.5), int32(blur*256+.5)
	off = off * (256 - f) >> 8
	mix := func(a, b, over uint8) (uint8, uint8) {
		v := int32(a) + (int32(b)-int32(a))*f>>8
		e := min(max(v+off, 0), 255)
		return uint8(v + (int32(over)-v)*k>>8), uint8(e + (int32(over)-e)*k>>8)
	}
	mean.A, extreme.A = 255, 255
	mean.R, extreme.R = mix(c.Mean.R, c.Soft.R, ink.R)
	mean.G, extreme.G = mix(c.Mean.G, c.Soft.G, ink.G)
	mean.B, extreme.B = mix(c.Mean.B, c.Soft.B, ink.B)
	return mean, extreme
}
