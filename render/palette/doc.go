// Package palette owns color: OKLCH and its way to sRGB, contrast, the tokens that a card is painted with, and the
// choice of a page's accent.
//
// A template asks [New] for a [Theme] and paints with its tokens alone:
//
//	th := palette.New(palette.RGB(0x4F46E5), true) // accent, dark
//	th.BG, th.Text, th.Muted                       // canvas, titles, descriptions
//	th.AccentText, th.Gfx                          // the accent as text (4.5:1 on BG) and as a shape (3:1)
//	th.Fill, th.On                                 // a pill or tile in the accent, and the text on it
//	th.Background, th.OnBackground                 // the accent as the whole background (poster), and the text on it
//	th.Ramp(.27, .4, 0)                            // any other lightness of the accent, guarded against mud
//	palette.Gradient(th.Ramp(.42, .8, -25), th.Ramp(.28, .9, 25)) // stops, mixed in OKLab, for paint
//
// All colors are opaque color.NRGBA values, so that they can be compared with ==. Everything here is pure,
// deterministic and safe for concurrent use.
//
// Sources: Björn Ottosson, "A perceptual color space for image processing" (OKLab); CSS Color 4, sections 9 and 13
// (sRGB matrices, gamut mapping by chroma); WCAG 2.2, "relative luminance" and "contrast ratio".
package palette
