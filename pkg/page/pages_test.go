package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/page"
)

// pageURL is the address that the pages of testdata are read from.
var pageURL = mustParse("https://www.example.com/blog/post?x=1")

func mustParse(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

func parse(html string) *page.Page {
	return page.Parse([]byte(html), "text/html; charset=utf-8", pageURL)
}

// values are the names that the pages of testdata use in what they expect.
var values = map[string]func(p *page.Page) string{
	"title":           func(p *page.Page) string { return p.Metadata.Title },
	"titleFrom":       func(p *page.Page) string { return p.Metadata.Sources.Title },
	"titles":          func(p *page.Page) string { return strings.Join(p.Titles, "|") },
	"description":     func(p *page.Page) string { return p.Metadata.Description },
	"descriptionFrom": func(p *page.Page) string { return p.Metadata.Sources.Description },
	"image":           func(p *page.Page) string { return p.Metadata.Image },
	"imageFrom":       func(p *page.Page) string { return p.Metadata.Sources.Image },
	"images":          images,
	"hero":            func(p *page.Page) string { return p.Details.HeroImage },
	"siteName":        func(p *page.Page) string { return p.Metadata.SiteName },
	"siteFrom":        func(p *page.Page) string { return p.Metadata.Sources.SiteName },
	"url":             func(p *page.Page) string { return p.Metadata.URL },
	"urlFrom":         func(p *page.Page) string { return p.Metadata.Sources.URL },
	"favicon":         func(p *page.Page) string { return p.Metadata.Favicon },
	"faviconFrom":     func(p *page.Page) string { return p.Metadata.Sources.Favicon },
	"cardType":        func(p *page.Page) string { return p.Metadata.TwitterCardType },
	"stray":           func(p *page.Page) string { return p.Head.Stray },
	"textChars":       func(p *page.Page) string { return fmt.Sprint(p.TextChars) },
	"h":               headings,
	"published":       func(p *page.Page) string { return date(p.Published) },
	"modified":        func(p *page.Page) string { return date(p.Modified) },
	"keys": func(p *page.Page) string {
		var keys []string
		for _, m := range p.Meta {
			keys = append(keys, m.Key)
		}
		return strings.Join(keys, " ")
	},
	"metaInHead": func(p *page.Page) string {
		var keys []string
		for _, m := range p.Meta {
			keys = append(keys, fmt.Sprintf("%s=%v", m.Key, m.InHead))
		}
		return strings.Join(keys, " ")
	},
	"jsonErrors": func(p *page.Page) string {
		n := 0
		for _, b := range p.JSONLD {
			if b.Err != nil {
				n++
			}
		}
		return fmt.Sprint(n)
	},
}

func images(p *page.Page) string {
	var out []string
	for _, i := range p.Images {
		out = append(out, fmt.Sprintf("%s %sx%s %s", i.URL, i.Width, i.Height, i.Alt))
	}
	return strings.Join(out, "|")
}

func headings(p *page.Page) string {
	var out []string
	for _, h := range p.Headings {
		out = append(out, fmt.Sprintf("%d:%s", h.Level, h.Text))
	}
	return strings.Join(out, "|")
}

func date(d page.Date) string {
	if d.Time.IsZero() {
		return " " + d.Source
	}
	return d.Time.UTC().Format(time.RFC3339) + " " + d.Source
}

// TestParse_handmadePages_giveWhatTheySay reads the pages of testdata/pages. Each begins with a comment: a sentence
// that says what it is about, and a JSON object of the values that must be read from it.
func TestParse_handmadePages_giveWhatTheySay(t *testing.T) {
	files, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(files) < 50 {
		t.Fatalf("got %d pages, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := bytes.Cut(body, []byte("\n-->\n"))
			var want map[string]string
			if err := json.Unmarshal(head[bytes.IndexByte(head, '{'):], &want); err != nil {
				t.Fatal(err)
			}
			p := page.Parse(body, "text/html; charset=utf-8", pageURL)
			for name, want := range want {
				value, ok := values[name]
				if !ok {
					t.Fatalf("there is no value %q", name)
				}
				if got := value(p); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
}

// mustParseOr returns the address that s is, or pageURL.
func mustParseOr(s string) *url.URL {
	if u, err := url.Parse(s); err == nil {
		return u
	}
	return pageURL
}
