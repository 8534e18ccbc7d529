package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"masthead/cmd/masthead/targets"
	"masthead/pkg/testenv"
	"masthead/pkg/weburl"
)

// writeFiles writes files into a new folder, by their paths with slashes.
func writeFiles(t *testing.T, contents map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// builtPage is a page of a local build that says what it is about, and nothing about how it is shared.
func builtPage(title, more string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>` + title + `</title>
		<meta name="description" content="One sentence that says what this page of the site is about, at some length.">
		<link rel="icon" href="/icon.png">` + more + `</head><body><main><h1>` + title + `</h1></main></body></html>`
}

// builtFolder is a folder with a site of a few pages.
func builtFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = writeFiles(t, map[string]string{
		"index.html":         builtPage("A home page with a title of good length", ""),
		"about.html":         builtPage("About the people who make all of this", `<link rel="canonical" href="/about">`),
		"blog/index.html":    builtPage("All the posts of the blog, newest first", `<link rel="canonical" href="/blog/">`),
		"blog/one two.html":  builtPage("One and two are the first numbers here", ""),
		"404.html":           builtPage("Not found", ""),
		".hidden/index.html": builtPage("Hidden", ""),
		"robots.txt":         "User-agent: *\nAllow: /\n",
	})
	writePicture(t, filepath.Join(dir, "icon.png"), 180, color.NRGBA{0xe1, 0x1d, 0x48, 0xff})
	return dir
}

var madeUpPages = []string{
	"https://example.com/about", "https://example.com/blog/", "https://example.com/blog/one%20two.html", "https://example.com/",
}

func TestCardFolder_metaIsCorrectToPaste(t *testing.T) {
	dir := builtFolder(t)
	og := filepath.Join(dir, "og")
	before := failedRules(t, dir)
	got := drawCard(t, t.TempDir(), dir, "-o", og, "--page-base", "https://example.com", "--meta", "--site-name", "Acme")
	got.want(t, exitDone, "[4/4] "+filepath.Join(og, "index.png"))
	if names := files(t, og); names != "about.png blog-one-two.png blog.png index.png" {
		t.Errorf("got the files %s", names)
	}
	blocks := regexp.MustCompile(`(?m)^<!-- (.*) -->\n((?:<meta .*\n)+)`).FindAllStringSubmatch(got.out, -1)
	pasted := map[string]string{
		"https://example.com/": "index.html", "https://example.com/about": "about.html",
		"https://example.com/blog/":               "blog/index.html",
		"https://example.com/blog/one%20two.html": "blog/one two.html",
	}
	if len(blocks) != len(pasted) {
		t.Fatalf("got %d blocks of tags:\n%s", len(blocks), got.out)
	}
	for _, block := range blocks {
		path := filepath.Join(dir, filepath.FromSlash(pasted[block[1]]))
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(block[1], err)
		}
		for _, tag := range []string{
			`"og:url" content="` + block[1] + `"`, `"og:image" content="https://example.com/og/`,
			`"og:image:type" content="image/png"`, `"og:image:width" content="1200"`, `"og:image:height" content="630"`,
			`"og:image:alt" content="`, `"twitter:card" content="summary_large_image"`,
		} {
			if !strings.Contains(block[2], tag) {
				t.Errorf("%s: got %s, want %s", block[1], block[2], tag)
			}
		}
		text := strings.Replace(string(page), "</head>", block[2]+"</head>", 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after := failedRules(t, dir)
	for page, rules := range before {
		if !slices.Contains(rules, "og-image") || !slices.Contains(rules, "twitter-card") {
			t.Errorf("%s: got %v before, want og-image and twitter-card", page, rules)
		}
	}
	for page, rules := range after {
		for _, rule := range rules {
			if rule == "og-theme-color" {
				continue // a color is the site's own choice, and not a tag of its card
			}
			if strings.HasPrefix(rule, "og-") || rule == "twitter-card" || strings.HasPrefix(rule, "twitter-image") {
				t.Errorf("%s: got %s after the tags are in the page", page, rule)
			}
		}
	}
	if len(before) != 4 || len(after) != 4 {
		t.Errorf("got %d and %d pages, want 4", len(before), len(after))
	}
}

// failedRules returns the rules that each page of a folder fails, by its address.
func failedRules(t *testing.T, dir string) map[string][]string {
	t.Helper()
	got := auditPages(t, dir, "--page-base", "https://example.com/", "--json")
	got.want(t, exitDone)
	failed := map[string][]string{}
	var pages []string
	for line := range strings.Lines(got.out) {
		var report struct {
			URL    string
			Status int
			Issues []struct {
				ID   string
				Pass bool
			}
		}
		if err := json.Unmarshal([]byte(line), &report); err != nil || report.Status != http.StatusOK {
			t.Fatalf("got %s, %v", line, err)
		}
		pages = append(pages, report.URL)
		for _, issue := range report.Issues {
			if !issue.Pass {
				failed[report.URL] = append(failed[report.URL], issue.ID)
			}
		}
	}
	if !slices.Equal(pages, madeUpPages) {
		t.Errorf("got the pages %v, want %v", pages, madeUpPages)
	}
	return failed
}

func TestCardFolder_placesAndAddresses(t *testing.T) {
	testenv.ManyStarts(t)
	dir, out := builtFolder(t), t.TempDir()
	const base = "https://example.com/docs"
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"no base", []string{dir}, exitDone, []string{"[4/4] " + filepath.Join("cards", "index.png"),
			"--page-base https://example.com/ reads them"}},
		{"tags without a base", []string{dir, "--meta", "-o", dir}, exitUsage, []string{"--meta needs --page-base"}},
		{"pictures elsewhere", []string{dir, "--meta", "--page-base", base}, exitUsage, []string{
			"-o " + filepath.Join(dir, "og"), "--image-base"}},
		{"pictures at an address", []string{dir, "--meta", "--page-base", base, "--image-base", "https://cdn.example/c"},
			exitDone, []string{`og:image" content="https://cdn.example/c/about.png"`,
				`og:url" content="https://example.com/docs/about.html"`}},
		{"a base with a path", []string{dir, "--meta", "--page-base", base, "-o", filepath.Join(dir, "new", "o g")}, exitDone,
			[]string{`og:image" content="https://example.com/docs/new/o%20g/about.png"`}},
		{"the folder itself", []string{dir, "--meta", "--page-base", "example.com", "-o", dir}, exitDone,
			[]string{`og:image" content="https://example.com/about.png"`, "set og:site_name with --site-name"}},
		{"with a page", []string{dir, "https://example.com/"}, exitUsage, []string{"a folder is read alone"}},
		{"a base alone", []string{"https://example.com/", "--page-base", base}, exitUsage, []string{"--page-base is for a folder"}},
		{"a base with a query", []string{dir, "--page-base", base + "?x"}, exitUsage, []string{"--page-base", "has no ?"}},
		{"a base that is none", []string{dir, "--page-base", "ftp://x"}, exitUsage, []string{"--page-base ftp://x: "}},
		{"no pages", []string{writeFiles(t, map[string]string{"404.html": "x", "a.txt": "x"})}, exitUsage,
			[]string{"no file in it ends in .html"}},
		{"one title for all", []string{dir, "--title", "x"}, exitUsage, []string{"--title and --description"}},
		{"a rate below", []string{dir, "--rate", "0.5"}, exitUsage, []string{"--rate must be between 1 and 100"}},
		{"no rate", []string{dir, "--rate", "0"}, exitUsage, []string{"--rate must be between 1 and 100"}},
		{"a rate above", []string{dir, "--rate", "101"}, exitUsage, []string{"--rate must be between 1 and 100"}},
	} {
		t.Run(c.name, func(t *testing.T) { drawCard(t, out, c.args...).want(t, c.code, c.want...) })
	}
	auditPages(t, dir, "--sitemap", "https://example.com/sitemap.xml").want(t, exitUsage, "without --sitemap")
	masthead(t, out, "", nil, "icons", dir).want(t, exitUsage, "is a folder")
}

// readAt returns the body of what a folder has at a path, and the status.
func readAt(t *testing.T, f *targets.Folder, host, path string) (status int, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", f.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, host)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

// TestFolder_nothingOutsideIsRead asks the server of a folder for what is beside it.
func TestFolder_nothingOutsideIsRead(t *testing.T) {
	outside := writeFiles(t, map[string]string{
		"secret.html": "secret", "site/index.html": "home", "site/a.html": "a", "site/b/index.html": "b",
		"site/.env": "shown", "linked/index.html": "secret",
	})
	dir := filepath.Join(outside, "site")
	for name, to := range map[string]string{
		"out.html": filepath.Join("..", "secret.html"), "whole.html": filepath.Join(outside, "secret.html"),
		"folder": filepath.Join("..", "linked"), "loop": ".", "inside.html": "a.html",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("this machine makes no links:", err)
		}
	}
	f, err := targets.OpenFolder(dir, "https://example.com/docs/")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pages []string
	for _, page := range f.Pages {
		pages = append(pages, page.String())
	}
	const base = "https://example.com/docs/"
	if want := base + "a.html " + base + "b/ " + base; strings.Join(pages, " ") != want {
		t.Errorf("got the pages %v, want %s", pages, want)
	}
	for path, want := range map[string]string{
		"/docs/": "home", "/docs": "home", "/docs/index.html": "home", "/docs/a": "a", "/docs/a.html": "a", "/docs/b": "b",
		"/docs/b/": "b", "/docs/a.html?x=1": "a", "/docs/inside.html": "a", "/docs/%61.html": "a",
		"/": "", "/docs2/a.html": "", "/a.html": "", "/docs/a.html/": "", "/docs/a/": "", "/docs/none": "", "/docs//a.html": "",
		"/docs/out.html": "", "/docs/out": "", "/docs/whole.html": "", "/docs/folder/": "", "/docs/folder": "",
		"/docs/../secret.html": "", "/docs/%2e%2e/secret.html": "", "/docs/%2e%2e%2fsecret.html": "", "/docs/b/..%2fa.html": "",
		"/docs/..%5csecret.html": "", "/docs/a.html%00": "", "/docs/%00": "", "/docs/./a.html": "", "/docs/%2fetc%2fpasswd": "",
	} {
		status, body := readAt(t, f, f.Addr, path)
		if want == "" && status != http.StatusNotFound || want != "" && (status != http.StatusOK || body != want) {
			t.Errorf("%s: got %d with %q, want %q", path, status, body, want)
		}
	}
	if status, _ := readAt(t, f, "rebound.example", "/docs/a.html"); status != http.StatusNotFound {
		t.Errorf("by another name: got %d", status)
	}
}

func TestFolder_isBounded(t *testing.T) {
	deep := map[string]string{strings.Repeat("d/", targets.MaxFolderDepth+1) + "index.html": "x"}
	_, err := targets.OpenFolder(writeFiles(t, deep), "")
	if err == nil || !strings.Contains(err.Error(), "deep") {
		t.Errorf("deep folders: got %v", err)
	}
	dir := t.TempDir()
	for i := range targets.MaxFolderPages + 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.html", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err = targets.OpenFolder(dir, ""); err == nil || !strings.Contains(err.Error(), "more than 10000 pages") {
		t.Errorf("many pages: got %v", err)
	}
}

// FuzzFolderFile wants what an address leads to to be a file of the folder, whatever the address is.
func FuzzFolderFile(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"index.html", "a.html"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		f.Fatal(err)
	}
	defer root.Close()
	base, err := weburl.Parse("https://example.com/docs/")
	if err != nil {
		f.Fatal(err)
	}
	site := &targets.Folder{Dir: dir, Root: root, Base: base}
	for _, seed := range []string{"/docs/", "/docs/a", "/docs/../a", "/docs/a/../../x", "/docs/\x00", `/docs/..\a`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if name, ok := site.File(path); ok && name != "index.html" && name != "a.html" {
			t.Errorf("%q leads to %q", path, name)
		}
	})
}
