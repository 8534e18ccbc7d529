package golden_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/render/golden"
)

// picture has 100×100 pixels of one gray, but for n pixels that are off by d.
func picture(n, d int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	for i := range 100 * 100 {
		v := uint8(100)
		if i < n {
			v = uint8(100 + d)
		}
		img.SetNRGBA(i%100, i/100, color.NRGBA{R: v, G: 100, B: 100, A: 255})
	}
	return img
}

func TestCompare_differences_failBeyondTolerance(t *testing.T) {
	for _, c := range []struct {
		name string
		got  image.Image
		ok   bool
	}{
		{"equal", picture(0, 0), true},
		{"everywhere off by 2", picture(10000, 2), true},
		{"one in 1000 off by a lot", picture(10, 150), true},
		{"more than one in 1000", picture(11, 3), false},
		{"less than one in 1000, darker", picture(9, -100), true},
		{"everywhere off by 3", picture(10000, 3), false},
		{"another size", image.NewNRGBA(image.Rect(0, 0, 100, 99)), false},
		{"alpha differs", image.NewNRGBA(image.Rect(0, 0, 100, 100)), false},
		{"another place", picture(0, 0).SubImage(image.Rect(0, 0, 100, 100)), true},
	} {
		fault, diff := golden.Compare(c.got, picture(0, 0))
		if (fault == "") != c.ok {
			t.Errorf("%s: %q", c.name, fault)
		}
		if fault != "" && !strings.HasPrefix(fault, "the size") && diff == nil {
			t.Errorf("%s: there is no picture of the difference", c.name)
		}
	}
}

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	dir    string
	faults []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) ArtifactDir() string { return r.dir }
func (r *recorder) Errorf(f string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(f, args...))
}
func (r *recorder) Fatalf(f string, args ...any) { r.Errorf(f, args...) }

func TestImage_missingOrDifferent_failsAndKeepsPictures(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(name string, img image.Image) *recorder {
		r := &recorder{TB: t, dir: t.TempDir()}
		golden.Image(r, name, img)
		return r
	}

	missing := check("card", picture(0, 0))
	if len(missing.faults) != 1 || !strings.Contains(missing.faults[0], "-update") {
		t.Errorf("a missing golden gives %q", missing.faults)
	}
	if _, err := os.Stat(filepath.Join(missing.dir, "card-got.png")); err != nil {
		t.Error(err)
	}

	path := filepath.Join("testdata", "golden", "card.png")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, picture(0, 0)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if same := check("card", picture(3, 50)); len(same.faults) != 0 {
		t.Errorf("a likeness gives %q", same.faults)
	}
	other := check("card", picture(500, 50))
	if len(other.faults) != 1 || !strings.Contains(other.faults[0], "500 pixels") {
		t.Errorf("another picture gives %q", other.faults)
	}
	for _, name := range []string{"card-got.png", "card-diff.png"} {
		if _, err := os.Stat(filepath.Join(other.dir, name)); err != nil {
			t.Error(err)
		}
	}

	if err := os.WriteFile(path, []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	if broken := check("card", picture(0, 0)); len(broken.faults) != 1 {
		t.Errorf("a broken golden gives %q", broken.faults)
	}
}
