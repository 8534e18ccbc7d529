package palette_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"masthead/render/palette"
)

func TestChoose_candidates_heaviestSourceWins(t *testing.T) {
	const (
		indigo, rose, green = 0x4F46E5, 0xE11D48, 0x10B981
		white, black, slate = 0xFFFFFF, 0x000000, 0x111827
	)
	one := func(hex uint32, s palette.Source) palette.Candidate {
		return palette.Candidate{Color: palette.RGB(hex), Source: s}
	}
	of := func(found ...palette.Candidate) []palette.Candidate { return found }
	for _, c := range []struct {
		name    string
		found   []palette.Candidate
		accent  uint32
		source  palette.Source
		neutral bool
	}{
		{"nothing", nil, 0x6366F1, palette.NoSource, false},
		{"theme color alone", of(one(rose, palette.ThemeColor)), rose, palette.ThemeColor, false},
		{"theme color before icon",
			of(one(green, palette.Icon), one(rose, palette.ThemeColor)),
			rose, palette.ThemeColor, false,
		},
		{"theme color before all others together",
			of(one(green, palette.Icon), one(green, palette.CustomProperty), one(green, palette.Button),
				one(0x005689, palette.ThemeColor)),
			0x005689, palette.ThemeColor, false,
		},
		{"theme color of a dark page, with a breath of blue",
			of(one(0x0A0A23, palette.ThemeColor), one(rose, palette.Icon)),
			rose, palette.Icon, false,
		},
		{"theme color of another mode is one of many",
			of(one(0x005689, palette.ThemeColorOther), one(green, palette.Icon), one(green, palette.CustomProperty)),
			green, palette.CustomProperty, false,
		},
		{"white theme color, colored icon",
			of(one(white, palette.ThemeColor), one(green, palette.Icon)),
			green, palette.Icon, false,
		},
		{"white paper alone says nothing", of(one(white, palette.ThemeColor)), 0x6366F1, palette.NoSource, false},
		{"black theme color alone", of(one(black, palette.ThemeColor)), black, palette.ThemeColor, true},
		{"both strong sources neutral",
			of(one(white, palette.ThemeColor), one(slate, palette.Icon), one(rose, palette.CustomProperty)),
			slate, palette.Icon, true,
		},
		{"icon neutral, no theme color",
			of(one(slate, palette.Icon), one(rose, palette.CustomProperty)),
			rose, palette.CustomProperty, false,
		},
		{"weak sources agree",
			of(one(rose, palette.CustomProperty), one(0x4F46E4, palette.Button), one(indigo, palette.Icon)),
			indigo, palette.Icon, false,
		},
		{"pale color loses",
			of(one(0xF5F3FF, palette.ThemeColor), one(indigo, palette.Button)),
			indigo, palette.Button, false,
		},
		{"share image is the last resort",
			of(one(green, palette.OGImage), one(indigo, palette.Button)),
			indigo, palette.Button, false,
		},
		{"share image when nothing else", of(one(green, palette.OGImage)), green, palette.OGImage, false},
		{"unknown source has no weight", of(one(green, "rumour")), 0x6366F1, palette.NoSource, false},
		{"explicit weight",
			of(
				palette.Candidate{Color: palette.RGB(green), Source: "operator", Weight: 2},
				one(rose, palette.ThemeColor),
			),
			green, "operator", false,
		},
	} {
		for _, dark := range []bool{true, false} {
			got := palette.Choose(c.found, dark)
			if got.Accent != palette.RGB(c.accent) || got.Source != c.source || got.Neutral != c.neutral {
				t.Errorf("%s: got %s from %s (neutral %v), want #%06X from %s (neutral %v)", c.name,
					palette.Hex(got.Accent), got.Source, got.Neutral, c.accent, c.source, c.neutral)
			}
			if want := palette.New(got.Accent, dark).BG; got.BG != want {
				t.Errorf("%s: bg %s, want %s", c.name, palette.Hex(got.BG), palette.Hex(want))
			}
		}
	}
}

func TestChoose_secondary_hasAnotherHue(t *testing.T) {
	indigo, rose := palette.RGB(0x4F46E5), palette.RGB(0xE11D48)
	two := palette.Choose([]palette.Candidate{
		{Color: indigo, Source: palette.ThemeColor}, {Color: rose, Source: palette.Icon},
	}, true)
	if two.Accent != indigo || two.Secondary != rose {
		t.Errorf("two hues: accent %s, secondary %s", palette.Hex(two.Accent), palette.Hex(two.Secondary))
	}
	one := palette.Choose([]palette.Candidate{
		{Color: indigo, Source: palette.ThemeColor}, {Color: palette.RGB(0x3730A3), Source: palette.Icon},
	}, true)
	a, b := palette.ToLCH(one.Accent), palette.ToLCH(one.Secondary)
	if d := b.H - a.H; d < 30 || d > 40 {
		t.Errorf("one hue: secondary %s is %.0f degrees on", palette.Hex(one.Secondary), d)
	}
}

// blocks paints vertical bands of equal width.
func blocks(w, h int, colors ...color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i, c := range colors {
		band := image.Rect(i*w/len(colors), 0, (i+1)*w/len(colors), h)
		draw.Draw(img, band, image.NewUniform(c), image.Point{}, draw.Src)
	}
	return img
}

func TestClusters_flatPicture_findsExactColors(t *testing.T) {
	indigo, white, clear := palette.RGB(0x4F46E5), palette.RGB(0xFFFFFF), color.NRGBA{}
	got := palette.Clusters(blocks(64, 64, indigo, clear, white, indigo))
	if len(got) != 2 || got[0].Color != indigo || got[1].Color != white {
		t.Fatalf("got %v", got)
	}
	if got[0].Share < .66 || got[0].Share > .67 {
		t.Errorf("share of the seen pixels is %.3f", got[0].Share)
	}
	again := palette.Clusters(blocks(64, 64, indigo, clear, white, indigo))
	if again[0] != got[0] || again[1] != got[1] {
		t.Errorf("a second look gives %v", again)
	}
	if got := palette.Clusters(blocks(64, 64, clear)); len(got) != 0 {
		t.Errorf("an empty picture has %v", got)
	}
	if got := palette.Clusters(image.NewNRGBA(image.Rectangle{})); len(got) != 0 {
		t.Errorf("no picture has %v", got)
	}
	if got := palette.Clusters(blocks(512, 128, indigo, white)); len(got) != 2 {
		t.Errorf("a large picture has %v", got)
	}
	dot := blocks(64, 64, indigo)
	dot.SetNRGBA(3, 3, white)
	if got := palette.Clusters(dot); len(got) != 1 || got[0].Share < .999 {
		t.Errorf("one stray pixel gives %v", got)
	}
}

// A small red dot on a blue icon is not the brand.
func TestCandidates_smallCluster_weighsLess(t *testing.T) {
	icon := blocks(64, 64, palette.RGB(0x3B5BDB))
	draw.Draw(icon, image.Rect(40, 0, 64, 16), image.NewUniform(palette.RGB(0xFF3030)), image.Point{}, draw.Src)
	got := palette.Choose(palette.Candidates(palette.Clusters(icon), palette.Icon), true)
	if got.Accent != palette.RGB(0x3B5BDB) || got.Secondary != palette.RGB(0xFF3030) {
		t.Errorf("accent %s, secondary %s", palette.Hex(got.Accent), palette.Hex(got.Secondary))
	}
}

func BenchmarkClusters(b *testing.B) {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7919 >> 3)
	}
	b.ReportAllocs()
	for b.Loop() {
		palette.Clusters(img)
	}
}

func TestRank_candidates_alikeAreOneAndTheBestIsFirst(t *testing.T) {
	got := palette.Rank([]palette.Candidate{
		{Color: palette.RGB(0xFFFFFF), Source: palette.ThemeColor},
		{Color: palette.RGB(0xE11D48), Source: palette.Icon},
		{Color: palette.RGB(0xE01E49), Source: palette.CustomProperty, Name: "--brand"},
	})
	if len(got) != 2 || got[0].Name != "--brand" || got[0].Weight != .75+.65 || got[0].Score <= got[1].Score ||
		got[1].Score != 0 && got[1].Score > .01 {
		t.Errorf("got %+v", got)
	}
	if got := palette.Rank(nil); len(got) != 0 {
		t.Errorf("got %v of nothing", got)
	}
}
