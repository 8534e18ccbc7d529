// Package golden compares drawn pictures with pictures that somebody has looked at and accepted. It is a test helper.
//
//	golden.Image(t, "editorial-dark", canvas.Image())
//
// compares with testdata/golden/editorial-dark.png of the package under test. To accept what is drawn now, run the test
// with -update, and look at the file before committing it.
package golden

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden images with what is drawn now")

const (
	// tolerance is how far a channel may be off: processors differ in whether they fuse a multiplication and an
	// addition.
	tolerance = 2
	// outliers is the part of all pixels, one in so many, that may be off by more: an edge that fell to the other side.
	outliers = 1000
)

// Image fails the test unless img looks like testdata/golden/NAME.png: of equal size, with every channel within 2 of
// 255 but for one pixel in 1000. It fails too when there is no such file.
//
// On failure the test's artifact directory holds NAME-got.png and NAME-diff.png, which shows what differs in red on the
// faded golden. Run go test with -artifacts to keep them.
func Image(t testing.TB, name string, img image.Image) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".png")
	got := pixels(img)
	if *update {
		if err := write(path, got); err != nil {
			t.Fatalf("update %s: %v", path, err)
		}
		t.Logf("wrote %s: look at it", path)
		return
	}
	want, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		keep(t, name+"-got.png", got)
		t.Errorf("%s: there is no golden image; draw it with -update and look at it", path)
		return
	}
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if fault, diff := Compare(got, want); fault != "" {
		keep(t, name+"-got.png", got)
		if diff != nil {
			keep(t, name+"-diff.png", diff)
		}
		t.Errorf("%s: %s", path, fault)
	}
}

// Compare returns what is wrong with got, or "" when it is within the tolerance of want, and a picture of the
// difference where there is one to see.
func Compare(got, want image.Image) (fault string, diff *image.NRGBA) {
	a, b := pixels(got), pixels(want)
	if a.Rect.Size() != b.Rect.Size() {
		return fmt.Sprintf("the size is %v, want %v", a.Rect.Size(), b.Rect.Size()), nil
	}
	diff = image.NewNRGBA(b.Rect)
	off, worst, at := 0, 0, image.Point{}
	for i := 0; i < len(a.Pix); i += 4 {
		d := 0
		for ch := range 4 {
			p, q := int(a.Pix[i+ch]), int(b.Pix[i+ch])
			d = max(d, p-q, q-p)
		}
		gray := 191 + uint8((int(b.Pix[i])+int(b.Pix[i+1])+int(b.Pix[i+2]))/12)
		p := color.NRGBA{R: gray, G: gray, B: gray, A: 255}
		if d > tolerance {
			off++
			p = color.NRGBA{R: 255, G: uint8(128 - d/2), B: uint8(128 - d/2), A: 255}
		}
		if d > worst {
			worst, at = d, image.Pt(i/4%b.Rect.Dx(), i/4/b.Rect.Dx())
		}
		diff.SetNRGBA(i/4%b.Rect.Dx(), i/4/b.Rect.Dx(), p)
	}
	if allowed := len(a.Pix) / 4 / outliers; off > allowed {
		return fmt.Sprintf("%d pixels differ by more than %d (%d may), the worst by %d at %v",
			off, tolerance, allowed, worst, at), diff
	}
	return "", nil
}

// pixels copies a picture into NRGBA pixels from 0,0. Alpha is kept.
func pixels(img image.Image) *image.NRGBA {
	dst := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	if src, ok := img.(*image.NRGBA); ok { // draw would lose the color of pixels that are nearly clear
		for y := range dst.Rect.Dy() {
			copy(dst.Pix[y*dst.Stride:(y+1)*dst.Stride], src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y+y):])
		}
		return dst
	}
	draw.Draw(dst, dst.Rect, img, img.Bounds().Min, draw.Src)
	return dst
}

// keep leaves a picture in the artifact directory of the test.
func keep(t testing.TB, name string, img image.Image) {
	t.Helper()
	path := filepath.Join(t.ArtifactDir(), filepath.Base(name))
	if err := write(path, img); err != nil {
		t.Errorf("keep %s: %v", path, err)
		return
	}
	t.Logf("see %s", path)
}

func read(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func write(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, img), f.Close())
}
