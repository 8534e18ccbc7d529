package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestGallery_linksLeadToPictures draws a small part of the gallery, and follows the links of its page.
func TestGallery_linksLeadToPictures(t *testing.T) {
	dir := t.TempDir()
	cards := galleryCards("minimal")
	styles := len(specimen.Pages()) * len(render.Fonts()) * len(specimen.Accents()) * 2
	logos := len(specimen.Logos()) * len(specimen.Corners()) * 2 * 2
	pictures := (len(specimen.Pictures()) + len(specimen.HardPictures())) * 4 * 2
	if len(cards) != styles+logos+pictures || styles < 1000 {
		t.Errorf("there are %d cards of one kind, want %d styles, %d logos and %d pictures",
			len(cards), styles, logos, pictures)
	}
	if err := run([]string{"gallery", "-o", dir, "-template", "nothing"}, nil, nil); err == nil {
		t.Error("an unknown template is no error, want one")
	}
	cards = slices.Concat(cards[:20], cards[styles+logos-20:styles+logos], cards[len(cards)-8:])
	if err := writeGallery(cards, dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`src="([^"]+)"`).FindAllStringSubmatch(string(page), -1)
	if len(links) != len(cards) {
		t.Fatalf("the page has %d pictures, want %d", len(links), len(cards))
	}
	seen := map[string]bool{}
	for _, l := range links {
		if info, err := os.Stat(filepath.Join(dir, l[1])); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there: %v", l[1], err)
		}
		seen[l[1]] = true
	}
	if len(seen) != len(links) {
		t.Errorf("%d of %d pictures have a name of their own", len(seen), len(links))
	}
}
