package render_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"syscall"
	"testing"

	"masthead/render"
	"masthead/render/encode"
	"masthead/render/specimen"
)

// photograph returns a picture as a decoded JPEG of 2400×1600 is.
func photograph(b *testing.B) image.Image {
	b.Helper()
	small := specimen.Picture("dunes")
	large := image.NewRGBA(image.Rect(0, 0, 2400, 1600))
	for i := range 2400 * 1600 {
		copy(large.Pix[4*i:4*i+4], small.Pix[small.PixOffset(i%2400*1536/2400, i/2400*1024/1600):][:4])
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, large, &jpeg.Options{Quality: 90}); err != nil {
		b.Fatal(err)
	}
	img, err := jpeg.Decode(&out)
	if err != nil {
		b.Fatal(err)
	}
	return img
}

// BenchmarkDrawOver draws cards over a picture that is known already, and over one that is new each time.
func BenchmarkDrawOver(b *testing.B) {
	photo := photograph(b)
	pictures := map[string]image.Image{"dunes": specimen.Picture("dunes"), "city": specimen.Picture("city"), "photo": photo}
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			for _, name := range []string{"dunes", "city", "photo"} {
				b.Run(fmt.Sprintf("%s-%s/kept/%s", info.Slug, kind, name), func(b *testing.B) {
					requests := titled(b, info.Slug, kind, 50)
					drawOver(b, requests, func(int) image.Image { return pictures[name] })
				})
			}
			b.Run(fmt.Sprintf("%s-%s/cold/photo", info.Slug, kind), func(b *testing.B) {
				ycc := photo.(*image.YCbCr)
				drawOver(b, titled(b, info.Slug, kind, 50), func(i int) image.Image {
					ycc.Y[0], ycc.Y[1] = uint8(i), uint8(i>>8) // another picture
					return ycc
				})
			})
		}
	}
}

// BenchmarkDrawPhoto draws cards that show the page's own picture, which is known already.
func BenchmarkDrawPhoto(b *testing.B) {
	pictures := map[string]*image.NRGBA{"dunes": specimen.Picture("dunes"), "forest": specimen.Picture("forest")}
	for _, info := range render.Templates() {
		for _, kind := range info.Photo {
			if info.Slug == "frame" { // which shows a screenshot
				continue
			}
			for name, photo := range pictures {
				for _, dark := range []bool{true, false} {
					mode := map[bool]string{true: "dark", false: "light"}[dark]
					b.Run(fmt.Sprintf("%s-%s/%s/%s", info.Slug, kind, name, mode), func(b *testing.B) {
						requests := titled(b, info.Slug, kind, 1000) // none is drawn twice
						for i := range requests {
							requests[i].Photo, requests[i].Dark = photo, dark
						}
						drawKept(b, requests)
					})
				}
			}
		}
	}
}

// drawKept draws requests in turn, after one that keeps what they share.
func drawKept(b *testing.B, requests []render.Request) {
	b.Helper()
	pic, err := render.Draw(b.Context(), requests[0])
	if err != nil || pic.Template != requests[0].Template {
		b.Fatalf("%s was drawn instead of %s: %v", pic.Template, requests[0].Template, err)
	}
	b.ReportAllocs()
	defer cpu(b)()
	for i := 0; b.Loop(); i++ {
		if _, err := render.Draw(b.Context(), requests[i%len(requests)]); err != nil {
			b.Fatal(err)
		}
	}
}

func drawOver(b *testing.B, requests []render.Request, picture func(i int) image.Image) {
	b.Helper()
	b.ReportAllocs()
	size := 0
	r := requests[0]
	r.Background = picture(0)
	if _, err := render.Draw(b.Context(), r); err != nil { // the first makes the plate
		b.Fatal(err)
	}
	defer cpu(b)()
	for i := 0; b.Loop(); i++ {
		r := requests[i%len(requests)]
		r.Background = picture(i)
		pic, err := render.Draw(b.Context(), r)
		if err != nil {
			b.Fatal(err)
		}
		size = len(pic.Bytes)
	}
	b.ReportMetric(float64(size), "bytes/card")
}

// cpu reports what an operation takes of the processor, which is what counts where others use it too.
func cpu(b *testing.B) (report func()) {
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
	}
	before := used()
	return func() { b.ReportMetric((used()-before)/float64(b.N), "cpu-ms/op") }
}

// BenchmarkEncodeOver encodes a card over a picture, beside the standard library.
func BenchmarkEncodeOver(b *testing.B) {
	r, _ := render.Sample(render.DefaultTemplate)
	r.Background = specimen.Picture("city")
	img, err := render.Paint(b.Context(), r)
	if err != nil {
		b.Fatal(err)
	}
	for name, limits := range map[string]encode.Limits{
		"whole": {NoPNG: true}, "half": {NoPNG: true, Text: []image.Rectangle{}},
	} {
		b.Run(name, func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				if _, err := encode.Encode(img, limits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	rgba := image.NewRGBA(img.Bounds())
	copy(rgba.Pix, img.(*image.NRGBA).Pix)
	b.Run("standard", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			if err := jpeg.Encode(new(bytes.Buffer), rgba, &jpeg.Options{Quality: encode.MaxQuality}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
