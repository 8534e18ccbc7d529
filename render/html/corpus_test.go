package html_test

import (
	"bufio"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/fonts"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
	"masthead/render/html"
)

// cardCase is a line of cases.jsonl.
type cardCase struct {
	Name          string
	Width, Height int
	Level         string
	Text          bool
	Tags          []string
}

func readCases(t testing.TB, dir string) (list []cardCase) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c cardCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// svgEngine draws the SVG of all tests.
var svgEngine = sync.OnceValue(func() *svg.Engine {
	var faces [][]byte
	for _, weight := range []int{400, 700} {
		if data, err := fonts.Find("inter", weight, false).Data(); err == nil {
			faces = append(faces, data)
		}
	}
	return svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute, Time: 10 * time.Second, Faces: faces})
})

func drawSVG(ctx context.Context, document string, w, h int) (*image.NRGBA, error) {
	d, err := svg.Clean([]byte(document))
	if err != nil {
		return nil, err
	}
	if err := svgEngine().Await(ctx, time.Minute); err != nil {
		return nil, err
	}
	return svgEngine().Draw(ctx, d, w, h)
}

// svgImage is an SVG file as a picture.
type svgImage struct {
	w, h float64
	data string
}

func (s svgImage) Size() (w, h, ratio float64) { return s.w, s.h, s.w / s.h }

func (s svgImage) Pixels(w, h int) (*image.NRGBA, error) {
	return drawSVG(context.Background(), s.data, w, h)
}

// pictures reads pictures of data URLs and of a folder.
type pictures struct {
	dir   string
	known map[string]html.Image
}

func (p *pictures) get(url string) html.Image {
	if img, ok := p.known[url]; ok {
		return img
	}
	img := p.read(url)
	p.known[url] = img
	return img
}

func (p *pictures) read(url string) html.Image {
	data, ok := html.DataURL(url)
	if !ok {
		var err error
		if data, err = os.ReadFile(filepath.Join(p.dir, filepath.Clean("/"+url))); err != nil {
			return nil
		}
	}
	if img, ok := html.SVG(string(data)); ok {
		return img
	}
	if d, err := svg.Clean(data); err == nil {
		return svgImage{d.Width, d.Height, string(data)}
	}
	img, _, err := decoder().Decode(context.Background(), data, picture.Want{})
	if err != nil {
		return nil
	}
	return html.Raster(img)
}

var decoder = sync.OnceValue(func() *picture.Decoder { return picture.NewDecoder(picture.Config{}) })

// TestCorpus_asChromium draws the documents of the open corpus and compares them with Chromium's pictures. Those that
// don't hold are exactly those that docs/html.md lists.
func TestCorpus_asChromium(t *testing.T) {
	dir, ok := testenv.HTMLCards(t)
	if !ok {
		return
	}
	testenv.FullSpeed(t)
	listed := listedCases(t)
	held, all := map[string]int{}, map[string]int{}
	var mu sync.Mutex
	t.Cleanup(func() {
		for _, level := range []string{"core", "common", "advanced"} {
			t.Logf("%s: %d of %d hold", level, held[level], all[level])
		}
	})
	for _, c := range readCases(t, dir) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(filepath.Join(dir, "cases", c.Name+".html"))
			if err != nil {
				t.Fatal(err)
			}
			images := &pictures{filepath.Join(dir, "cases"), map[string]html.Image{}}
			img, warnings, err := drawCase(t.Context(), c, string(source), images)
			if err != nil {
				t.Fatal(err)
			}
			writePNG(t, filepath.Join(t.ArtifactDir(), c.Name+".png"), img)
			v := compare(img, readPNG(t, filepath.Join(dir, "expected", c.Name+".png")))
			holds := v.holds(c.Text)
			mu.Lock()
			defer mu.Unlock()
			all[c.Level]++
			if holds {
				held[c.Level]++
			}
			switch {
			case !holds && !listed[c.Name]:
				t.Errorf("it doesn't hold: similarity %.4f, %.1f %% off, %v", v.ssim, 100*v.off, warnings)
			case holds && listed[c.Name]:
				t.Error("it holds, but docs/html.md lists it as one that doesn't")
			}
		})
	}
}

// listedCases returns the cases that docs/html.md lists.
func listedCases(t *testing.T) map[string]bool {
	t.Helper()
	docs, err := os.ReadFile("../../docs/html.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(docs), "## Cases that don't hold")
	if !found {
		t.Fatal("docs/html.md has no section of cases that don't hold")
	}
	list := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^- `([^`]+)`: .").FindAllStringSubmatch(section, -1) {
		list[m[1]] = true
	}
	return list
}

func drawCase(ctx context.Context, c cardCase, source string, images *pictures) (image.Image, []html.Warning, error) {
	doc, err := html.Parse(source)
	if err != nil {
		return nil, nil, err
	}
	return doc.Draw(ctx, html.Options{Width: c.Width, Height: c.Height, Images: images.get, SVG: drawSVG})
}

func readPNG(t testing.TB, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func writePNG(t testing.TB, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// design returns the document of a case, compiled, and how it is drawn.
func (c cardCase) design(t testing.TB, dir string) (*html.Design, html.Options) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(dir, "cases", c.Name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	design, err := html.Compile(string(source))
	if err != nil {
		t.Fatal(err)
	}
	images := &pictures{filepath.Join(dir, "cases"), map[string]html.Image{}}
	return design, html.Options{Width: c.Width, Height: c.Height, Images: images.get, SVG: drawSVG}
}

// TestCorpus_laterPages_areAsTheFirst draws each document of the open corpus as a design, several times: what is kept
// of a page changes nothing in the next ones.
func TestCorpus_laterPages_areAsTheFirst(t *testing.T) {
	dir, ok := testenv.HTMLCards(t)
	if !ok {
		return
	}
	for _, c := range readCases(t, dir) {
		design, opts := c.design(t, dir)
		var first image.Image
		for page := range 3 {
			img, _, err := design.Draw(t.Context(), map[string]any{}, opts)
			if err != nil {
				t.Fatal(err)
			}
			if page == 0 {
				first = img
			} else if !reflect.DeepEqual(img, first) {
				t.Errorf("%s: page %d differs from the first", c.Name, page)
			}
		}
	}
}
