package html_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/render/html"
	"masthead/render/html/css"
)

// drawn returns the picture of a document of 100x60 px.
func drawn(t testing.TB, source string) (image.Image, []html.Warning) {
	t.Helper()
	doc, err := html.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	img, warnings, err := doc.Draw(t.Context(), html.Options{Width: 100, Height: 60, Images: checker})
	if err != nil {
		t.Fatal(err)
	}
	return img, warnings
}

// checker is a picture of 2x2 px: red, green, blue and transparent.
func checker(url string) html.Image {
	if url != "x.png" {
		return nil
	}
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	copy(img.Pix, []uint8{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0})
	return html.Raster(img)
}

// near reports whether two colors differ by at most 2 in each channel.
func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 2 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

func TestDraw_pixels(t *testing.T) {
	type at struct {
		x, y int
		c    string
	}
	colors := map[string]color.RGBA{
		"white": {255, 255, 255, 255}, "red": {255, 0, 0, 255}, "blue": {0, 0, 255, 255}, "green": {0, 255, 0, 255},
		"grey": {128, 128, 128, 255}, "pink": {255, 128, 128, 255}, "black": {0, 0, 0, 255}, "purple": {128, 0, 128, 255}, "blueish": {127, 127, 255, 255}, "oklab purple": {137, 83, 165, 255}, "cyan": {0, 236, 255, 255},
		"light edge": {168, 168, 168, 255}, "dark edge": {84, 84, 84, 255},
	}
	const box = `<style>body{margin:0} div{position:absolute;left:10px;top:10px;width:40px;height:40px;`
	for name, c := range map[string]struct {
		source string
		want   []at
	}{
		"a color":         {box + `background:red}</style><div>`, []at{{10, 10, "red"}, {9, 10, "white"}, {49, 49, "red"}, {50, 49, "white"}}},
		"canvas":          {`<body style="background:red;height:1px">`, []at{{0, 0, "red"}, {99, 59, "red"}}},
		"root and body":   {`<html style="background:red"><body style="background:blue;margin:9px;height:9px">`, []at{{0, 0, "red"}, {12, 12, "blue"}}},
		"radius":          {box + `background:red;border-radius:50%}</style><div>`, []at{{11, 11, "white"}, {30, 30, "red"}}},
		"border":          {box + `border:5px solid blue;border-left-color:red;box-sizing:border-box}</style><div>`, []at{{12, 30, "red"}, {30, 12, "blue"}, {30, 30, "white"}}},
		"opacity":         {box + `background:red;opacity:.5}</style><div>`, []at{{30, 30, "pink"}}},
		"group opacity":   {box + `opacity:.5}u{display:block;height:20px;background:red;margin-bottom:-10px}</style><div><u></u><u></u>`, []at{{30, 15, "pink"}, {30, 25, "pink"}}},
		"z-index":         {box + `}</style><div style="background:red;z-index:1"></div><div style="background:blue">`, []at{{30, 30, "red"}}},
		"negative z":      {box + `}p{margin:0;height:60px;background:blue}</style><div style="background:red;z-index:-1"></div><p>`, []at{{30, 30, "blue"}}},
		"overflow":        {box + `overflow:hidden}u{display:block;width:90px;height:90px;background:red}</style><div><u>`, []at{{49, 49, "red"}, {51, 30, "white"}}},
		"transform":       {box + `background:red;transform:translateX(40px)}</style><div>`, []at{{30, 30, "white"}, {70, 30, "red"}}},
		"rotation":        {box + `height:4px;background:red;transform-origin:0 0;transform:rotate(90deg)}</style><div>`, []at{{8, 40, "red"}, {30, 12, "white"}}},
		"clip-path":       {box + `background:red;clip-path:inset(10px)}</style><div>`, []at{{15, 15, "white"}, {30, 30, "red"}}},
		"gradient":        {box + `background:linear-gradient(90deg,#f00 50%,#00f 0)}</style><div>`, []at{{28, 30, "red"}, {31, 30, "blue"}}},
		"conic":           {box + `background:conic-gradient(red 25%,blue 0)}</style><div>`, []at{{40, 20, "red"}, {20, 20, "blue"}}},
		"radial":          {box + `background:radial-gradient(circle,red 10px,blue 0)}</style><div>`, []at{{30, 30, "red"}, {12, 30, "blue"}}},
		"repeat":          {box + `background:linear-gradient(red,red) 0 0/10px 10px repeat-x}</style><div>`, []at{{45, 15, "red"}, {45, 25, "white"}}},
		"picture":         {box + `background:url(x.png) 0 0/20px 20px no-repeat;image-rendering:pixelated}</style><div>`, []at{{12, 12, "red"}, {28, 12, "green"}, {12, 28, "blue"}, {28, 28, "white"}, {35, 35, "white"}}},
		"img":             {box + `}</style><div><img src=x.png style="width:40px;height:40px;image-rendering:pixelated">`, []at{{12, 12, "red"}, {48, 12, "green"}}},
		"clip to padding": {box + `background:red;border:10px solid #0000;background-clip:padding-box}</style><div>`, []at{{12, 12, "white"}, {30, 30, "red"}}},
		"multiply":        {`<body style="margin:0;background:red"><p style="margin:0;height:60px;background:#00f;mix-blend-mode:multiply">`, []at{{30, 30, "black"}}},
		"grayscale":       {box + `background:#808080;filter:invert(1) brightness(0)}</style><div>`, []at{{30, 30, "black"}}},
		"mask":            {box + `background:red;mask:linear-gradient(90deg,#000 50%,#0000 0)}</style><div>`, []at{{20, 30, "red"}, {40, 30, "white"}}},
		"shadow":          {box + `width:10px;box-shadow:20px 0 blue}</style><div>`, []at{{35, 30, "blue"}, {15, 30, "white"}}},
		"inset shadow":    {box + `box-shadow:inset 10px 0 blue}</style><div>`, []at{{15, 30, "blue"}, {30, 30, "white"}}},
		"outline":         {box + `outline:2px solid red;outline-offset:2px}</style><div>`, []at{{7, 30, "red"}, {9, 30, "white"}}},
		"visibility":      {box + `background:red;visibility:hidden}</style><div>`, []at{{30, 30, "white"}}},
		"backdrop":        {box + `backdrop-filter:invert(1)}</style><div>`, []at{{30, 30, "black"}, {5, 5, "white"}}},
		"dashed circle":   {`<body style="margin:0"><svg width=60 height=60 style="display:block"><circle cx=30 cy=30 r=20 fill=none stroke=red stroke-width=6 stroke-dasharray="62.8 200"/></svg>`, []at{{44, 44, "red"}, {16, 44, "red"}, {44, 16, "white"}, {16, 16, "white"}}},
		"two borders":     {box + `border:solid;border-width:0 10px 0 5px;border-color:black blue black red;box-sizing:border-box}</style><div>`, []at{{12, 30, "red"}, {45, 30, "blue"}}},
		"no seam":         {box + `border:10px solid blue;border-top-color:red;box-sizing:border-box}</style><div>`, []at{{45, 45, "blue"}, {44, 44, "blue"}, {15, 45, "blue"}, {30, 15, "red"}}},
		"dashes cut":      {box + `border:10px dashed blue;border-top:10px solid red;box-sizing:border-box}</style><div>`, []at{{16, 12, "red"}, {12, 17, "blue"}}},
		"double of 4":     {box + `border:4px double blue;box-sizing:border-box}</style><div>`, []at{{10, 30, "blue"}, {11, 30, "white"}, {12, 30, "white"}, {13, 30, "blue"}}},
		"double of 2":     {box + `border:2px double rgb(0 0 255/50%);box-sizing:border-box}</style><div>`, []at{{10, 30, "blueish"}, {11, 30, "blueish"}}},
		"scaled picture":  {box + `background:url(x.png) 0 0/10px 10px,url(x.png) 0 0/400px 400px;image-rendering:pixelated;transform:scale(.77);transform-origin:0 0}</style><div>`, []at{{45, 12, "white"}, {12, 45, "white"}}},
		"rounded place":   {box + `background:url(x.png) 0 100%/30px 30px round;image-rendering:pixelated}</style><div>`, []at{{12, 12, "blue"}, {12, 25, "red"}, {12, 45, "blue"}}},
		"rounded ratio":   {box + `background:linear-gradient(red 50%,blue 0) 0 0/30px auto round no-repeat}</style><div>`, []at{{30, 35, "red"}, {30, 38, "blue"}}},
		"modern colors":   {box + `background:linear-gradient(90deg,color(srgb 1 0 0),color(srgb 0 0 1))}</style><div>`, []at{{30, 30, "oklab purple"}}},
		"ratio of height": {box + `position:static;height:20px;width:auto;aspect-ratio:2;background:red}</style><div>`, []at{{30, 10, "red"}, {45, 10, "white"}}},
		"static block":    {`<body style="margin:0;font:20px/20px Inter">x<p style="position:absolute;margin:0;width:9px;height:9px;background:red"></p>`, []at{{4, 24, "red"}}},
		"percent height":  {`<body style="margin:0;height:40px"><u style="display:inline-block;width:9px;height:50%;background:red;vertical-align:top"></u><p></p>`, []at{{4, 18, "red"}, {4, 22, "white"}}},
		"rounded row":     {box + `background:linear-gradient(red,red) 0 0/10px 10px repeat-x;border-radius:20px}</style><div>`, []at{{11, 11, "white"}, {30, 12, "red"}}},
		"small dots":      {box + `border:3px dotted blue;box-sizing:border-box}</style><div>`, []at{{17, 11, "blue"}, {19, 11, "blue"}, {20, 11, "white"}, {22, 11, "white"}, {23, 11, "blue"}}},
		"mirrored shadow": {box + `width:10px;background:red;transform:scaleX(-1);filter:drop-shadow(-20px 0 0 blue)}</style><div>`, []at{{35, 30, "blue"}, {15, 30, "red"}}},
		"beyond a circle": {box + `background:radial-gradient(circle 10px,red 150%,blue 0)}</style><div>`, []at{{30, 43, "red"}, {30, 48, "blue"}}},
		"round cut":       {box + `top:5px;width:80px;height:50px;border:solid;border-width:2px 2px 10px 5px;border-color:black black red;box-sizing:border-box;border-radius:50%}</style><div>`, []at{{20, 45, "red"}, {11, 30, "black"}, {50, 50, "red"}}},
		"straight dashes": {box + `border:6px dashed blue;box-sizing:border-box;border-radius:3px}</style><div>`, []at{{13, 13, "blue"}, {20, 12, "blue"}, {12, 20, "blue"}}},
		"outline below":   {box + `outline:4px solid blue}b{position:absolute;left:30px;top:10px;width:20px;height:10px;background:red}</style><div><b>`, []at{{52, 25, "red"}, {52, 45, "blue"}}},
		"smooth line":     {box + `background:red;clip-path:shape(from 0 0,curve to 100% 0 with 0 100% / 100% 100%,smooth to 0 40px)}</style><div>`, []at{{13, 40, "red"}, {28, 28, "white"}}},
		"bevel":           {box + `background:red;border:6px solid blue;box-sizing:border-box;border-radius:20px;corner-shape:bevel}</style><div>`, []at{{11, 11, "white"}, {22, 22, "blue"}, {26, 26, "red"}, {30, 12, "blue"}}},
		"notch":           {box + `background:red;border:6px solid blue;box-sizing:border-box;border-radius:10px;corner-shape:notch}</style><div>`, []at{{15, 15, "white"}, {23, 23, "blue"}, {27, 27, "red"}, {22, 15, "blue"}}},
		"rotate3d":        {box + `height:4px;background:red;transform-origin:0 0;transform:rotate3d(0,0,2,90deg)}</style><div>`, []at{{8, 40, "red"}, {30, 12, "white"}}},
		"matrix3d":        {box + `background:red;transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,40,0,0,1)}</style><div>`, []at{{30, 30, "white"}, {70, 30, "red"}}},
		"whole hue":       {box + `background:linear-gradient(90deg in hsl longer hue,red,red)}</style><div>`, []at{{30, 30, "cyan"}}},
		"svg color":       {`<body style="margin:0"><svg width=60 height=60 color="red" fill="currentColor" style="display:block"><rect width=60 height=60></svg>`, []at{{30, 30, "red"}}},
		"even small dots": {box + `height:0;width:41px;border-top:2px dotted blue}</style><div>`, []at{{10, 11, "blue"}, {12, 11, "white"}, {13, 11, "blue"}, {14, 11, "blue"}, {15, 11, "white"}, {17, 11, "blue"}, {46, 11, "blue"}, {47, 11, "white"}, {49, 11, "blue"}, {50, 11, "blue"}, {51, 11, "white"}}},
		"touching dots":   {box + `height:0;width:60px;border-top:3px dotted blue}</style><div>`, []at{{13, 11, "blue"}, {14, 11, "white"}, {17, 11, "blue"}, {61, 11, "blue"}, {62, 11, "white"}, {65, 11, "white"}, {66, 11, "blue"}, {69, 11, "blue"}}},
		"far underline":   {`<body style="margin:0;font:20px/30px Inter"><u style="color:red">xxxx<b style="text-underline-offset:9px;font-weight:400">xxxx</b></u>`, []at{{30, 24, "red"}, {60, 24, "red"}}},
		"no way past":     {`<body style="margin:0;font:20px/30px Inter"><p style="margin:0;width:60px;white-space:nowrap"><i style="float:left;width:20px;height:40px"></i><b style="background:red;color:red">a long line`, []at{{30, 20, "red"}, {30, 52, "white"}}},
		"svg on pixels":   {`<body style="margin:0"><svg width=20 height=20 style="position:absolute;left:10.5px;top:10.5px"><rect width=20 height=20 fill="red"/></svg>`, []at{{10, 20, "white"}, {11, 20, "red"}, {30, 20, "red"}, {20, 31, "white"}}},
		"cut in center":   {box + `width:80px;text-align:center;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;font:20px/20px Inter}b{display:inline-block;width:40px;height:20px;background:red}i{display:inline-block;width:60px}</style><div><b></b><i></i>`, []at{{29, 20, "white"}, {31, 20, "red"}, {68, 20, "red"}}},
		"clamped":         {box + `display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;font:20px/20px Inter;width:9px}b{background:red;color:red}</style><div>x <b>x</b>`, []at{{12, 48, "red"}}},
		"lowest blended":  {`<body style="margin:0;background:blue">` + box + `background:linear-gradient(red,red);background-blend-mode:multiply}</style><div>`, []at{{30, 30, "red"}}},
		"arced dashes":    {box + `width:60px;height:60px;border:10px dashed blue;box-sizing:border-box;border-radius:10px/20px}</style><div>`, []at{{12, 12, "white"}, {63, 13, "blue"}}},
		"unlike dashes": {`<style>body{margin:0}div{width:70px;height:50px;box-sizing:border-box;border-radius:30px;` +
			`border:3px dashed red;border-left:14px dashed blue}</style><div>`,
			[]at{{5, 7, "white"}, {28, 7, "white"}, {16, 2, "red"}}},
		"ch of the face":  {box + `width:2ch;font:20px Instrument Serif;background:red}</style><div>`, []at{{26, 30, "red"}, {31, 30, "white"}}},
		"dark outset":     {box + `border:10px outset #000;box-sizing:border-box}</style><div>`, []at{{30, 15, "light edge"}, {30, 45, "dark edge"}}},
		"percent picture": {box + `display:grid}</style><div><img src=x.png style="width:20px;height:50%;image-rendering:pixelated"><b>`, []at{{12, 15, "red"}, {12, 22, "blue"}, {12, 27, "white"}}},
		"hard stops":      {`<body style="background:linear-gradient(90deg,red 50%,blue 0)">`, []at{{49, 30, "red"}, {50, 30, "blue"}}},
		"masked backdrop": {box + `backdrop-filter:invert(1);mask:linear-gradient(90deg,#000 50%,#0000 0)}</style><div>`,
			[]at{{20, 30, "black"}, {40, 30, "white"}}},
		"filtered backdrop": {box + `backdrop-filter:grayscale(1);filter:invert(1)}</style><div>`, []at{{30, 30, "black"}}},
		"backdrop in another": {box + `backdrop-filter:invert(1)}b{position:absolute;inset:10px;
			backdrop-filter:invert(1)}</style><div><b>`, []at{{15, 30, "black"}, {30, 30, "black"}}},
		"vertical": {box + `font:20px/40px Inter;color:red;writing-mode:vertical-rl}</style><div>I`,
			[]at{{26, 12, "red"}, {34, 12, "red"}, {30, 16, "white"}}},
		"upright": {box + `font:20px/40px Inter;color:red;writing-mode:vertical-rl;text-orientation:upright;font-weight:700}</style><div>I`,
			[]at{{30, 17, "red"}, {30, 26, "red"}, {25, 22, "white"}}},
		"dash in vertical text": {box + `font:700 40px/40px Inter;color:red;writing-mode:vertical-rl}</style><div lang=ja>ー`,
			[]at{{30, 18, "red"}, {30, 42, "red"}, {14, 30, "white"}, {46, 30, "white"}}},
		"comma in vertical text": {box + `font:700 40px/40px Inter;color:red;writing-mode:vertical-rl}</style><div lang=ja>、`,
			[]at{{38, 18, "red"}, {18, 42, "white"}, {14, 38, "white"}}},
		"small capital": {box + `font:800 40px/40px Inter;color:red;font-variant:all-small-caps}</style><div>I`,
			[]at{{14, 30, "red"}, {14, 40, "red"}, {14, 20, "white"}, {17, 20, "white"}}},
		"sideways from below": {box + `font:20px/20px Inter;color:red;writing-mode:sideways-lr}</style><div>■`,
			[]at{{20, 40, "red"}, {20, 20, "white"}, {40, 40, "white"}}},
		"sides in vertical text": {box + `writing-mode:vertical-rl}b{display:block;border-left:5px solid red;
			border-top:5px solid blue;height:20px;width:20px}</style><div><b>`, []at{{27, 25, "red"}, {45, 12, "blue"}, {45, 25, "white"}}},
		"middle of vertical text": {box + `display:grid;place-items:center;writing-mode:vertical-lr}
			b{width:10px;height:20px;background:red}</style><div><b>`, []at{{30, 25, "red"}, {30, 35, "red"}, {22, 30, "white"}}},
		"line of a larger font": {box + `width:80px;text-decoration:line-through red;color:#0000}
			p{margin:0;font:40px/40px Inter}</style><div><p>xxx`, []at{{40, 29, "red"}, {40, 32, "red"}, {40, 33, "white"}}},
		"pulled margin": {box + `font:20px/20px Inter;color:red}b{font-weight:400;margin-right:-20px}</style>
			<div><b>■ ■</b>`, []at{{18, 20, "red"}, {18, 40, "red"}, {38, 20, "white"}}},
		"text in a cell": {box + `display:grid;place-items:center;width:80px;font:20px/20px Inter;color:red}
			</style><div>■`, []at{{30, 30, "white"}, {50, 30, "red"}}},
		"text clip": {box + `background:red;background-clip:text;color:#0000;font:700 300px/40px Inter;text-indent:-30px}</style><div>I`, []at{{30, 30, "red"}, {80, 5, "white"}}},
	} {
		img, warnings := drawn(t, c.source)
		if len(warnings) > 0 {
			t.Errorf("%s: %v", name, warnings)
		}
		for _, p := range c.want {
			if got := color.RGBAModel.Convert(img.At(p.x, p.y)).(color.RGBA); !near(got, colors[p.c]) {
				t.Errorf("%s: %d,%d is %v, want %s", name, p.x, p.y, got, p.c)
			}
		}
	}
}

func TestParse_limits(t *testing.T) {
	for name, source := range map[string]string{
		"bytes":    strings.Repeat(" ", html.MaxBytes+1),
		"elements": strings.Repeat("<b></b>", html.MaxElements),
		"depth":    strings.Repeat("<div>", html.MaxDepth+1),
	} {
		if _, err := html.Parse(source); !errors.Is(err, html.ErrTooLarge) {
			t.Errorf("%s: %v, want ErrTooLarge", name, err)
		}
	}
}

func TestDraw_sizes(t *testing.T) {
	doc, err := html.Parse("<p>x")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{0, 10}, {10, 0}, {html.MaxSide + 1, 10}, {-1, -1}} {
		if _, _, err := doc.Draw(t.Context(), html.Options{Width: size[0], Height: size[1]}); err == nil {
			t.Errorf("%v is drawn", size)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := doc.Draw(ctx, html.Options{Width: 10, Height: 10}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled drawing: %v", err)
	}
}

func TestDraw_warningsSayWhere(t *testing.T) {
	_, warnings := drawn(t, "<p>a\n  <i style='foo:1'>b</i>\n<style>\n  i { bar: 2 }\n</style><img src=no.png width=9>")
	want := []string{"4:7 The property bar is not supported.", "2:3 The property foo is not supported.", "5:9 A picture"}
	for _, w := range want {
		if !slices.ContainsFunc(warnings, func(g html.Warning) bool { return strings.HasPrefix(format(g), w) }) {
			t.Errorf("%v lacks %s", warnings, w)
		}
	}
}

func format(w html.Warning) string { return fmt.Sprintf("%d:%d %s", w.Line, w.Column, w.Message) }

// TestDraw_concurrently draws one document from several goroutines: every picture is the same.
func TestDraw_concurrently(t *testing.T) {
	doc, err := html.Parse(`<style>p{filter:blur(2px);background:linear-gradient(red,blue)}</style><p>Some text <b>bold</b>`)
	if err != nil {
		t.Fatal(err)
	}
	pictures := make([][]uint8, 6)
	var group sync.WaitGroup
	for i := range pictures {
		group.Go(func() {
			img, _, err := doc.Draw(t.Context(), html.Options{Width: 200, Height: 100})
			if err != nil {
				t.Error(err)
				return
			}
			all := image.NewRGBA(img.Bounds())
			draw.Draw(all, all.Rect, img, image.Point{}, draw.Src)
			pictures[i] = all.Pix
		})
	}
	group.Wait()
	for _, p := range pictures[1:] {
		if !slices.Equal(p, pictures[0]) {
			t.Error("two drawings of a document differ")
		}
	}
}

// TestDraw_nestedRatios draws boxes whose widths follow their heights, each in another, within the bound of work.
func TestDraw_nestedRatios(t *testing.T) {
	const depth = 50
	doc, err := html.Parse("<style>div{aspect-ratio:3/2}div>*{width:fit-content}" +
		"div:nth-child(odd){display:table;height:100%;padding:1%}</style><div style='height:600px'>" +
		strings.Repeat("<p>x</p><div><p>y z</p>", depth) + "text" + strings.Repeat("</div>", depth+1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := doc.Draw(t.Context(), html.Options{Width: 1200, Height: 630}); err != nil {
		t.Error(err)
	}
}

// TestDraw_nestedColumns draws columns whose items are measured with and without their heights, each in another.
func TestDraw_nestedColumns(t *testing.T) {
	const depth = 55
	doc, err := html.Parse(strings.Repeat("<div style='display:flex;flex-direction:column;height:300px;flex:1'>", depth) +
		"text" + strings.Repeat("</div>", depth))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := doc.Draw(t.Context(), html.Options{Width: 1200, Height: 630}); err != nil {
		t.Error(err)
	}
}

func TestDataURL(t *testing.T) {
	for address, want := range map[string]string{
		"data:,a%20b": "a b", "data:text/plain;base64,YQ==": "a", "DATA:x;base64,Y%51": "a", "data:image/svg+xml;utf8,<a>": "<a>",
	} {
		if got, ok := html.DataURL(address); !ok || string(got) != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
	for _, address := range []string{"", "a.png", "data:", "data:;base64,*"} {
		if got, ok := html.DataURL(address); ok {
			t.Errorf("%s is %q", address, got)
		}
	}
}

// TestDocs_listEveryProperty compares the properties in docs/html.md with those that are drawn.
func TestDocs_listEveryProperty(t *testing.T) {
	docs, err := os.ReadFile("../../docs/html.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(docs), "## Properties")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	for _, name := range css.Properties() {
		if !slices.Contains(listed, name) {
			t.Errorf("docs/html.md doesn't list %s", name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(css.Properties(), name) {
			t.Errorf("docs/html.md lists %s, which isn't drawn", name)
		}
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("<div style='display:flex;gap:1em'><p>a</p><b style='flex:1;background:linear-gradient(red,blue)'>c</b></div>")
	f.Add("<style>p{filter:blur(3px);transform:rotate(9deg)}</style><p>Ünï 漢字 عربى</p><svg width=9><path d='M0 0'/></svg>")
	f.Add("<ol><li style='border:3px dashed;border-radius:9px;mask:radial-gradient(red,#0000)'>x<table><tr><td>y")
	f.Add("<i style='background:url(x.png) space;background-clip:text;-webkit-text-stroke:1px;outline:2px dotted'>x\u00adyz</i>")
	f.Add("<style>i{container:a/size;width:9px}@container a (width<9px) or (aspect-ratio>1){b{width:5cqmin}}</style><i><b>x")
	f.Add("<div style='writing-mode:vertical-lr;text-orientation:upright;letter-spacing:1px'>漢a<p style='writing-mode:" +
		"sideways-lr;border-left:2px solid;box-shadow:1px 2px red'>b<span style='text-combine-upright:all'>12")
	f.Fuzz(func(t *testing.T, source string) {
		const most = 4000
		if len(source) > most {
			return
		}
		doc, err := html.Parse(source)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, _, _ = doc.Draw(ctx, html.Options{Width: 120, Height: 80, Images: checker})
	})
}

// TestDraw_propertiesAndScheme draws one document with colors of the caller, light and dark.
func TestDraw_propertiesAndScheme(t *testing.T) {
	doc, err := html.Parse(`<style>:root{--own:#00f}body{margin:0;background:var(--accent,#111)}
		@media (prefers-color-scheme: dark){:root{--own:#0ff}}</style>
		<div style="height:10px;background:light-dark(#fff,#000)"></div><div style="height:10px;background:var(--own)">`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		opts html.Options
		want [3]string
	}{
		{html.Options{}, [3]string{"ffffff", "0000ff", "111111"}},
		{html.Options{Dark: true}, [3]string{"000000", "00ffff", "111111"}},
		{html.Options{Properties: map[string]string{"--accent": "var(--b)", "--b": "#f60", "--own": "red"}},
			[3]string{"ffffff", "0000ff", "ff6600"}},
		{html.Options{}, [3]string{"ffffff", "0000ff", "111111"}},
	} {
		c.opts.Width, c.opts.Height = 10, 30
		img, _, err := doc.Draw(t.Context(), c.opts)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			r, g, b, _ := img.At(5, 5+10*i).RGBA()
			if got := fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8); got != want {
				t.Errorf("%+v: row %d is %s, want %s", c.opts, i, got, want)
			}
		}
	}
}

// TestDraw_tailwind draws a document that imports Tailwind as one with plain styles.
func TestDraw_tailwind(t *testing.T) {
	draw := func(source string) (image.Image, []html.Warning) {
		doc, err := html.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		img, warnings, err := doc.Draw(t.Context(), html.Options{Width: 300, Height: 160})
		if err != nil {
			t.Fatal(err)
		}
		return img, warnings
	}
	got, warnings := draw(`<style>@import "tailwindcss"; @theme { --color-brand: #0d9488; }
		.own{padding:12px}</style><body class="flex h-screen items-end bg-(--color-brand)">
		<h1 class="own mb-2 p-8 text-xl font-bold unknown" tw="nothing">Hi</h1>`)
	want, _ := draw(`<style>*{margin:0}body{display:flex;height:160px;align-items:flex-end;background:#0d9488;font-family:sans-serif}
		h1{padding:12px;margin-bottom:8px;font-size:20px;line-height:28px;font-weight:700}</style><body><h1>Hi</h1>`)
	for y := range 160 {
		for x := range 300 {
			if got.At(x, y) != want.At(x, y) {
				t.Fatalf("pixel %d, %d differs from that of plain styles", x, y)
			}
		}
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "nothing") || warnings[0].Line != 3 {
		t.Errorf("the warnings are %v, want one of the class that tw has and nobody knows", warnings)
	}
	_, warnings = draw(`<p class="flex p-4" tw="p-2">without an import, classes are the document's own`)
	if len(warnings) > 0 {
		t.Errorf("the warnings are %v, want none", warnings)
	}
}
