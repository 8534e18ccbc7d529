package page_test

import (
	"fmt"
	"net/url"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/testenv"
)

func TestParse_corpus_givesExpectedFields(t *testing.T) {
	same, all := 0, 0
	for _, c := range testenv.Pages(t) {
		p := page.Parse(c.Body, c.ContentType, c.Address)
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

// TestParse_corpus_repository checks what the page of a repository in the corpus says about it, under its present name.
func TestParse_corpus_repository(t *testing.T) {
	pages := testenv.Pages(t)
	if len(pages) == 0 {
		return // left out, and said so
	}
	for _, c := range pages {
		if c.Name != "github" {
			continue
		}
		d := page.Parse(c.Body, c.ContentType, c.Address).Details
		want := page.Project{Language: "JavaScript", Stars: 37, License: "MIT"}
		if d.Owner != "microlinkhq" || d.Repo != "mql" || d.Project != want {
			t.Errorf("got %s/%s with %+v, want microlinkhq/mql with %+v", d.Owner, d.Repo, d.Project, want)
		}
		return
	}
	t.Error("the corpus has no page of a repository")
}

// TestParse_corpus_whatIsHeardIsNoVideo checks that an episode whose page has the type of a video is one of audio.
func TestParse_corpus_whatIsHeardIsNoVideo(t *testing.T) {
	for _, c := range testenv.Pages(t) {
		if c.Name == "acast" {
			d := page.Parse(c.Body, c.ContentType, c.Address).Details
			if d.Kind != page.EpisodeKind || !d.Episode.Audio || d.Episode.Video {
				t.Errorf("got %s, %+v", d.Kind, d.Episode)
			}
		}
	}
}
