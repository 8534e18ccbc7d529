package main

import (
	"image"
	_ "image/jpeg"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"masthead/render"
	"masthead/render/template/kit"
)

// drawsAll skips a test under -short, as the race detector runs it, that draws all templates one after the other.
func drawsAll(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short: it draws every template, in one goroutine")
	}
}

// TestSamples_pageShowsEveryTemplate draws the page, and follows its links.
func TestSamples_pageShowsEveryTemplate(t *testing.T) {
	drawsAll(t)
	dir := t.TempDir()
	if err := run([]string{"samples", "-o", dir}, nil, io.Discard); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, info := range render.Templates() {
		want += 2 * len(info.Kinds)
	}
	want += len(kit.Formats())
	links := regexp.MustCompile(`\]\(([^)]+\.jpg)\)`).FindAllStringSubmatch(string(page), -1)
	if len(links) != want || want < 44 {
		t.Errorf("the page has %d pictures, want %d", len(links), want)
	}
	total := int64(0)
	for _, l := range links {
		f, err := os.Open(filepath.Join(dir, l[1]))
		if err != nil {
			t.Fatal(err)
		}
		info, _ := f.Stat()
		total += info.Size()
		if c, _, err := image.DecodeConfig(f); err != nil || c.Width != sampleWidth && !strings.HasPrefix(l[1], "size-") {
			t.Errorf("%s is %d wide (%v), want %d", l[1], c.Width, err, sampleWidth)
		}
		_ = f.Close()
	}
	if total > 2_000_000 {
		t.Errorf("the samples have %d bytes, want 2 MB at most", total)
	}
}

func TestSheets_haveEveryTemplate(t *testing.T) {
	drawsAll(t)
	dir := t.TempDir()
	if err := writeSheets(dir); err != nil {
		t.Fatal(err)
	}
	kinds := 0
	for _, info := range render.Templates() {
		kinds += len(info.Kinds)
	}
	for _, name := range []string{"sheet-dark.jpg", "sheet-light.jpg"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := image.DecodeConfig(f)
		_ = f.Close()
		rows := (kinds + sheetColumns - 1) / sheetColumns
		if err != nil || c.Width != sheetColumns*(sheetWidth+sheetGap)+sheetGap || c.Height < rows*157 {
			t.Errorf("%s is %d×%d (%v), want %d rows", name, c.Width, c.Height, err, rows)
		}
	}
}
