package paint_test

import (
	"image"
	"testing"

	"masthead/render/golden"
	"masthead/render/paint"
	"masthead/render/palette"
)

const goldenW, goldenH = 600, 315

var modes = []struct {
	name string
	dark bool
}{{"dark", true}, {"light", false}}

func TestShapes_onFlatBackground_matchGolden(t *testing.T) {
	masks := glyphs()
	for _, m := range modes {
		th := palette.New(palette.RGB(0x4F46E5), m.dark)
		c := paint.New(goldenW, goldenH, paint.Solid(th.BG))
		shapes(c, th, masks)
		if !c.Indexed() {
			t.Errorf("%s: shapes on a flat background have left the palette", m.name)
		}
		golden.Image(t, "shapes-"+m.name, c.Image())
		c.Release()
	}
}

func TestPatterns_clipped_matchGolden(t *testing.T) {
	th := palette.New(palette.RGB(0x10B981), true)
	c := paint.New(goldenW, goldenH, paint.Solid(th.BG))
	defer c.Release()
	patterns(c, th)
	if !c.Indexed() {
		t.Error("patterns on a flat background have left the palette")
	}
	golden.Image(t, "patterns", c.Image())
}

func TestShadow_onGradient_matchesGolden(t *testing.T) {
	shadow := palette.Fade(black, .35)
	for _, m := range modes {
		th := palette.New(palette.RGB(0x4F46E5), m.dark)
		from, to := th.Ramp(.42, .8, -25), th.Ramp(.28, .9, 25)
		if !m.dark {
			from, to = th.Ramp(.82, .8, -25), th.Ramp(.70, .9, 25)
		}
		background := paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(from, to)}
		c := paint.New(goldenW, goldenH, background, shadow)
		window(c, th, shadow)
		letters(c, 90, 120, 400, 2, th.Text, glyphs())
		if !c.Indexed() {
			t.Errorf("%s: a window on a gradient has left the palette", m.name)
		}
		golden.Image(t, "window-"+m.name, c.Image())
		c.Release()
	}
}

func TestText_onGradient_matchesGolden(t *testing.T) {
	gray, masks := palette.RGB(0xCBD5E1), glyphs()
	for name, angle := range map[string]paint.Angle{
		"right": paint.Right, "down": paint.Down, "upright": paint.UpRight, "downright": paint.DownRight,
	} {
		background := paint.Linear{Angle: angle, Colors: palette.Gradient(slate...)}
		c := paint.New(goldenW, goldenH, background, white, gray)
		letters(c, 30, 30, 540, 2, white, masks)
		letters(c, 30, 160, 540, 1, gray, masks)
		c.Picture(logo(128), image.Rect(30, 230, 94, 294), 14)
		c.Fill(image.Rect(120, 260, 570, 264), palette.RGB(0x22D3EE))
		if !c.Indexed() {
			t.Errorf("%s: text on a gradient has left the palette", name)
		}
		golden.Image(t, "gradient-"+name, c.Image())
		c.Release()
	}
}

func TestGlow_onFlatBackground_matchesGolden(t *testing.T) {
	for _, m := range modes {
		th := palette.New(palette.RGB(0x4F46E5), m.dark)
		light, alpha := th.Ramp(.50, 1, 0), .75
		if !m.dark {
			light, alpha = th.Ramp(.85, 1, 0), .9
		}
		c := paint.New(goldenW, goldenH, paint.Solid(th.BG))
		c.Glow(300, 85, 320, 180, light, paint.AlphaStop{At: 0, Alpha: alpha}, paint.AlphaStop{At: 1, Alpha: 0})
		for i := range 4 {
			c.Ring(300, 75, float64(75+50*i), 1.5, palette.Fade(light, .42-.1*float64(i)))
		}
		c.RoundRect(image.Rect(270, 45, 330, 105), 15, th.Surface1)
		letters(c, 90, 140, 420, 2, th.Text, glyphs())
		if !c.Indexed() {
			t.Errorf("%s: a glow on a flat background has left the palette", m.name)
		}
		golden.Image(t, "glow-"+m.name, c.Image())
		c.Release()
	}
}

func TestPictures_onRGBA_matchGolden(t *testing.T) {
	th := palette.New(palette.RGB(0xE11D48), true)
	colors := palette.Gradient(th.Ramp(.5, 1, 0), th.Ramp(.2, 1, 30))
	c := paint.NewRGBA(goldenW, goldenH, paint.Linear{Angle: paint.DownRight, Colors: colors})
	defer c.Release()
	c.Picture(paint.Cover(photo(500, 300), 200, 200, .5, .5), image.Rect(20, 20, 220, 220), 24)
	c.Picture(paint.BlurPicture(photo(160, 120), 9), image.Rect(240, 20, 400, 140), 0)
	c.Picture(logo(256), image.Rect(420, 20, 500, 100), 0)
	c.Picture(logo(16), image.Rect(520, 20, 568, 68), 8)
	m := paint.Blur(paint.RoundMask(image.Rect(260, 180, 400, 280), 30), 12)
	c.SoftMask(m.Rect.Min.X, m.Rect.Min.Y+10, m, palette.Fade(black, .5))
	c.RoundRect(image.Rect(260, 180, 400, 280), 30, th.Surface2)
	undo := c.ClipRound(image.Rect(430, 160, 560, 290), 65)
	c.Picture(photo(130, 130), image.Rect(430, 160, 560, 290), 0)
	undo()
	golden.Image(t, "pictures", c.Image())
}
