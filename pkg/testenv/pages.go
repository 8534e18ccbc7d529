package testenv

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// Page is one line of the corpus's expected.jsonl: a page as served, with the expected results.
type Page struct {
	Name, File, PageURL, ContentType, Charset, Lang string

	// The seven values of its preview.
	Title, Description, Image, SiteName, URL, Favicon, TwitterCardType string

	DeclaredTwitterCard string
	// ResolvedFrom names the source of each value.
	ResolvedFrom struct{ Title, Description, Image, SiteName, URL string }

	Body    []byte   `json:"-"`
	Address *url.URL `json:"-"` // the parsed PageURL
}

// Pages returns the pages of the corpus, or none if there is no corpus.
func Pages(t testing.TB) (pages []Page) {
	t.Helper()
	dir, ok := Corpus(t)
	if !ok {
		return nil
	}
	f, err := os.Open(filepath.Join(dir, "expected.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p Page
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Body, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.File))); err != nil {
			t.Fatal(err)
		}
		if p.Address, err = url.Parse(p.PageURL); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	if err := lines.Err(); err != nil || len(pages) == 0 {
		t.Fatalf("read expected.jsonl: %d pages, error %v", len(pages), err)
	}
	return pages
}
