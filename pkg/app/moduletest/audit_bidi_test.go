package moduletest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// bidi are all characters that do nothing but set the direction of text (Unicode, UAX #9, 2).
const bidi = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"

// bidiSite has bidi controls in all that a page, its headers and what hangs on it can say, as they are and escaped.
func bidiSite(t *testing.T) *httptest.Server {
	t.Helper()
	var escaped, twice strings.Builder
	for _, r := range bidi {
		_, _ = fmt.Fprintf(&escaped, "&#x%x;", r)
		_, _ = fmt.Fprintf(&twice, "&amp;#x%x;", r)
	}
	png := auditPngOf(t, auditFlat(64, 64, nil)).body
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		b := bidi + escaped.String() + twice.String()
		switch r.URL.Path {
		case "/robots.txt":
			_, _ = fmt.Fprintf(w, "User-agent: *\nDisallow: /%s\nSitemap: /%s\n", b, b)
		case "/moved":
			h["Location"] = []string{"/plain?at=" + bidi + "#" + bidi}
			w.WriteHeader(http.StatusMovedPermanently)
		case "/icon.png", "/share.png":
			h["Content-Type"] = []string{"image/" + bidi + "png"}
			_, _ = w.Write([]byte(png))
		case "/x.png":
			h["Content-Type"] = []string{"text/" + bidi}
			_, _ = w.Write([]byte("no picture " + bidi))
		case "/attributes":
			h["Content-Type"] = []string{"text/html; charset=utf-8"}
			_, _ = fmt.Fprintf(w, `<html lang="e%[1]sn"><title>a%[1]sb</title>
				<meta property="og:title%[1]s" content="%[1]sa"><meta name="%[1]stwitter:card" content="a%[1]s">
				<meta name="twitter:card" content="summ%[1]sary"><meta property="og:image" content="/none.png?%[1]s">
				<meta property="og:url" content="http://%[1]s.example/">
				<link rel="canonical" href="//a%[1]s.example/%[1]s">
				<link rel="icon %[1]s" sizes="1%[1]s" href="%[1]s/icon.png">
				<meta name="robots" content="noindex%[1]s, max-%[1]s">
				<meta name="viewport" content="width=%[1]s"><meta charset="utf-8%[1]s"><base href="/%[1]s/">`, b)
		default:
			h["Content-Type"] = []string{"text/html; charset=utf-8; " + bidi}
			h["X-Robots-Tag"] = []string{"noindex" + bidi}
			h["Link"] = []string{"</" + bidi + ">; rel=\"canonical\""}
			h["Last-Modified"] = []string{bidi}
			page := `<html lang="en"><title>A%[1]s page</title>`
			for _, key := range []string{
				"title", "description", "site_name", "type", "url", "image:alt", "image:width", "locale", "video",
				"audio",
			} {
				page += `<meta property="og:` + key + `" content="some %[1]s words">`
			}
			for _, key := range []string{
				"title", "description", "site", "creator", "image:alt", "player", "player:width", "app:id:iphone",
			} {
				page += `<meta name="twitter:` + key + `" content="@%[1]s words">`
			}
			page += `<meta property="og:image" content="/share.png#%[1]s">
				<meta name="twitter:image" content="/x.png?%[1]s">
				<meta name="twitter:card" content="player"><meta name="description" content="%[1]s said %[1]s">
				<link rel="icon" href="/icon.png?a=%[1]s"><link rel="canonical" href="/can%[1]sonical?%[1]s#%[1]s">
				<link rel="alternate" hreflang="d%[1]se" href="/de%[1]s">
				<link rel="alternate" hreflang="de" href="/d%[1]se">
				<link rel="manifest" href="/m%[1]s"><link rel="image_src" href="/%[1]s.png">
				<meta property="article:published_time" content="2026%[1]s"><meta name="author" content="%[1]sAda">
				<script type="application/ld+json">{"@context": "https://schema.org%[1]s",
				"@type": ["Article", "T%[1]s"],
				"headline": "H%[1]s", "%[1]s": "%[1]s", "datePublished": "%[1]s",
				"author": {"@type": "Person", "name": "%[1]s"},
				"image": "/%[1]s", "url": "http://a%[1]s/"}</script>
				<script type="application/ld+json">{"broken%[1]s": }</script>
				<h1>H%[1]s</h1><h2>%[1]s</h2><a href="/%[1]s">%[1]s</a><img src="/%[1]s.png" alt="%[1]s">`
			_, _ = fmt.Fprintf(w, page, b)
		}
	}))
}

// wantNoBidi walks a JSON document and reports each text with a bidi control in it, with its path.
func wantNoBidi(t *testing.T, what string, document []byte) {
	t.Helper()
	var all any
	if err := json.Unmarshal(document, &all); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	texts := 0
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, member := range v {
				walk(path, key)
				walk(path+"/"+key, member)
			}
		case []any:
			for i, member := range v {
				walk(fmt.Sprintf("%s/%d", path, i), member)
			}
		case string:
			if texts++; strings.ContainsAny(v, bidi) {
				t.Errorf("%s: %s is %+q", what, path, v)
			}
		}
	}
	walk("", all)
	if texts < 20 {
		t.Errorf("%s: only %d texts", what, texts)
	}
}

// TestReport_holdsNoBidiControls reads pages with bidi controls wherever a page can have text, and checks everything
// that is returned, stored and written by the command line. Source: docs/security.md#text-from-pages-and-models.
func TestReport_holdsNoBidiControls(t *testing.T) {
	site := bidiSite(t)
	t.Cleanup(site.Close)
	allowed := site.Listener.Addr().String()
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow,
			apptest.Allowed(allowed))
	})
	client, err := fetch.New(fetch.Config{Allow: []string{allowed}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	scraper := scrape.New(client, picture.NewDecoder(picture.Config{}), nil)
	for _, path := range []string{"/", "/plain?q=" + bidi, "/moved", "/attributes", "/attributes?" + bidi} {
		address := site.URL + path
		made := s.Post("/audits", map[string]any{"url": address}).Want(http.StatusOK)
		wantNoBidi(t, "POST /audits of "+path, made.Body)
		wantNoBidi(t, "GET /audits/{auditId} of "+path, s.Get("/audits/"+made.Text("id")).Want(http.StatusOK).Body)
		signedIn := apptest.Bearer(s.Session.Access)
		s.Post("/audits", map[string]any{"url": address}, signedIn).Want(http.StatusOK)

		u, err := weburl.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		report, err := audit.Examine(t.Context(), scraper, u, audit.Options{Show: true})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		wantNoBidi(t, "the stored report of "+path, stored)
		var written strings.Builder
		pages := []format.Page{{URL: address, Report: report}}
		if err := format.Write(&written, "json", pages, format.Options{}); err != nil {
			t.Fatal(err)
		}
		wantNoBidi(t, "--format json of "+path, []byte(written.String()))
		if !slices.ContainsFunc(report.Tags, func(tag audit.Tag) bool { return tag.Key == "title" }) {
			t.Errorf("%s: got no title, so the page was not read", path)
		}
	}
	list := s.Get("/audits", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	wantNoBidi(t, "GET /audits", list.Body)
	preview := s.Post("/audits/preview", map[string]any{"url": site.URL + "/"},
		apptest.Header("Cookie", "access_token="+s.Session.Access)).Want(http.StatusOK)
	if strings.ContainsAny(preview.Text("metadata.title"), bidi) {
		t.Errorf("the preview's title is %+q", preview.Text("metadata.title"))
	}
}
