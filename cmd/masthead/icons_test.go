package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
)

const sixAndManifest = "apple-touch-icon.png favicon-16.png favicon-32.png favicon-48.png icon-192.png icon-512.png " +
	"site.webmanifest"

func TestIcons_needsNoServer(t *testing.T) {
	testenv.ManyStarts(t)
	site, dir := apptest.NewSite(t), t.TempDir()
	run := func(args ...string) runResult {
		return masthead(t, dir, "", nil, append([]string{"icons"}, args...)...)
	}
	bare := strings.TrimPrefix(site.At("/page/one"), "http://")
	run(bare).want(t, exitDone, "icons  7 files", "Testland")
	if got := files(t, filepath.Join(dir, "icons")); got != sixAndManifest {
		t.Errorf("got %s, want %s", got, sixAndManifest)
	}
	for name, side := range map[string]int{"favicon-16.png": 16, "apple-touch-icon.png": 180, "icon-512.png": 512} {
		data, err := os.ReadFile(filepath.Join(dir, "icons", name))
		if err != nil {
			t.Fatal(err)
		}
		if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != side || size.Height != side {
			t.Errorf("%s: got %dx%d, %v", name, size.Width, size.Height, err)
		}
	}
	run(site.At("/page/one"), "-o", "set.zip", "--extras", "--preview").want(t, exitDone, "set.zip")
	archive, err := zip.OpenReader(filepath.Join(dir, "set.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	for _, name := range []string{"site.webmanifest", "favicon.ico", "links.html", "preview.html"} {
		if !slices.Contains(names, name) {
			t.Errorf("the archive has %v, want %s among them", names, name)
		}
	}
	piped := run(site.At("/page/one"), "-o", "-")
	if !strings.HasPrefix(piped.out, "PK\x03\x04") {
		t.Errorf("-o -: got %.20q", piped.out)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"nothing", nil, exitUsage, "url"},
		{"no page there", []string{site.At("/gone")}, exitFailed, "410"},
		{"no such folder", []string{site.At("/page/one"), "-o", "none/set.zip"}, exitUsage, "no folder none"},
		{"another kind of file", []string{site.At("/page/one"), "-o", "set.tar"}, exitUsage, ".zip"},
		{"a file that is there", []string{site.At("/page/one"), "-o", "icons/site.webmanifest"}, exitUsage, ".zip"},
		{"no such icon", []string{site.At("/page/one"), "--icon", "none.svg"}, exitUsage, "no file none.svg"},
		{"both to standard output", []string{site.At("/page/one"), "-o", "-", "--json"}, exitUsage, "--json"},
	} {
		t.Run(c.name, func(t *testing.T) { run(c.args...).want(t, c.code, c.want) })
	}
}

// warmEngine compiles the engine for SVG, and returns the setting by which the program finds it: what a slow machine
// takes for that is nothing that a test of the program is about.
func warmEngine(t *testing.T) []string {
	t.Helper()
	engine := svg.New(svg.Config{Dir: testenv.CacheDir()})
	home := t.TempDir()
	err := errors.Join(engine.Ready(t.Context()), os.Symlink(testenv.CacheDir(), filepath.Join(home, "masthead")))
	if err = errors.Join(err, engine.Close()); err != nil {
		t.Fatal(err)
	}
	return []string{"XDG_CACHE_HOME=" + home}
}

// TestIcons_ownIconAsAnSVG has an SVG on the machine in place of the site's icon: it waits for its engine.
func TestIcons_ownIconAsAnSVG(t *testing.T) {
	site, dir := apptest.NewSite(t), t.TempDir()
	logo := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#ff00c8"/></svg>`
	if err := os.WriteFile(filepath.Join(dir, "logo.svg"), []byte(logo), 0o600); err != nil {
		t.Fatal(err)
	}
	got := masthead(t, dir, "", warmEngine(t), "icons", site.At("/page/one"), "--icon", "logo.svg", "--json")
	got.want(t, exitDone)
	var record iconsRecord
	if err := json.Unmarshal([]byte(got.out), &record); err != nil || record.Treatment != "vector" ||
		len(record.Files) != 7 || len(record.Assets) != 7 || record.Source.SiteName != "Testland" {
		t.Errorf("got %s, %v", got.out, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "icons", "icon-192.png"))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := img.At(96, 96).RGBA(); r>>8 < 250 || g>>8 > 5 || b>>8 < 190 {
		t.Errorf("got the colour %v, want that of the SVG", img.At(96, 96))
	}
}

// A page that sends us where nobody may go is refused, whatever its icons are.
func TestIcons_targetsInsideAreRefused(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<title>Home</title><link rel="icon" href="http://169.254.169.254/icon.svg">`))
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	got := masthead(t, dir, "", nil, "icons", site.URL, "--json")
	got.want(t, exitDone)
	if !strings.Contains(got.out, `"treatment":"monogram"`) {
		t.Errorf("got %s, want a letter", got.out)
	}
}
