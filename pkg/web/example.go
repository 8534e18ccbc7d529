package web

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"net/http"
	"time"

	"github.com/fogleman/gg"

	"masthead/pkg/audit"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/encode"
)

// exampleName replaces the ID in the address of the example.
const exampleName = "example"

// exampleTime is when the example's page was read, constant so that the program always shows the same report.
var exampleTime = time.Date(2026, time.November, 20, 15, 4, 0, 0, time.UTC)

// newExample returns the report of a page of ours with common faults, judged by the actual rules.
func newExample(context.Context) (*audit.Report, error) {
	html, err := fs.ReadFile(pageFiles, "example.html")
	if err != nil {
		return nil, fmt.Errorf("read the page of the example: %w", err)
	}
	address, err := weburl.Parse("https://northlane.example/blog/render-queue-postgres")
	if err != nil {
		return nil, fmt.Errorf("parse the address of the example: %w", err)
	}
	const contentType = "text/html; charset=utf-8"
	parsed := page.Parse(html, contentType, address.URL())
	site := &scrape.Result{URL: address, Page: scrape.Part[scrape.Document]{State: scrape.Got, Value: scrape.Document{
		Page: parsed, URL: address, Status: http.StatusOK, Header: http.Header{"Content-Type": {contentType}},
		Size: int64(len(html)),
	}}}
	shared, icon := chart(800, 418), mark(48)
	sharedFile, err := encode.Encode(shared, encode.OG)
	if err != nil {
		return nil, fmt.Errorf("encode the picture of the example: %w", err)
	}
	iconFile, err := encode.PNG(icon)
	if err != nil {
		return nil, fmt.Errorf("encode the icon of the example: %w", err)
	}
	site.ShareImages = []scrape.Part[scrape.ShareImage]{measured(parsed.Metadata.Image, "image/jpeg", picture.JPEG,
		shared.Bounds(), 1_400_000)}
	site.Favicon = measured(parsed.Metadata.Favicon, "image/png", picture.PNG, icon.Bounds(), int64(len(iconFile.Bytes)))
	site.Robots = scrape.Part[page.Robots]{State: scrape.Got,
		Value: page.ParseRobots([]byte("User-agent: LinkedInBot\nDisallow: /blog/\n"))}
	site.Canonical.State = scrape.Absent
	r := audit.NewReport(site, exampleTime)
	r.ID = exampleName
	for i, file := range []encode.File{sharedFile, iconFile} {
		bounds := []image.Rectangle{shared.Bounds(), icon.Bounds()}[i]
		r.Pictures[i].Shown = &audit.Thumbnail{
			Name: string(r.Pictures[i].Kind) + file.Ext, ContentType: file.ContentType,
			Width: bounds.Dx(), Height: bounds.Dy(), Data: bytes.Clone(file.Bytes),
		}
	}
	return r, nil
}

// measured is a picture of the example's page as if it had been fetched.
func measured(
	at, contentType string, format picture.Format, bounds image.Rectangle, bytes int64,
) scrape.Part[scrape.ShareImage] {
	address, err := weburl.Parse(at)
	if err != nil {
		return scrape.Part[scrape.ShareImage]{State: scrape.Failed, Err: err}
	}
	return scrape.Part[scrape.ShareImage]{State: scrape.Got, Value: scrape.ShareImage{
		URL: address, Final: address, Status: http.StatusOK, ContentType: contentType, Size: bytes,
		Facts: picture.Facts{Format: format, Width: bounds.Dx(), Height: bounds.Dy(), Orientation: 1},
	}}
}

// chart draws the share image of the example's page: a panel with a falling line.
func chart(w, h int) *image.NRGBA {
	c := gg.NewContext(w, h)
	ground := gg.NewLinearGradient(0, 0, float64(w), float64(h))
	ground.AddColorStop(0, color.NRGBA{0xda, 0xe5, 0xe0, 0xff})
	ground.AddColorStop(1, color.NRGBA{0xb9, 0xcf, 0xc6, 0xff})
	c.SetFillStyle(ground)
	c.DrawRectangle(0, 0, float64(w), float64(h))
	c.Fill()
	// The heading is two bars: its text doesn't matter here.
	c.SetHexColor("#16342B")
	c.DrawRectangle(48, 52, 190, 22)
	c.DrawRectangle(48, 88, 150, 22)
	c.DrawRectangle(48, 362, 110, 10)
	c.Fill()
	c.SetHexColor("#FFFFFF")
	c.DrawRoundedRectangle(290, 62, float64(w), float64(h), 10)
	c.Fill()
	c.SetHexColor("#1E6B5A")
	c.DrawRectangle(322, 92, 70, 8)
	c.DrawRectangle(322, 112, 110, 20)
	c.Fill()
	c.SetHexColor("#DDE5E1")
	for y := 180.0; y <= 380; y += 50 {
		c.DrawRectangle(322, y, float64(w), 1)
	}
	c.Fill()
	line := []float64{236, 208, 240, 196, 226, 214, 252, 290, 318, 338, 332, 346, 352}
	trace := func() {
		for i, y := range line {
			c.LineTo(322+float64(i)*42, y)
		}
	}
	trace()
	c.LineTo(float64(w)+40, float64(h))
	c.LineTo(322, float64(h))
	c.ClosePath()
	c.SetHexColor("#1E6B5A22")
	c.Fill()
	trace()
	c.SetHexColor("#1E6B5A")
	c.SetLineWidth(4)
	c.Stroke()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			out.Set(x, y, c.Image().At(x, y))
		}
	}
	return out
}
