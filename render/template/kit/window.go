package kit

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
)

// Window is a desktop window: a body below a title bar, raised above the card. It is never mirrored, and clipped to the
// card.
type Window struct {
	Box       image.Rectangle // on the canvas
	Radius    float64
	Bar       int         // height of the title bar
	Body, Top color.NRGBA // of the body and of the bar
	Dots      color.NRGBA // in the bar; transparent: none
}

// Parameters of windows and of raised surfaces. Source: docs/rendering.md#light-and-depth.
const (
	DotRadius = 9
	DotAt     = 36
	DotStep   = 32
	NearSigma = 3
	NearDown  = 2
	nearAlpha = .30
	FarSigma  = 30
	FarDown   = 28
	farDark   = .45
	farLight  = .16
	topEdge   = .14 // opacity of the light on the upper edge
)

// RaisedShadows returns the colors of the two shadows of raised surfaces: a sharp near one, and a soft far one in the
// hue of the accent.
func RaisedShadows(th *palette.Theme) (near, far color.NRGBA) {
	return palette.Fade(palette.RGB(0), nearAlpha), palette.Fade(th.Ramp(.12, .5, 0), ByMode(th.Dark, farDark, farLight))
}

// DrawRaised draws the shadows of a rounded box.
func DrawRaised(canvas *paint.Canvas, th *palette.Theme, box image.Rectangle, radius float64) {
	near, far := RaisedShadows(th)
	canvas.Shadow(box, radius, FarSigma, FarDown, far)
	canvas.Shadow(box, radius, NearSigma, NearDown, near)
}

// shadowParts returns where the shadows of a raised box are visible.
func shadowParts(box image.Rectangle, radius float64) []image.Rectangle {
	reach := box.Inset(-int(paint.ShadowReach*FarSigma) - 1)
	reach.Max.Y += FarDown
	in := box.Inset(int(radius) + 2)
	return []image.Rectangle{
		image.Rect(reach.Min.X, reach.Min.Y, reach.Max.X, in.Min.Y), image.Rect(reach.Min.X, in.Min.Y, in.Min.X, in.Max.Y),
		image.Rect(in.Max.X, in.Min.Y, reach.Max.X, in.Max.Y), image.Rect(reach.Min.X, in.Max.Y, reach.Max.X, reach.Max.Y),
	}
}

// DrawWindow draws a window with its shadows, which are cached per theme, design and place.
func (c *Card) DrawWindow(w Window) {
	key := paint.LayerKey{Scene: c.t.Slug + w.Box.String(), W: c.W, H: c.H, Accent: c.Theme.Accent, Dark: c.Theme.Dark}
	c.canvas.Layer(key, shadowParts(w.Box, w.Radius), func() { DrawRaised(c.canvas, &c.Theme, w.Box, w.Radius) })
	c.canvas.RoundRect(w.Box, w.Radius, w.Top)
	edge := w.Box
	edge.Min.X, edge.Max.X, edge.Max.Y = edge.Min.X+int(w.Radius), edge.Max.X-int(w.Radius), edge.Min.Y+2
	c.canvas.Fill(edge, palette.Fade(palette.RGB(0xFFFFFF), topEdge))
	body := w.Box
	body.Min.Y += w.Bar
	undo := c.canvas.Clip(body)
	c.canvas.RoundRect(w.Box, w.Radius, w.Body)
	undo()
	if w.Dots.A == 0 {
		return
	}
	for i := range 3 {
		x := float64(w.Box.Min.X + DotAt + i*DotStep)
		c.canvas.Disc(x, float64(w.Box.Min.Y)+float64(w.Bar)/2, DotRadius, w.Dots)
	}
}
