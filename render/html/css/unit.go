package css

import (
	"image/color"

	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
)

// The builder reads values with the units of its element.

func (b *builder) length(v *value.Value) (value.Length, bool) {
	return value.Reader{Units: b}.Length(v)
}

func (b *builder) px(v *value.Value) (float64, bool) { return value.Reader{Units: b}.Px(v) }

func (b *builder) number(v *value.Value) (float64, bool) { return value.Reader{Units: b}.Number(v) }

func (b *builder) numberOrPercent(v *value.Value) (float64, bool) {
	return value.Reader{Units: b}.NumberOrPercent(v, 1)
}

func (b *builder) angle(v *value.Value) (float64, bool) { return value.Reader{Units: b}.Angle(v) }

func (b *builder) size(v *value.Value) (value.Size, bool) { return value.Reader{Units: b}.Size(v) }

func (b *builder) axisOffset(v []value.Value, vertical bool) (value.Length, bool) {
	return value.Reader{Units: b}.AxisOffset(v, vertical)
}

func (b *builder) position(v []value.Value) ([2]value.Length, bool) {
	return value.Reader{Units: b}.Position(v)
}

// CurrentColor returns currentColor.
func (b *builder) CurrentColor() color.NRGBA { return b.text.Color }

// Dark reports whether dark colors are preferred.
func (b *builder) Dark() bool { return b.view.Dark }

func (b *builder) color(v *value.Value) (colors.Color, bool) {
	return colors.Reader{Context: b}.Color(v)
}

// positive refuses negative fixed lengths.
func positive(b *builder, v *value.Value) (value.Length, bool) {
	return value.Reader{Units: b}.Positive(v)
}

// Unit turns a number with a unit into px.
func (b *builder) Unit(n float64, unit string) (float64, bool) {
	switch unit {
	case "px":
		return n, true
	case "em":
		return n * b.text.FontSize, true
	case "rem":
		return n * b.root.FontSize, true
	case "vw", "svw", "lvw", "dvw", "vi":
		return n * b.view.Width / 100, true
	case "vh", "svh", "lvh", "dvh", "vb":
		return n * b.view.Height / 100, true
	case "vmin":
		return n * min(b.view.Width, b.view.Height) / 100, true
	case "vmax":
		return n * max(b.view.Width, b.view.Height) / 100, true
	case "cqw", "cqi":
		return n * b.cq.Width / 100, true
	case "cqh", "cqb":
		return n * b.cq.Height / 100, true
	case "cqmin":
		return n * min(b.cq.Width, b.cq.Height) / 100, true
	case "cqmax":
		return n * max(b.cq.Width, b.cq.Height) / 100, true
	case "pt":
		return n * 96 / 72, true
	case "pc":
		return n * 16, true
	case "in":
		return n * 96, true
	case "cm":
		return n * 96 / 2.54, true
	case "mm":
		return n * 96 / 25.4, true
	case "q":
		return n * 96 / 101.6, true
	case "ch":
		return n * b.chWidth() * b.text.FontSize, true
	case "ex":
		return n * .5 * b.text.FontSize, true
	case "cap":
		return n * .73 * b.text.FontSize, true
	case "ic":
		return n * b.text.FontSize, true
	case "lh":
		if !b.text.LineHeight.Normal {
			return n * b.text.LineHeight.Px, true
		}
		return n * 1.2 * b.text.FontSize, true
	case "rlh":
		return n * 1.2 * b.root.FontSize, true
	}
	return 0, false
}

// chWidth is the advance of 0 in em.
func (b *builder) chWidth() float64 {
	if b.zero != nil {
		if w := b.zero(&b.text); w > 0 {
			return w
		}
	}
	return .6
}

func (b *builder) shape(v []value.Value) (*shape.Shape, bool) { return shape.Read(b, v) }

func (b *builder) radii(v []value.Value) bool {
	c, ok := shape.ReadCorners(b, v)
	if ok {
		c.Shape = b.st.Radius.Shape
		b.st.Radius = c
	}
	return ok
}

func readCornerShape(b *builder, v *value.Value) (float64, bool) { return shape.ReadCornerShape(b, v) }

func (b *builder) gradient(v *value.Value) (*gradient.Gradient, bool) { return gradient.Read(b, v) }
