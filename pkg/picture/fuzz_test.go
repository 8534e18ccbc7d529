package picture

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
	"time"
)

// seeds are small sound files of each format that the standard library writes, and heads of the others.
func seeds(f *testing.F) {
	f.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White, color.Transparent})
	for i := range img.Pix {
		img.Pix[i] = uint8(i % 3)
	}
	var p, j, g bytes.Buffer
	if err := png.Encode(&p, img); err != nil {
		f.Fatal(err)
	}
	if err := jpeg.Encode(&j, img, nil); err != nil {
		f.Fatal(err)
	}
	if err := gif.Encode(&g, img, nil); err != nil {
		f.Fatal(err)
	}
	ico := append([]byte("\x00\x00\x01\x00\x02\x00\x09\x07\x00\x00\x01\x00\x20\x00"), byte(p.Len()), 0, 0, 0, 38, 0, 0, 0)
	ico = append(ico, "\x01\x01\x00\x00\x01\x00\x18\x00\x30\x00\x00\x00"...)
	ico = append(ico, byte(38+p.Len()), 0, 0, 0)
	ico = append(ico, p.Bytes()...)
	ico = append(ico, "\x28\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x18\x00"...)
	ico = append(ico, make([]byte, 32)...)
	for _, seed := range [][]byte{
		p.Bytes(), j.Bytes(), g.Bytes(), ico,
		[]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0e\x00\x00\x00/\x00\x00\x00\x00\x07\x10\x11\x11\x88\x88\xfe\x07\x00\x00"),
		[]byte("\x00\x00\x00\x14ftypavif\x00\x00\x00\x00mif1\x00\x00\x00\x40meta\x00\x00\x00\x00\x00\x00\x00\x34iprp\x00\x00\x00\x1cipco\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x07"),
		[]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x09\x00\x00\x00\x07\x00\x00\x00\x01\x00\x18\x00"),
		[]byte("II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x03\x00\x01\x00\x00\x00\x09\x00\x00\x00\x01\x01\x03\x00\x01\x00\x00\x00\x07\x00\x00\x00"),
		[]byte("<?xml version='1.0'?><!-- --><!DOCTYPE svg [ ]><svg width='9' height=\"7px\" viewBox='0 0 9 7'>"),
	} {
		f.Add(seed)
	}
}

// FuzzInspect: no header makes it fail otherwise than with an error, and what it gives makes sense.
func FuzzInspect(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		format := Sniff(data)
		facts, err := inspect(format, data) // not Inspect, which would hide a panic
		if (format == Unknown) != (err == ErrUnknown) {
			t.Fatalf("%v gives %v", format, err)
		}
		if err == nil && (facts.Orientation < 1 || facts.Orientation > 8 || facts.Width < 0 || facts.Height < 0 ||
			format != SVG && facts.Width*facts.Height == 0) {
			t.Fatalf("facts %+v of %v", facts, format)
		}
	})
}

// fuzzPlan: the plan of a format fails with an error at most, and what it lets pass decodes to what it promised or to
// an error, without a panic of our own code and within the cost that it names.
func fuzzPlan(f *testing.F, planner func(data []byte, want Want) (plan, error)) {
	f.Helper()
	seeds(f)
	decoder := NewDecoder(Config{Deadline: time.Minute, Wait: time.Minute})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 13 {
			return
		}
		p, err := planner(data, Want{Side: 16})
		if err != nil {
			return
		}
		pixels := int64(p.facts.Width) * int64(p.facts.Height)
		if pixels < 1 || pixels > maxPixels || p.cost < pixels*4 {
			t.Fatalf("the plan %+v costs %d", p.facts, p.cost)
		}
		if pixels > 1<<20 {
			return // sound, but slow to fuzz
		}
		img, facts, err := decoder.Decode(context.Background(), data, Want{Side: 16})
		if err == nil && (img.Rect.Dx() != p.facts.Width || img.Rect.Dy() != p.facts.Height || facts.Width != p.facts.Width) {
			t.Fatalf("promised %+v, drew %v", p.facts, img.Rect)
		}
	})
}

func FuzzPNG(f *testing.F)  { fuzzPlan(f, only(PNG, planPNG)) }
func FuzzJPEG(f *testing.F) { fuzzPlan(f, only(JPEG, planJPEG)) }
func FuzzGIF(f *testing.F)  { fuzzPlan(f, only(GIF, planGIF)) }
func FuzzWebP(f *testing.F) { fuzzPlan(f, only(WebP, planWebP)) }
func FuzzICO(f *testing.F)  { fuzzPlan(f, only(ICO, planICO)) }

// only skips data of other formats, so that the plan meets what Decode would hand it.
func only(format Format, planner func([]byte, Want) (plan, error)) func([]byte, Want) (plan, error) {
	return func(data []byte, want Want) (plan, error) {
		if Sniff(data) != format {
			return plan{}, ErrUnknown
		}
		return planner(data, want)
	}
}

// FuzzJPEGScans: the standard decoder never sees a scan that the walk did not count.
func FuzzJPEGScans(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		head, err := readJPEG(data, false)
		if err != nil {
			return
		}
		seen := int64(0)
		for _, part := range head.parts {
			seen += int64(bytes.Count(part, []byte{0xff, markerSOS}))
		}
		joined := bytes.Join(head.parts, nil)
		if n := int64(bytes.Count(joined, []byte{0xff, markerSOS})); n > seen || n > head.scans || len(joined) > len(data) {
			t.Fatalf("%d scans in the stream, %d counted", n, head.scans)
		}
	})
}
