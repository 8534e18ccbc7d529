package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/testenv"
)

// logos writes the two logos of the benchmark into a folder.
func logos(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	img := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	for i := range 512 * 256 {
		img.Set(i%512, 128+i/512, color.NRGBA{R: 190, G: 18, B: 60, A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect y="128" width="512" height="256" fill="#be123c"/></svg>`
	for name, data := range map[string][]byte{"logo-512.png": b.Bytes(), "logo.svg": []byte(svg)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestIcons_coldAndWorker_makeTheSameFiles asks both sides of the benchmark for bundles of both logos.
func TestIcons_coldAndWorker_makeTheSameFiles(t *testing.T) {
	dir := logos(t)
	args := []string{"icons", "--assets", dir, "--cache", testenv.CacheDir()}
	for _, source := range []string{"png", "svg"} {
		file := filepath.Join(t.TempDir(), "o.zip")
		var out bytes.Buffer
		if err := run(append(args, "-o", file, "--source", source), nil, &out); err != nil || out.String() != "ok\n" {
			t.Fatalf("%s: got %q, %v", source, out.String(), err)
		}
		archive, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		sizes := map[string]int{}
		for _, f := range archive.File {
			sizes[f.Name] = int(f.UncompressedSize64)
		}
		_ = archive.Close()
		out.Reset()
		in := strings.NewReader(`{"op":"bundle","id":7,"source":"` + source + `"}` + "\n" + `{"op":"quit"}` + "\n")
		if err := run(append(args, "--worker"), in, &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var got struct {
			ID    int            `json:"id"`
			MS    float64        `json:"ms"`
			Bytes int            `json:"bytes"`
			Files map[string]int `json:"files"`
		}
		if len(lines) != 2 || lines[0] != `{"ready":true}` {
			t.Fatalf("got %q", lines)
		}
		if err := json.Unmarshal([]byte(lines[1]), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != 7 || got.MS <= 0 || got.Bytes == 0 || len(got.Files) != 7 || len(sizes) != 7 {
			t.Errorf("%s: got %+v, and %v cold", source, got, sizes)
		}
		for name, size := range sizes {
			if got.Files[name] != size {
				t.Errorf("%s: %s has %d bytes from the worker, %d cold", source, name, got.Files[name], size)
			}
		}
	}
	var out bytes.Buffer
	in := strings.NewReader(`{"op":"bundle","id":1,"source":"gif"}` + "\n")
	if err := run(append(args, "--worker"), in, &out); err != nil || !strings.Contains(out.String(), `"error"`) {
		t.Errorf("an unknown source: got %q, %v", out.String(), err)
	}
	if err := run(args, nil, &out); err == nil {
		t.Error("neither -o nor --worker is no error, want one")
	}
}

// TestIconGallery_showsEverySet draws the page of two icons.
func TestIconGallery_showsEverySet(t *testing.T) {
	icons, dir := logos(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(icons, "LICENSES.md"), []byte("# whose they are\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := writeIconGallery(icons, dir, testenv.CacheDir())
	if err != nil || n != 2 {
		t.Fatalf("got %d sets, %v", n, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "icons.html"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(page), "<section>"); got != 2 {
		t.Errorf("got %d sets on the page, want 2", got)
	}
	if strings.Contains(string(page), `src=""`) || strings.Contains(string(page), "ZgotmplZ") {
		t.Error("a picture of the page has no address")
	}
}
