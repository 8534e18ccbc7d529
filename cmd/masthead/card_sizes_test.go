package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"masthead/cmd/masthead/targets"
	"masthead/render"
)

// drawnIn draws a card into a new folder as card.png, and returns the files there with their sizes, and the output.
func drawnIn(t *testing.T, c cardCommand) (files []string, out string, err error) {
	t.Helper()
	folder := t.TempDir()
	c.Output = folder + string(filepath.Separator)
	c.RateFlag = targets.NoRate
	if c.Kind == "" {
		c.Kind, c.Template, c.Font, c.AspectRatio = "og", "editorial", render.DefaultFont, render.DefaultAspectRatio
	}
	var printed, report bytes.Buffer
	err = c.run(t.Context(), nil, &printed, &report)
	entries, failed := os.ReadDir(folder)
	if failed != nil {
		t.Fatal(failed)
	}
	for _, entry := range entries {
		data, failed := os.ReadFile(filepath.Join(folder, entry.Name()))
		if failed != nil {
			t.Fatal(failed)
		}
		size, failed := png.DecodeConfig(bytes.NewReader(data))
		if failed != nil {
			t.Fatalf("%s: %v", entry.Name(), failed)
		}
		files = append(files, entry.Name()+" "+image.Pt(size.Width, size.Height).String())
	}
	return files, strings.ReplaceAll(printed.String(), folder, "."), err
}

func TestCard_sizes(t *testing.T) {
	document := filepath.Join(t.TempDir(), "own.html")
	source := `<meta name="card-sizes" content="1080x1080 1200x630"><body style="background:#fff"><h1>{{title}}</h1>`
	if err := os.WriteFile(document, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	listed := []string{"card-1080x1080.png (1080,1080)", "card.png (1200,630)"}
	for name, c := range map[string]struct {
		command cardCommand
		want    []string
	}{
		"one":              {cardCommand{Title: "Hello", Size: []string{"1080x1350"}}, []string{"card.png (1080,1350)"}},
		"several":          {cardCommand{Title: "Hello", Size: []string{"1080x1080", "1200x630"}}, listed},
		"with commas":      {cardCommand{Title: "Hello", Size: []string{"1200x630,1080x1080"}}, listed},
		"those of a file":  {cardCommand{Title: "Hello", Design: document}, listed},
		"of a file alone":  {cardCommand{Design: document}, listed},
		"one of a file":    {cardCommand{Title: "Hello", Design: document, Size: []string{"300x200"}}, []string{"card.png (300,200)"}},
		"one of it alone":  {cardCommand{Design: document, Size: []string{"300x200"}}, []string{"card.png (300,200)"}},
		"two not of those": {cardCommand{Design: document, Size: []string{"300x200,400x300"}}, []string{"card-400x300.png (400,300)", "card.png (300,200)"}},
	} {
		files, _, err := drawnIn(t, c.command)
		if err != nil || !slices.Equal(files, c.want) {
			t.Errorf("%s: got %v, %v, want %v", name, files, err, c.want)
		}
	}
	_, out, err := drawnIn(t, cardCommand{Title: "Hello", Size: []string{"1200x630,1080x1080"}, JSON: true})
	var record struct {
		File   string
		Assets []struct {
			File          string
			Width, Height int
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &record) != nil || record.File != "./card.png" ||
		len(record.Assets) != 1 ||
		record.Assets[0].File != "./card-1080x1080.png" || record.Assets[0].Height != 1080 {
		t.Errorf("got %s, %v", out, err)
	}
	for says, c := range map[string]cardCommand{
		"no size 700x700, only": {Title: "Hello", Size: []string{"1200x630", "700x700"}},
		"isn't a size":          {Title: "Hello", Size: []string{"1200"}},
		"more than 6 sizes":     {Design: document, Size: []string{"300x300,301x300,302x300,303x300,304x300,305x300,306x300"}},
	} {
		if _, _, err := drawnIn(t, c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	ofPage := cardCommand{Design: document, Title: "Hello", Kind: "og", Font: render.DefaultFont}
	for _, c := range []cardCommand{{Design: document}, ofPage} {
		c.Output, c.RateFlag = stdout, targets.NoRate
		if err := c.run(t.Context(), nil, new(bytes.Buffer), new(bytes.Buffer)); err == nil ||
			!strings.Contains(err.Error(), "takes one picture") {
			t.Errorf("to standard output: got %v", err)
		}
	}
}

// TestDesignCheck_sizes finds what is wrong in one of the sizes that a design lists.
func TestDesignCheck_sizes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.html")
	source := `<meta name="card-sizes" content="1200x630 1080x1080">
<style>body{margin:0;background:#fff;color:#000}h1{margin:72px;font:700 40px Inter}
i{position:absolute;top:300px;left:1000px;width:190px;font:400 24px Inter}</style><h1>{{title}}</h1>
{{mistyped}}<i>{{siteName}}</i>`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := designCheckCommand{Files: []string{file}, JSON: true}
	if err := c.run(t.Context(), &out); err == nil {
		t.Error("nothing was found")
	}
	var reports []checkedFile
	if err := json.Unmarshal(out.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	tags, clipped := 0, 0
	for _, f := range reports[0].Findings {
		switch {
		case f.Code == "unknown-tag":
			tags++
		case strings.HasSuffix(f.Case, " at 1080x1080"):
			clipped++
		}
	}
	if tags != 1 || clipped == 0 {
		t.Errorf("got %d unknown tags and %d faults of the square, want 1 and some: %s", tags, clipped, out.Bytes())
	}
}
