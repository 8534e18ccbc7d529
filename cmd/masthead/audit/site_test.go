package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"masthead/cmd/masthead/targets"
)

// manyPages serves count pages that share a picture and an icon, and a sitemap of them.
type manyPages struct {
	*httptest.Server
	mu     sync.Mutex
	asked  map[string]int // requests by path
	onPage func(path string)
}

func newManyPages(t *testing.T, count int) *manyPages {
	t.Helper()
	s := &manyPages{asked: map[string]int{}}
	var shared bytes.Buffer
	if err := png.Encode(&shared, image.NewNRGBA(image.Rect(0, 0, 1200, 630))); err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		on := s.onPage
		s.mu.Unlock()
		base := "http://" + r.Host
		switch path := r.URL.Path; {
		case path == "/sitemap.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, "<urlset>")
			for i := range count {
				fmt.Fprintf(w, "<url><loc>%s/page/%d</loc></url>", base, i)
			}
			fmt.Fprint(w, "</urlset>")
		case path == "/share.png" || path == "/icon.png":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(shared.Bytes())
		case strings.HasPrefix(path, "/page/"):
			if on != nil {
				on(path)
			}
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>One title for every page</title>
				<meta property="og:image" content="%[1]s/share.png"><link rel="icon" href="/icon.png">
				<meta property="og:title" content="About %[2]s"></head><body><h1>Page</h1></body></html>`, base, path)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// counts returns the requests by path, and forgets them.
func (s *manyPages) counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = map[string]int{}
	return asked
}

// siteDocument is what of --format site the tests read.
type siteDocument struct {
	Read, Unread int
	OverallScore *int
	Grades       map[string]int
	Findings     []struct {
		ID   string
		Pass bool
	}
	Faults []struct {
		ID    string
		Pages int
	}
	Items []struct {
		URL          string
		OverallScore *int
		Previews     []struct{ Platform, Verdict string }
	}
}

func TestAudit_sitemap_readsWhatPagesShareOnce(t *testing.T) {
	site, dir := newManyPages(t, 100), t.TempDir()
	page, file := filepath.Join(dir, "site.html"), filepath.Join(dir, "site.json")
	said, err := audited(t.Context(), &Command{
		Sitemap: site.URL + "/sitemap.xml", Limit: 100, HTML: page, Output: []string{"site=" + file},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"100 pages read", "What these pages repeat", "site-unique-pictures", "Audited 100 of 100 pages",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("got %s, want it to say %q", said, want)
		}
	}
	asked := site.counts()
	for _, path := range []string{"/sitemap.xml", "/robots.txt", "/share.png", "/icon.png"} {
		if asked[path] != 1 {
			t.Errorf("%s was requested %d times, want once", path, asked[path])
		}
	}
	var d siteDocument
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d.Read != 100 || d.OverallScore == nil || len(d.Items) != 100 || len(d.Items[0].Previews) != 8 ||
		len(d.Faults) == 0 || d.Faults[0].Pages != 100 {
		t.Errorf("got %.600s", text)
	}
	passed := map[string]bool{}
	for _, f := range d.Findings {
		passed[f.ID] = f.Pass
	}
	if len(passed) != 3 || passed["site-unique-pictures"] || !passed["site-unique-titles"] {
		t.Errorf("got the findings %v", d.Findings)
	}
	html, err := os.ReadFile(page)
	pictures := bytes.Count(html, []byte("data:image/"))
	if err != nil || pictures != 1 || !bytes.Contains(html, []byte("Every page when shared")) {
		t.Errorf("got %d bytes of a page with %d pictures, %v", len(html), pictures, err)
	}
}

// audited runs a command within the process, at the default rate, and returns what it said on both outputs.
func audited(ctx context.Context, c *Command) (said string, err error) {
	c.Version, c.SiteFlags.RateFlag = "dev", targets.NoRate
	var printed, told bytes.Buffer
	err = c.run(ctx, strings.NewReader(""), &printed, &told)
	return printed.String() + told.String(), err
}

// resumable audits a site with --resume.
func resumable(ctx context.Context, site *manyPages, file string, more func(*Command)) (out string, err error) {
	c := &Command{Sitemap: site.URL + "/sitemap.xml", Limit: 100, Format: []string{"site"}, Resume: file}
	if more != nil {
		more(c)
	}
	return audited(ctx, c)
}

func TestAudit_resume_continuesAfterAnInterruption(t *testing.T) {
	site := newManyPages(t, 12)
	file := filepath.Join(t.TempDir(), "finished")
	ctx, stop := context.WithCancel(t.Context())
	begun := 0
	site.onPage = func(string) {
		site.mu.Lock()
		defer site.mu.Unlock()
		if begun++; begun == 8 {
			stop()
		}
	}
	out, err := resumable(ctx, site, file, nil)
	if err == nil || !strings.Contains(err.Error(), "the same command continues") {
		t.Fatalf("got %v and %q, want that it stopped", err, out)
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	finished := bytes.Count(kept, []byte("\n")) - 1
	if finished < 1 || finished > 11 {
		t.Fatalf("got %d finished pages, want some of 12", finished)
	}
	// The process may have been killed within a line.
	if err := os.WriteFile(file, append(kept, `{"url": "http://127.`...), 0o600); err != nil {
		t.Fatal(err)
	}
	site.onPage = nil
	site.counts()
	if out, err = resumable(t.Context(), site, file, nil); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("Continuing: %d of 12 pages are in", finished); !strings.Contains(out, want) ||
		!strings.Contains(out, `"read": 12`) {
		t.Errorf("got %s, want it to say %q and to have all pages", out, want)
	}
	asked := site.counts() // one of the first run, which nobody waits for any more, may have come late
	for i := range 12 {
		path := fmt.Sprintf("/page/%d", i)
		isFinished := bytes.Contains(kept, []byte(`"`+site.URL+path+`"`))
		if isFinished && asked[path] > 0 || !isFinished && asked[path] == 0 {
			t.Errorf("%s was read %d times; finished before: %t", path, asked[path], isFinished)
		}
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestAudit_resume_ofAnotherCommand_isRefused(t *testing.T) {
	site, dir := newManyPages(t, 2), t.TempDir()
	file := filepath.Join(dir, "finished")
	for name, content := range map[string]string{
		"a page":           "<html>\n",
		"no line":          "notes",
		"another sitemap":  `{"masthead":"dev","sitemap":"https://other.example/","origin":"","as":"","pictures":false}` + "\n",
		"another program":  `{"masthead":"0.0","sitemap":"` + site.URL + `/sitemap.xml","origin":"","as":"","pictures":false}` + "\n",
		"without pictures": `{"masthead":"dev","sitemap":"` + site.URL + `/sitemap.xml","origin":"","as":"","pictures":false}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := resumable(t.Context(), site, file, func(c *Command) { c.HTML = filepath.Join(dir, "site.html") })
			if err == nil || !strings.Contains(err.Error(), "it isn't of this command") {
				t.Errorf("got %v, want that the file is of something else", err)
			}
			if now, _ := os.ReadFile(file); string(now) != content {
				t.Errorf("the file was changed to %q", now)
			}
		})
	}
}
