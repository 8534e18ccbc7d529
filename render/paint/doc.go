// Package paint is the canvas: backgrounds, shapes, glyph masks, shadows, patterns, clips and pictures, blended by our
// own row loops. fogleman/gg draws paths as coverage, and disintegration/imaging scales small pictures; everything that
// touches the pixels of a card by the million is implemented here.
//
// A template creates a canvas with its background, draws from back to front, and passes the image to package encode:
//
//	th := palette.New(accent, true)
//	c := paint.New(1200, 630, paint.Solid(th.BG))
//	defer c.Release()
//
//	c.Fill(image.Rect(72, 72, 1128, 74), th.Line)                    // a rule
//	c.RoundRect(image.Rect(72, 530, 112, 570), 9.6, th.Fill)         // the tile of an icon
//	c.Disc(600.5, 300, 8, th.Gfx)                                    // a dot at the end of a title
//	c.Mask(x, y, glyphs, th.Text)                                    // text: the callback of text.Engine.Draw
//	c.Picture(logo, image.Rect(72, 56, 128, 112), 12)                // a logo
//	c.Path(bounds, th.Gfx, func(g *gg.Context) { g.DrawCircle(…); g.Stroke() })
//	pic, err := encode.Encode(c.Image(), encode.OG)
//
// # Coordinates and inks
//
// Pixels are counted from the upper left corner. Rectangles are image.Rectangle values on whole pixels, so that
// straight edges are crisp; round shapes take fractions, and 0.5, 0.5 is the center of the first pixel. An ink is a
// color.NRGBA; its alpha makes it translucent (palette.Fade). Blending is done in sRGB, as in browsers.
//
// # Indexed and RGBA
//
// The same calls draw on two pixel formats. On an indexed canvas a pixel is one byte: an entry of a palette of at most
// 255 colors that fills up as the card is drawn. An ink that covers an entry by a step (of 31) gives another entry;
// that is computed once and remembered, so that text costs one table lookup per pixel, and the result compresses two to
// four times better than RGB. Shapes that fade widely (shadows, glows, scrims) have 255 steps. If something doesn't fit
// a palette, such as a photograph, the canvas becomes RGBA by itself; RGBA blends are exact.
//
// Over a [Linear] background, pass the inks when creating the canvas: their blends along the gradient are computed in
// advance.
//
// # Files
//
//	canvas.go            Canvas, New, NewRGBA, Release, Image, At, Upgrade
//	background.go        Solid, Linear, Paint
//	light.go             Light, Lamp: discs and beams of soft light; lit.go Lit, Glass: a background of it
//	ridge.go             Ridge
//	shape.go             Fill, RoundRect, Border, Disc, Ring
//	mask.go              Mask, Clip, ClipMask, ClipRound
//	path.go              Path, PathMask: gg
//	fill_mask.go         PaintMask: a gradient in a shape
//	stencil.go           Stencil: a shape stored as runs of pixels
//	convex.go            Convex: small polygons by the hundred
//	picture.go           Picture, Scale, Cover, FitSize
//	pattern.go           Grid
//	levels.go            Levels: a figure stored without its colors
//	silk.go              Silk: a cloth of strokes, as Levels
//	sheets.go            Sheets: layers of paper that cast shadows, as Levels
//	layer.go             Layer, FullLayer: what is the same on all cards of a theme
//	turned.go            Turned, TurnedPart: a rotated picture
//	shadow.go            Shadow; scrim.go Scrim, Glow; blur.go Blur of masks and pictures, SoftPath
//	plate.go             NewPlate: a picture prepared as the background of a card, and its measurements
//	resample.go          cropping and scaling it; focus.go which part; tone.go in which colors
//	veil.go              Veil, NewOver: how much of it is hidden, and a canvas over it
//	row.go               blending of rows, indexed and RGBA
//	blend_table.go       the palette of an indexed canvas, and its blends
//	gradient_palette.go  the palette of a gradient
//	quantize.go          colors of a picture in a palette; quantized_picture.go caches the result
//	noise.go             thresholds for dithering
//
// The same calls always give the same pixels. A canvas belongs to one goroutine at a time.
package paint
