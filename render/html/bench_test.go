package html_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

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

// BenchmarkDraw_again draws a document that is parsed already.
func BenchmarkDraw_again(b *testing.B) {
	doc, err := html.Parse(strings.ReplaceAll(fmt.Sprintf(referenceCard, 1), "%%", "%"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := doc.Draw(b.Context(), html.Options{Width: 1200, Height: 630, Images: logo}); err != nil {
			b.Fatal(err)
		}
	}
}
