package sitemap_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/fetch"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

const urlset = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://a.example/one </loc><lastmod>2026-01-01</lastmod><image:image><image:loc>https://a.example/x.png</image:loc></image:image></url>
<url><loc><![CDATA[https://a.example/two?a=1&b=2]]></loc></url>
<url><loc>https://a.example/three?a=1&amp;b=2</loc></url>
</urlset>`

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestParse(t *testing.T) {
	three := []sitemap.Entry{
		{URL: "https://a.example/one"}, {URL: "https://a.example/two?a=1&b=2"}, {URL: "https://a.example/three?a=1&b=2"},
	}
	cases := []struct {
		name  string
		file  []byte
		want  []sitemap.Entry
		fault string
	}{
		{"urlset", []byte(urlset), three, ""},
		{"packed", packed(t, urlset), three, ""},
		{"byte order mark", []byte("\xef\xbb\xbf\n" + urlset), three, ""},
		{"index", []byte(`<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>`),
			[]sitemap.Entry{{URL: "https://a.example/s.xml", Sitemap: true}}, ""},
		{"plain list", []byte("https://a.example/one\r\n\n# no\nhttp://a.example/two\n"),
			[]sitemap.Entry{{URL: "https://a.example/one"}, {URL: "http://a.example/two"}}, ""},
		{"breaks off", []byte(urlset[:len(urlset)-40]), three[:2], "read the sitemap"},
		{"empty urlset", []byte(`<urlset/>`), nil, ""},
		{"a page", []byte("<!DOCTYPE html><html><body>Not found</body></html>"), nil, "a sitemap"},
		{"text", []byte("not found"), nil, "a sitemap"},
		{"nothing", nil, nil, "a sitemap"},
		{"loc elsewhere", []byte(`<urlset><loc>https://a.example/x</loc></urlset>`), nil, ""},
		{"own entities", []byte(`<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>https://a.example/&a;</loc></url></urlset>`),
			nil, "read the sitemap"},
		{"nested", []byte("<urlset>" + strings.Repeat("<a>", 1000)), nil, "too deep"},
		{"broken gzip", []byte("\x1f\x8bnothing"), nil, "decompress"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := sitemap.Parse(c.file)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
				t.Errorf("got error %v, want one with %q", err, c.fault)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(urlset))
	f.Add(packed(f, urlset))
	f.Add([]byte("https://a.example/\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		entries, _ := sitemap.Parse(file)
		for _, e := range entries {
			if e.URL == "" || strings.TrimSpace(e.URL) != e.URL {
				t.Errorf("entry %+v", e)
			}
		}
	})
}

// site serves files and counts how often each was asked for.
func site(t *testing.T, files map[string]string) (base string, client *fetch.Client) {
	t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to, moved := strings.CutPrefix(files[r.URL.Path], "MOVED "); moved {
			http.Redirect(w, r, strings.ReplaceAll(to, "BASE", server.URL), http.StatusFound)
			return
		}
		file, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		file = strings.ReplaceAll(file, "BASE", server.URL)
		if strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Type", "application/gzip")
			_, _ = w.Write(packed(t, file))
			return
		}
		w.Header().Set("Content-Type", "application/xml")
		_, _ = w.Write([]byte(file))
	}))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	client, err := fetch.New(fetch.Config{
		AllowHosts: []string{host, strings.Replace(host, "127.0.0.1", "localhost", 1)}, Limits: fetch.Limits{HostRate: 1000, HostBurst: 1024},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return server.URL, client
}

func parse(t *testing.T, text string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCollect_index_isFollowedWithinItsBounds(t *testing.T) {
	set := func(paths ...string) string {
		var b strings.Builder
		b.WriteString("<urlset>")
		for _, p := range paths {
			b.WriteString("<url><loc>" + p + "</loc></url>")
		}
		return b.String() + "</urlset>"
	}
	index := func(paths ...string) string {
		return strings.NewReplacer("urlset", "sitemapindex", "<url>", "<sitemap>", "</url>", "</sitemap>").
			Replace(set(paths...))
	}
	files := map[string]string{
		"/index.xml": index("BASE/a.xml.gz", "/b.xml", "BASE/gone.xml", "BASE/index.xml", "https://other.example/s.xml"),
		"/a.xml.gz":  set("BASE/1", "BASE/2", "https://other.example/3", "://"),
		"/b.xml":     set("BASE/2", "BASE/4"),
		"/deep.xml":  index("BASE/deep2.xml"),
		"/deep2.xml": index("BASE/deep3.xml"),
		"/deep3.xml": index("BASE/deep4.xml"),
		"/deep4.xml": set("BASE/never"),
		"/page.xml":  "<html></html>",
	}
	base, client := site(t, files)
	var skipped []string
	skip := func(u weburl.URL, _ error) { skipped = append(skipped, strings.TrimPrefix(u.String(), base)) }
	got, err := sitemap.Collect(t.Context(), client, "", parse(t, base+"/index.xml"), 100, skip)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range got.Pages {
		paths = append(paths, strings.TrimPrefix(p.String(), base))
	}
	if !slices.Equal(paths, []string{"/1", "/2", "/4"}) || got.Files != 3 || got.Elsewhere != 2 ||
		got.ElsewhereHost != "other.example" || got.Unreadable != 1 || got.More {
		t.Errorf("got %v, %+v", paths, got)
	}
	if !slices.Equal(skipped, []string{"/gone.xml"}) {
		t.Errorf("skipped: %v", skipped)
	}

	if got, err = sitemap.Collect(t.Context(), client, "", parse(t, base+"/index.xml"), 2, nil); err != nil ||
		len(got.Pages) != 2 || !got.More {
		t.Errorf("two pages: got %+v, %v", got, err)
	}
	if got, err = sitemap.Collect(t.Context(), client, "", parse(t, base+"/deep.xml"), 9, nil); err != nil ||
		len(got.Pages) != 0 || got.Files != 3 || !got.More {
		t.Errorf("a deep index: got %+v, %v", got, err)
	}
	for _, path := range []string{"/none.xml", "/page.xml"} {
		if _, err := sitemap.Collect(t.Context(), client, "", parse(t, base+path), 9, nil); err == nil {
			t.Errorf("%s: got no error", path)
		}
	}
}

// TestCollect_redirects has sitemaps that redirect within their host, to another name of it, and to a private address.
func TestCollect_redirects(t *testing.T) {
	files := map[string]string{
		"/set.xml":     "<urlset><url><loc>/1</loc></url><url><loc>BASE/2</loc></url></urlset>",
		"/moved.xml":   "MOVED BASE/set.xml",
		"/private.xml": "MOVED http://10.0.0.1/set.xml",
		"/index.xml":   "<sitemapindex><sitemap><loc>/private.xml</loc></sitemap><sitemap><loc>/set.xml</loc></sitemap></sitemapindex>",
	}
	base, client := site(t, files)
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	files["/host.xml"] = "MOVED " + other + "/relative.xml"
	files["/relative.xml"] = "<urlset><url><loc>/1</loc></url></urlset>"
	for path, want := range map[string]struct{ pages, elsewhere, skipped, faults int }{
		"/moved.xml": {pages: 2}, "/host.xml": {elsewhere: 1}, "/private.xml": {faults: 1}, "/index.xml": {pages: 2, skipped: 1},
	} {
		skipped, faults := 0, 0
		got, err := sitemap.Collect(t.Context(), client, "", parse(t, base+path), 9, func(weburl.URL, error) { skipped++ })
		if err != nil {
			faults = 1
		}
		if len(got.Pages) != want.pages || got.Elsewhere != want.elsewhere || skipped != want.skipped ||
			faults != want.faults {
			t.Errorf("%s: got %+v, %d skipped, %v, want %+v", path, got, skipped, err, want)
		}
	}
}

func TestCollect_manyFiles_areBounded(t *testing.T) {
	files := map[string]string{}
	var b strings.Builder
	b.WriteString("<sitemapindex>")
	for i := range 80 {
		fmt.Fprintf(&b, "<sitemap><loc>BASE/%d.xml</loc></sitemap>", i)
		files[fmt.Sprintf("/%d.xml", i)] = fmt.Sprintf("<urlset><url><loc>BASE/p%d</loc></url></urlset>", i)
	}
	files["/index.xml"] = b.String() + "</sitemapindex>"
	files["/dead.xml"] = strings.ReplaceAll(files["/index.xml"], "BASE/", "BASE/none/")
	base, client := site(t, files)
	got, err := sitemap.Collect(t.Context(), client, "", parse(t, base+"/index.xml"), 1000, nil)
	if err != nil || got.Files != 50 || len(got.Pages) != 49 || !got.More {
		t.Errorf("got %d files, %d pages, more %v, %v", got.Files, len(got.Pages), got.More, err)
	}
	failed := 0
	count := func(weburl.URL, error) { failed++ }
	got, err = sitemap.Collect(t.Context(), client, "", parse(t, base+"/dead.xml"), 1000, count)
	if err != nil || got.Files != 1 || failed != 49 || !got.More {
		t.Errorf("an index of dead files: got %d files, %d that failed, more %v, %v", got.Files, failed, got.More, err)
	}
}
