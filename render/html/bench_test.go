package html_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/testenv"
	"masthead/render/encode"
	"masthead/render/html"
)

// referenceCard is the card of shared/bench/render as a document; its title has a serial number.
const referenceCard = `<!doctype html><html lang=en><style>
*{box-sizing:border-box;margin:0}
body{width:1200px;height:630px;padding:64px 80px;display:flex;flex-direction:column;font-family:Inter;
background:linear-gradient(135deg,#0f172a,#4338ca)}
img{width:64px;height:64px;border-radius:14px}
h1{margin-top:40px;font-size:64px;line-height:1.15;color:#fff;font-weight:700}
p{margin-top:24px;font-size:28px;line-height:1.4;color:#cbd5e1}
hr{margin:auto 0 20px;width:100%%;height:4px;border:0;background:#22d3ee}
footer{font-size:24px;color:#e2e8f0}
</style><img src=logo.png><h1>A share image number %d that tells readers what a page is about before they open it</h1>
<p>Every page gets a card of its own, drawn from its title, its description and the colors of its site, in a few
milliseconds.</p><hr><footer>example.com</footer>`

func logo(string) html.Image { return logoImage }

var logoImage = func() html.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		img.SetNRGBA(i%64, i/64, color.NRGBA{34, 211, 238, 255})
	}
	return html.Raster(img)
}()

// BenchmarkDraw_reference draws and encodes the reference card; its title changes as those of pages do.
func BenchmarkDraw_reference(b *testing.B) {
	size := 0
	for i := 0; b.Loop(); i++ {
		doc, err := html.Parse(fmt.Sprintf(referenceCard, i))
		if err != nil {
			b.Fatal(err)
		}
		img, _, err := doc.Draw(b.Context(), html.Options{Width: 1200, Height: 630, Images: logo})
		if err != nil {
			b.Fatal(err)
		}
		out, err := encode.Encode(img, encode.OG)
		if err != nil {
			b.Fatal(err)
		}
		size = len(out.Bytes)
	}
	b.ReportMetric(float64(size), "bytes/card")
}

// BenchmarkDraw_design draws and encodes the reference card from a design that is compiled once.
func BenchmarkDraw_design(b *testing.B) {
	design, err := html.Compile(strings.NewReplacer("%d", "{{n}}", "%%", "%").Replace(referenceCard))
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for i := 0; b.Loop(); i++ {
		opts := html.Options{Width: 1200, Height: 630, Images: logo}
		out, _, err := design.Encode(b.Context(), map[string]any{"n": i}, opts, encode.OG)
		if err != nil {
			b.Fatal(err)
		}
		size = len(out.Bytes)
	}
	b.ReportMetric(float64(size), "bytes/card")
}

// BenchmarkEncode_wholeCards draws and encodes as PNG the cards of the open corpus that are 1000 px wide and more, each
// compiled once. cards/cpu-s is of the round of all cards that took least, which other load on the machine changes
// little: it is comparable with other programs on the same machine in the same run.
func BenchmarkEncode_wholeCards(b *testing.B) {
	dir, ok := testenv.HTMLCards(b)
	if !ok {
		return
	}
	const wide = 1000
	type card struct {
		name   string
		design *html.Design
		opts   html.Options
		least  time.Duration
		bytes  int
	}
	var cards []*card
	for _, c := range readCases(b, dir) {
		if c.Width < wide {
			continue
		}
		design, opts := c.design(b, dir)
		cards = append(cards, &card{name: c.Name, design: design, opts: opts})
	}
	draw := func(c *card) {
		start := cpuTime(b)
		out, _, err := c.design.Encode(b.Context(), map[string]any{}, c.opts, encode.Lossless)
		if err != nil {
			b.Fatal(err)
		}
		if spent := cpuTime(b) - start; c.least == 0 || spent < c.least {
			c.least = spent
		}
		c.bytes = len(out.Bytes)
	}
	for _, c := range cards { // what is kept for a program's life isn't counted
		draw(c)
		c.least = 0
	}
	var least time.Duration
	for b.Loop() {
		start := cpuTime(b)
		for _, c := range cards {
			draw(c)
		}
		if spent := cpuTime(b) - start; least == 0 || spent < least {
			least = spent
		}
	}
	size := 0
	for _, c := range cards {
		b.Logf("%-64s %6.2f ms %7d bytes", c.name, c.least.Seconds()*1000, c.bytes)
		size += c.bytes
	}
	b.ReportMetric(float64(len(cards))/least.Seconds(), "cards/cpu-s")
	b.ReportMetric(float64(size)/float64(len(cards)), "bytes/card")
}

// cpuTime returns the processor time of this program.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
