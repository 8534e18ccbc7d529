package picture_test

import (
	"context"
	"image"
	"testing"

	"github.com/disintegration/imaging"

	"masthead/pkg/picture"
)

// Figures of one core of a shared virtual machine stand in the commit; ratios count.

func benchmarkDecode(b *testing.B, file []byte) {
	b.Helper()
	decoder := picture.NewDecoder(picture.Config{})
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decoder.Decode(context.Background(), file, picture.Want{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeIconPNG180(b *testing.B) { benchmarkDecode(b, pngFile(b, motley(180, 180, true))) }

func BenchmarkDecodeJPEG1200x630(b *testing.B) {
	benchmarkDecode(b, jpegFile(b, imaging.Blur(motley(1200, 630, false), 3)))
}

func BenchmarkDecodeICO32(b *testing.B) {
	benchmarkDecode(b, icoFile(entry{w: 32, h: 32, body: dibFile(motley(32, 32, true), 32, nil)}))
}

// BenchmarkDecodeWorstJPEG is the most work that the scan count lets pass: 40 scans of the largest gray picture.
func BenchmarkDecodeWorstJPEG(b *testing.B) {
	benchmarkDecode(b, flatJPEG(4096, 4096, []byte{90}, -1, 39))
}

func BenchmarkInspectJPEG(b *testing.B) {
	file := jpegFile(b, imaging.Blur(motley(1200, 630, false), 3))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := picture.Inspect(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScale(b *testing.B) {
	for name, src := range map[string]*image.NRGBA{"icon512": motley(512, 512, true),
		"photo2400": motley(2400, 1260, false)} {
		for target, side := range map[string]int{"64": 64, "320": 320, "1200": 1200} {
			if name == "icon512" && side == 1200 {
				continue
			}
			b.Run(name+"-"+target, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					picture.Contain(src, side, side)
				}
			})
		}
	}
}
