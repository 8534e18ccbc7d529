package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/fetch"
	"masthead/pkg/testenv"
)

// drawCard runs `masthead card` in a folder.
func drawCard(t *testing.T, dir string, args ...string) runResult {
	t.Helper()
	return masthead(t, dir, "", nil, append([]string{"card"}, args...)...)
}

// drawnFile reads a file that was drawn.
func drawnFile(t *testing.T, path string) (img image.Image, format string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, format, err = image.Decode(f)
	if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 {
		t.Fatalf("%s: %v, %v", path, img, err)
	}
	return img, format
}

// files returns the names of all files below a folder, with slashes, sorted.
func files(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestCard_needsNoServer(t *testing.T) {
	testenv.ManyStarts(t)
	site, dir := apptest.NewSite(t), t.TempDir()
	// A host that is named on the command line may be private, and its scheme be left out.
	bare := strings.TrimPrefix(site.At("/page/one"), "http://")
	drawCard(t, dir, bare).want(t, exitDone, "card.png  1200x630", "Page one")
	drawnFile(t, filepath.Join(dir, "card.png"))
	drawCard(t, dir, "--title", "No page at all", "--accent", "0F766E", "--light", "--template", "poster").
		want(t, exitDone)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"nothing", nil, exitUsage, "--title"},
		{"a redirect inside", []string{site.At("/redirect?to=http://169.254.169.254/")}, exitFailed, fetch.RefusedDetail},
		{"no page there", []string{site.At("/gone")}, exitFailed, "410"},
		{"letters that no face has", []string{"--title", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"}, exitFailed, "--site-name"},
		{
			"the site's name instead", []string{"--title", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "--site-name", "Acme"}, exitDone,
			"Acme (no typeface has the characters of the title)",
		},
		{"some letters that no face has", []string{"--title", "The Ꮳ of Sequoyah"}, exitDone, "left out: Ꮳ."},
		{"no such folder of fonts", []string{"--title", "x", "--fonts-dir", "none"}, exitUsage, "MASTHEAD_FONTS_DIR"},
		{"no address", []string{"ftp://example.com/"}, exitUsage, "ftp://example.com/: The address must begin with http"},
		{"a file for a page", []string{"card.png"}, exitUsage, "card.png is a file"},
	} {
		t.Run(c.name, func(t *testing.T) { drawCard(t, dir, c.args...).want(t, c.code, c.want) })
	}
}

// TestCard_faultIsToldByTheFlag wants words of the command line, not of HTTP.
func TestCard_faultIsToldByTheFlag(t *testing.T) {
	testenv.ManyStarts(t)
	site, dir := apptest.NewSite(t), t.TempDir()
	for name, text := range map[string]string{"text.png": "hello", "folder/x": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writePicture(t, filepath.Join(dir, "small.png"), 8, color.NRGBA{A: 0xff})
	small, err := os.ReadFile(filepath.Join(dir, "small.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "half.png"), small[:len(small)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--title", "   "}, exitUsage, "--title has no visible characters"},
		{[]string{"--title", "\u200b"}, exitUsage, "--title"},
		{[]string{"--title", ""}, exitUsage, "name a page"},
		{[]string{"--title", "x", "--template", "nope"}, exitUsage, `no template "nope", only `},
		{[]string{"--title", "x", "--accent", "red"}, exitUsage, "--accent: "},
		{[]string{"--title", "x", "--date", "yesterday"}, exitUsage, "--date: "},
		{[]string{"--title", "x", "--kind", "banner"}, exitUsage, "--kind must be one of"},
		{[]string{"--title", "x", "--logo", "nofile.png"}, exitUsage, "--logo: there is no file nofile.png; an address"},
		{[]string{"--title", "x", "--logo", "folder"}, exitUsage, "--logo: folder is a folder"},
		{[]string{"--title", "x", "--icon", "text.png"}, exitUsage, "--icon: text.png isn't a usable picture"},
		{[]string{"--title", "x", "--logo", "half.png"}, exitUsage,
			"--logo: half.png cannot be used: it ends in the middle of the picture"},
		{[]string{"--title", "x", "--icon", "small.png"}, exitUsage, "--icon: small.png has 8x8 pixels"},
		{[]string{"--title", "x", "--logo", site.At("/gone")}, exitFailed, "--logo: The logo could not be fetched."},
		{[]string{"--title", "x", "--titel", "y"}, exitUsage, `did you mean "--title"`},
		{[]string{"--title", "x", "--meta"}, exitUsage, "--image-base"},
		{[]string{"--title", "x", "--meta", "--json"}, exitUsage, "one of them"},
		{[]string{"--title", "x", "--json", "-o", "-"}, exitUsage, "-o -"},
		{[]string{"--title", "x", "--image-base", "cdn"}, exitUsage, "--image-base: "},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			got := drawCard(t, dir, c.args...)
			got.want(t, c.code, c.want)
			for _, word := range []string{"/style", "/content", "GET "} {
				if strings.Contains(got.report, word) {
					t.Errorf("got %q, which speaks of HTTP", got.report)
				}
			}
		})
	}
	if left := files(t, dir); left != "folder/x half.png small.png text.png" {
		t.Errorf("got %s, want nothing to be drawn", left)
	}
}

func TestCard_outputIsExactlyWhatIsNamed(t *testing.T) {
	testenv.ManyStarts(t)
	for _, c := range []struct {
		output, written string // "" for a refusal
		format          string
		want            string
	}{
		{"x.png", "x.png", "png", "x.png  1200x630"},
		{"x.jpg", "x.jpg", "jpeg", "x.jpg"},
		{"X.JPEG", "X.JPEG", "jpeg", "X.JPEG"},
		{"folder", "folder/card.png", "png", filepath.Join("folder", "card.png")},
		{"folder/", "folder/card.png", "png", ""},
		{"new/deep/", "new/deep/card.png", "png", ""},
		{"x.webp", "", "", "pictures are written as .png and .jpg"},
		{"x", "x.png", "png", "x.png  1200x630"},
		{"new/x", "", "", "there is no folder new"},
		{"new/x.png", "", "", "there is no folder new"},
	} {
		t.Run(c.output, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
				t.Fatal(err)
			}
			code := exitDone
			if c.written == "" {
				code = exitUsage
			}
			drawCard(t, dir, "--title", "x", "-o", c.output).want(t, code, c.want)
			if got := files(t, dir); got != c.written {
				t.Fatalf("got the files %q, want %q", got, c.written)
			}
			if c.written != "" {
				if _, format := drawnFile(t, filepath.Join(dir, c.written)); format != c.format {
					t.Errorf("got a %s, want a %s", format, c.format)
				}
			}
		})
	}
	// As a PNG it would be too large for the platforms; a name that says png gets one all the same.
	soft := t.TempDir()
	large := []string{"--title", "x", "--template", "mesh", "--kind", "blog_hero", "-o"}
	drawCard(t, soft, append(large, "soft")...).want(t, exitDone, "soft.jpg")
	drawCard(t, soft, append(large, "named.png")...).want(t, exitDone, "named.png")
	if got := files(t, soft); got != "named.png soft.jpg" {
		t.Errorf("got the files %q", got)
	}
	if info, err := os.Stat(filepath.Join(soft, "named.png")); err != nil || info.Size() <= maxUnnamedPNG {
		t.Errorf("the PNG has %v, %v, want more bytes than the limit", info, err)
	}
	got := drawCard(t, t.TempDir(), "--title", "x", "-o", "-")
	if _, err := png.Decode(strings.NewReader(got.out)); err != nil || got.report != "" {
		t.Errorf("to standard output: %v, and %q", err, got.report)
	}
	drawCard(t, t.TempDir(), "--title", "x", "-o", os.DevNull).want(t, exitDone)
}

// writePNG writes a picture of one color.
func writePNG(t *testing.T, w io.Writer, width, height int) {
	t.Helper()
	if err := png.Encode(w, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
}

// writePicture writes a square of one color.
func writePicture(t *testing.T, path string, side int, c color.NRGBA) {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = [4]byte{c.R, c.G, c.B, c.A}[i%4]
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// has says whether a part of a picture shows a color.
func has(img image.Image, part image.Rectangle, c color.NRGBA) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if color.NRGBAModel.Convert(img.At(x, y)) == c {
				return true
			}
		}
	}
	return false
}

func TestCard_logoAndIconAreFilesToo(t *testing.T) {
	testenv.ManyStarts(t)
	dir, site := t.TempDir(), apptest.NewSite(t)
	red, green := color.NRGBA{0xe1, 0x1d, 0x48, 0xff}, color.NRGBA{0x16, 0xa3, 0x4a, 0xff}
	writePicture(t, filepath.Join(dir, "logo.png"), 96, red)
	writePicture(t, filepath.Join(dir, "icon.png"), 64, green)
	for _, page := range [][]string{{"--title", "x"}, {site.At("/page/one")}} {
		logo := append(page, "--logo", "logo.png", "--logo-position", "bottom-right", "--accent", "4F46E5")
		drawCard(t, dir, logo...).want(t, exitDone)
		img, _ := drawnFile(t, filepath.Join(dir, "card.png"))
		if !has(img, image.Rect(600, 315, 1200, 630), red) || has(img, image.Rect(0, 0, 600, 630), red) {
			t.Errorf("%v: the logo is not where it was asked for", page)
		}
		drawCard(t, dir, append(page, "--icon", "icon.png", "--accent", "4F46E5")...).want(t, exitDone)
		if img, _ := drawnFile(t, filepath.Join(dir, "card.png")); !has(img, img.Bounds(), green) {
			t.Errorf("%v: the icon is not drawn", page)
		}
	}
	// The icon's color is the site's where nothing else tells it.
	drawCard(t, dir, "--title", "x", "--icon", "icon.png", "--json").want(t, exitDone,
		`"accent":"#16A34A","accentSource":"icon"`)
}

func TestCard_jsonTellsWhatWasReadAndDrawn(t *testing.T) {
	site, dir := apptest.NewSite(t), t.TempDir()
	got := drawCard(t, dir, site.At("/page/one"), "--json", "-o", "one.jpg", "--logo", site.At("/icon.png"))
	got.want(t, exitDone)
	var record struct {
		URL, File, Kind, Template, ContentType, Alt string
		Width, Height, SizeBytes                    int
		Style                                       struct {
			Logo struct{ URL, Position string }
		}
		Source struct {
			Title, SiteName string
			Palette         struct{ Accent, AccentSource string }
		}
	}
	if err := json.Unmarshal([]byte(got.out), &record); err != nil || strings.Count(got.out, "\n") != 1 {
		t.Fatalf("got %q, %v, want a line of JSON", got.out, err)
	}
	info, err := os.Stat(filepath.Join(dir, "one.jpg"))
	if err != nil || record.SizeBytes != int(info.Size()) {
		t.Errorf("got %d bytes, want those of %v, %v", record.SizeBytes, info, err)
	}
	if record.URL != site.At("/page/one") || record.File != "one.jpg" || record.Alt != "Page one — Testland" ||
		record.Kind != "og" || record.Template != "editorial" ||
		record.ContentType != "image/jpeg" || record.Width != 1200 || record.Height != 630 ||
		record.Style.Logo.URL != site.At("/icon.png") || record.Style.Logo.Position != "top-left" ||
		record.Source.SiteName != "Testland" || record.Source.Palette.Accent != "#0F766E" {
		t.Errorf("got %s", got.out)
	}
}

func TestCard_metaPrintsTheTags(t *testing.T) {
	site, dir := apptest.NewSite(t), t.TempDir()
	root := strings.TrimSuffix(site.At("/page/one"), "page/one")
	drawCard(t, dir, site.At("/page/one"), "--meta", "-o", "my card.png").want(t, exitDone,
		`<meta property="og:image" content="`+root+`my%20card.png">`, `content="1200"`, "--image-base says where it is")
	got := drawCard(t, dir, "--title", "x", "--meta", "--image-base", "https://cdn.example.com/cards/")
	got.want(t, exitDone, `<meta name="twitter:image" content="https://cdn.example.com/cards/card.png">`)
	if strings.Contains(got.report, "--image-base") {
		t.Errorf("got %q, want no hint", got.report)
	}
}

func TestCard_severalPagesGoIntoAFolder(t *testing.T) {
	site, dir := apptest.NewSite(t), t.TempDir()
	host := strings.NewReplacer("http://", "", ":", "-").Replace(strings.TrimSuffix(site.At("/"), "/"))
	one, two, gone := site.At("/page/one"), site.At("/page/Two.html?lang=en&x=1"), site.At("/gone")
	got := drawCard(t, dir, one, two, gone, one, "-o", "out", "--json")
	got.want(t, exitFailed,
		"[1/3] "+filepath.Join("out", host+"-page-one.png"), "[2/3]", "[3/3] "+gone+"  failed",
		"1 of 3 pages could not be drawn:\n  "+gone+"  ", "410")
	want := "out/" + host + "-page-one.png out/" + host + "-page-two-lang-en-x-1.png"
	if files := files(t, dir); files != want {
		t.Errorf("got %s, want %s", files, want)
	}
	lines := strings.Split(got.out, "\n")
	if len(lines) != 4 || !strings.Contains(lines[2], `{"url":"`+gone+`","error":"`) {
		t.Errorf("got %s, want a line for each page", got.out)
	}
	list := "\ufeff" + one + "\r\n\n# a comment\n  " + site.At("/page/three") + "  \n"
	masthead(t, dir, list, nil, "card", "-").want(t, exitDone, "[2/2] "+filepath.Join("cards", host+"-page-three.png"))
	// A list of one is a list.
	masthead(t, dir, one, nil, "card", "-", "-o", "single/").want(t, exitDone,
		filepath.Join("single", host+"-page-one.png"))
	for _, c := range []struct {
		in, want string
		args     []string
	}{
		{"", "-o all.png: several pages", []string{one, two, "-o", "all.png"}},
		{"", "is a file", []string{one, two, "-o", filepath.Join("cards", host+"-page-one.png")}},
		{"", "takes one picture", []string{one, two, "-o", "-"}},
		{"", "--title and --description", []string{one, two, "--title", "x"}},
		{"\n", "has no addresses", []string{"-"}},
		{one + "\nnonsense://x\n", "line 2 of standard input: nonsense://x: ", []string{"-"}},
		{one, "is given twice", []string{"-", "-"}},
		{"", "--date: ", []string{one, two, "--date", "yesterday"}},
	} {
		masthead(t, dir, c.in, nil, append([]string{"card"}, c.args...)...).want(t, exitUsage, c.want)
	}
}

// TestCard_pageOfAListCannotSendUsInside has a page on one private host that leads to another one of the list.
func TestCard_pageOfAListCannotSendUsInside(t *testing.T) {
	var asked atomic.Bool
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/secret" {
			asked.Store(true)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Inside</title>")
	}))
	defer inside.Close()
	outside := httptest.NewServer(http.RedirectHandler(inside.URL+"/secret", http.StatusFound))
	defer outside.Close()
	drawCard(t, t.TempDir(), inside.URL, outside.URL).want(t, exitFailed, "1 of 2 pages", fetch.RefusedDetail)
	if asked.Load() {
		t.Error("a page sent us to another host of the list")
	}
}

// TestCard_busySiteIsAskedAgain has a site that is busy for longer than one fetch tries.
func TestCard_busySiteIsAskedAgain(t *testing.T) {
	var asked atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && asked.Add(1) <= 2 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>At last</title>")
	}))
	defer site.Close()
	drawCard(t, t.TempDir(), site.URL).want(t, exitDone, "At last")
}

// TestCard_languageDecidesTheForms wants other pictures of the same Han characters in Japanese and in Chinese.
func TestCard_languageDecidesTheForms(t *testing.T) {
	dir := t.TempDir()
	var pictures []string
	for _, lang := range []string{"ja", "zh-Hans", "zh-Hant"} {
		drawCard(t, dir, "--title", "直骨角与", "--lang", lang, "-o", lang+".png").want(t, exitDone)
		data, err := os.ReadFile(filepath.Join(dir, lang+".png"))
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, string(data))
	}
	slices.Sort(pictures)
	if len(slices.Compact(pictures)) != 3 {
		t.Error("two languages have the same picture")
	}
}

// TestCard_jsonTellsWhatIsMissing wants the warnings of a card among what --json prints.
func TestCard_jsonTellsWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	got := drawCard(t, dir, "--title", "The Ꮳ of Sequoyah", "--json")
	got.want(t, exitDone, `"warnings":[{"code":"MISSING_CHARACTERS","detail":"No font has these characters`)
}
