package page_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/testenv"
)

// corpusPage is one line of expected.jsonl: a page as it was served and what must be read from it.
type corpusPage struct {
	Name, File, PageURL, ContentType, Charset, Lang string

	Title, Description, Image, SiteName, URL, Favicon, TwitterCardType string

	body []byte
	url  *url.URL
}

// corpus returns the pages of the corpus; none where there is no corpus, which package testenv tells.
func corpus(tb testing.TB) []corpusPage {
	tb.Helper()
	dir, ok := testenv.Corpus(tb)
	if !ok {
		return nil
	}
	f, err := os.Open(filepath.Join(dir, "expected.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var pages []corpusPage
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p corpusPage
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			tb.Fatal(err)
		}
		if p.body, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.File))); err != nil {
			tb.Fatal(err)
		}
		if p.url, err = url.Parse(p.PageURL); err != nil {
			tb.Fatal(err)
		}
		pages = append(pages, p)
	}
	if err := lines.Err(); err != nil || len(pages) == 0 {
		tb.Fatalf("read expected.jsonl: %d pages, error %v", len(pages), err)
	}
	return pages
}

func TestParse_corpus_givesExpectedFields(t *testing.T) {
	same, all := 0, 0
	for _, c := range corpus(t) {
		p := page.Parse(c.body, c.ContentType, c.url)
		for _, f := range []struct {
			name, got, want string
			address         bool
		}{
			{"title", p.Metadata.Title, c.Title, false},
			{"description", p.Metadata.Description, c.Description, false},
			{"image", p.Metadata.Image, c.Image, true},
			{"siteName", p.Metadata.SiteName, c.SiteName, false},
			{"url", p.Metadata.URL, c.URL, true},
			{"favicon", p.Metadata.Favicon, c.Favicon, true},
			{"twitterCardType", p.Metadata.TwitterCardType, c.TwitterCardType, false},
		} {
			all++
			if f.got == f.want || f.address && sameURL(f.got, f.want) {
				same++
				continue
			}
			t.Errorf("%s: %s\n got %q\nwant %q", c.Name, f.name, f.got, f.want)
		}
		if p.Encoding.Name != c.Charset {
			t.Errorf("%s: charset: got %q, want %q", c.Name, p.Encoding.Name, c.Charset)
		}
		if p.Lang != c.Lang {
			t.Errorf("%s: lang: got %q, want %q", c.Name, p.Lang, c.Lang)
		}
	}
	fmt.Printf("corpus: %d of %d fields\n", same, all)
}

// sameURL reports whether two addresses are equal once they are parsed.
func sameURL(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.String() == y.String()
}
