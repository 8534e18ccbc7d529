package template

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
)

// window is one of a desktop: a body under a title bar, raised over the card. It stands where it is in every direction
// of text; what of it leaves the card is cut.
type window struct {
	box       image.Rectangle // on the canvas
	radius    float64
	bar       int         // height of the title bar
	body, top color.NRGBA // of the body and of the bar
	dots      color.NRGBA // in the bar; clear: there are none
}

// Figures of windows and of what is raised. Source: the design briefs, "Light and depth" and "Motif kit".
const (
	dotRadius, dotAt, dotStep = 9, 36, 32
	nearSigma, nearDown       = 3, 2
	nearAlpha                 = .30
	farSigma, farDown         = 30, 28
	farDark, farLight         = .45, .16
	topEdge                   = .14 // opacity of the light on the upper edge
)

// raisedShadows are the two shadows of what is raised over a card: a near one that is sharp, and a far one that is
// soft and has the hue of the accent.
func raisedShadows(th *palette.Theme) (near, far color.NRGBA) {
	return palette.Fade(palette.RGB(0), nearAlpha), palette.Fade(th.Ramp(.12, .5, 0), light(th.Dark, farDark, farLight))
}

// drawRaised draws the shadows of a rounded box, which is drawn over them.
func drawRaised(canvas *paint.Canvas, th *palette.Theme, box image.Rectangle, radius float64) {
	near, far := raisedShadows(th)
	canvas.Shadow(box, radius, farSigma, farDown, far)
	canvas.Shadow(box, radius, nearSigma, nearDown, near)
}

// shadowParts is where the shadows of a raised box are seen.
func shadowParts(box image.Rectangle, radius float64) []image.Rectangle {
	reach := box.Inset(-int(paint.ShadowReach*farSigma) - 1)
	reach.Max.Y += farDown
	in := box.Inset(int(radius) + 2)
	return []image.Rectangle{
		image.Rect(reach.Min.X, reach.Min.Y, reach.Max.X, in.Min.Y), image.Rect(reach.Min.X, in.Min.Y, in.Min.X, in.Max.Y),
		image.Rect(in.Max.X, in.Min.Y, reach.Max.X, in.Max.Y), image.Rect(reach.Min.X, in.Max.Y, reach.Max.X, reach.Max.Y),
	}
}

// drawWindow draws a window with its shadows, which are the same on all cards of a theme and template.
func (c *Card) drawWindow(w window) {
	key := paint.LayerKey{Scene: c.t.Slug, W: c.W, H: c.H, Accent: c.Theme.Accent, Dark: c.Theme.Dark}
	c.canvas.Layer(key, shadowParts(w.box, w.radius), func() { drawRaised(c.canvas, &c.Theme, w.box, w.radius) })
	c.canvas.RoundRect(w.box, w.radius, w.top)
	edge := w.box
	edge.Min.X, edge.Max.X, edge.Max.Y = edge.Min.X+int(w.radius), edge.Max.X-int(w.radius), edge.Min.Y+2
	c.canvas.Fill(edge, palette.Fade(palette.RGB(0xFFFFFF), topEdge))
	body := w.box
	body.Min.Y += w.bar
	undo := c.canvas.Clip(body)
	c.canvas.RoundRect(w.box, w.radius, w.body)
	undo()
	if w.dots.A == 0 {
		return
	}
	for i := range 3 {
		x := float64(w.box.Min.X + dotAt + i*dotStep)
		c.canvas.Disc(x, float64(w.box.Min.Y)+float64(w.bar)/2, dotRadius, w.dots)
	}
}
