package scrape_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

// iconsOf scrapes all icons of a page and writes them down, a line for each: path, relation, size, state.
func iconsOf(t *testing.T, s *site, path string) string {
	t.Helper()
	got := s.scraper.Scrape(t.Context(), s.at(t, path), scrape.Need{Icons: true})
	var b strings.Builder
	for _, part := range got.Icons {
		f := part.Value
		fmt.Fprintf(&b, "%s %s %dx%d %s\n",
			strings.TrimPrefix(f.Link.URL, s.URL), f.Link.Rel, f.Facts.Width, f.Facts.Height, part.State)
		if part.Got() != (f.Image != nil) || part.Got() && f.URL.IsZero() != strings.HasPrefix(f.Link.URL, "data:") {
			t.Errorf("%s: %+v does not go with %v", f.Link.URL, f, part.State)
		}
	}
	return b.String()
}

// ico makes an ICO that holds a picture, which must be a PNG.
func icoOf(pngFile string, side int) response {
	head := []byte{0, 0, 1, 0, 1, 0, byte(side), byte(side), 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0}
	head[14], head[15], head[16] = byte(len(pngFile)), byte(len(pngFile)>>8), byte(len(pngFile)>>16)
	return response{contentType: "image/x-icon", body: string(head) + pngFile}
}

func TestScrape_icons_areRankedByWhatTheyAre(t *testing.T) {
	clear := pngOf(t, 64, 64, color.NRGBA{0xd0, 0x20, 0x20, 0x80})
	files := map[string]response{
		"/16.png": pngOf(t, 16, 16, red), "/64.png": pngOf(t, 64, 64, red), "/clear.png": clear,
		"/180.png": pngOf(t, 180, 180, red), "/wide.png": pngOf(t, 300, 100, red), "/text.png": {body: "text"},
		"/m.json": {contentType: "application/json", body: `{"icons":[{"src":"64.png","sizes":"64x64"},
			{"src":"180.png","sizes":"512x512","purpose":"maskable"},{"src":"mono.png","purpose":"monochrome"}]}`},
		"/64.ico": icoOf(pngOf(t, 64, 64, red).body, 64), "/favicon.ico": icoOf(pngOf(t, 32, 32, red).body, 32),
		"/apple-touch-icon.png": pngOf(t, 120, 120, red),
	}
	none := "/apple-touch-icon.png /apple-touch-icon.png 120x120 got\n/favicon.ico /favicon.ico 32x32 got\n"
	for name, c := range map[string]struct{ head, want string }{
		"none": {"", none},
		"the measured size counts": {`<link rel=icon sizes=512x512 href=16.png><link rel=icon sizes=16x16 href=64.png>`,
			"/apple-touch-icon.png /apple-touch-icon.png 120x120 got\n/64.png icon 64x64 got\n" +
				"/favicon.ico /favicon.ico 32x32 got\n/16.png icon 16x16 got\n"},
		"a touch icon, shortcut and tile": {`<link rel="shortcut icon" href=64.ico><link rel=apple-touch-icon href=180.png>
			<meta name=msapplication-TileImage content=64.png>`,
			"/180.png apple-touch-icon 180x180 got\n/64.png msapplication-tileimage 64x64 got\n/64.ico icon 64x64 got\n" +
				"/favicon.ico /favicon.ico 32x32 got\n"},
		"transparent beats opaque": {`<link rel=icon sizes=64x64 href=64.png><link rel=icon sizes=64x64 href=clear.png>`,
			"/apple-touch-icon.png /apple-touch-icon.png 120x120 got\n/clear.png icon 64x64 got\n/64.png icon 64x64 got\n" +
				"/favicon.ico /favicon.ico 32x32 got\n"},
		"a manifest": {`<link rel=manifest href=m.json>`,
			"/apple-touch-icon.png /apple-touch-icon.png 120x120 got\n/64.png manifest 64x64 got\n" +
				"/favicon.ico /favicon.ico 32x32 got\n/180.png manifest 180x180 got\n"},
		"logos": {`<meta property=og:logo content=wide.png><script type=application/ld+json>
			{"@type":"Article","publisher":{"@type":"Organization","logo":{"url":"180.png"}}}</script>`,
			"/180.png JSON-LD logo 180x180 got\n" + none + "/wide.png og:logo 300x100 got\n"},
		"not pictures of the site": {`<link rel=mask-icon href=mask.svg color=red><link rel=fluid-icon href=180.png>`, none},
		"dark ones are last": {`<link rel=icon sizes=180x180 media="(prefers-color-scheme: dark)" href=180.png>
			<link rel=icon sizes=64x64 href=64.png>`,
			"/apple-touch-icon.png /apple-touch-icon.png 120x120 got\n/64.png icon 64x64 got\n" +
				"/favicon.ico /favicon.ico 32x32 got\n/180.png icon 180x180 got\n"},
		"no picture": {`<link rel=icon sizes=64x64 href=text.png><link rel=icon href=gone.png>`,
			none + "/text.png icon 0x0 failed\n/gone.png icon 0x0 failed\n"},
		"data: addresses": {`<link rel=icon href="data:image/png;base64,` +
			base64.StdEncoding.EncodeToString([]byte(files["/180.png"].body)) + `"><link rel=icon href="data:image/png;base64,AA">
			<link rel=icon href="data:text/html,x"><link rel=icon href="data:image/png">`,
			"data:image/png icon 180x180 got\n" + none + "data:image/png icon 0x0 failed\n"},
		"a long data: address": {`<link rel=icon href="data:image/png;base64,` + strings.Repeat("A", 256<<10) + `">`,
			none + "data:image/png icon 0x0 failed\n"},
		"one file by two names": {`<link rel=apple-touch-icon href=180.png><link rel=icon sizes=64x64 href=180.png>`,
			"/180.png apple-touch-icon 180x180 got\n/favicon.ico /favicon.ico 32x32 got\n"},
	} {
		files["/"] = pageOf(c.head)
		if got := iconsOf(t, serve(t, files), "/"); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestScrape_icons_fiveAreLookedAt has more candidates than are fetched: the largest by what is said of them are.
func TestScrape_icons_fiveAreLookedAt(t *testing.T) {
	var head strings.Builder
	files := map[string]response{}
	for side := 40; side < 56; side++ {
		fmt.Fprintf(&head, "<link rel=icon sizes=%dx%d href=/%d.png>", side, side, side)
		files[fmt.Sprintf("/%d.png", side)] = pngOf(t, side, side, red)
	}
	files["/"] = pageOf(head.String())
	s := serve(t, files)
	lines := strings.Split(strings.TrimSpace(iconsOf(t, s, "/")), "\n")
	if len(lines) != 18 || lines[0] != "/55.png icon 55x55 got" || !strings.HasSuffix(lines[5], "not asked") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	if want := "/ /52.png /53.png /54.png /55.png /apple-touch-icon.png"; s.requests() != want {
		t.Errorf("got requests for %s, want %s", s.requests(), want)
	}
}

// TestScrape_icons_largeRasterIsRefused has one of more than four megapixels, which could be decoded.
func TestScrape_icons_largeRasterIsRefused(t *testing.T) {
	s := serve(t, map[string]response{
		"/":          pageOf(`<link rel=icon sizes=2100x2100 href=large.png><link rel=icon sizes=64x64 href=64.png>`),
		"/large.png": pngOf(t, 2100, 2100, red), "/64.png": pngOf(t, 64, 64, red),
	})
	want := "/64.png icon 64x64 got\n/large.png icon 2100x2100 failed\n"
	if got := iconsOf(t, s, "/"); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	forCard := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icon: icon})
	if got := forCard.Icon.Value.URL; got != s.at(t, "/64.png") {
		t.Errorf("a card takes %v, %v", got, forCard.Icon.Err)
	}
}

// patiently does something again as long as its error is one of the moment.
func patiently(do func() error) (err error) {
	for range 30 {
		if err = do(); err == nil || !picture.Transient(err) {
			return err
		}
	}
	return err
}

// svgEngine is an engine for SVG that may draw one for so long.
func svgEngine(t *testing.T, drawing time.Duration) *svg.Engine {
	t.Helper()
	engine := svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute, Time: drawing})
	t.Cleanup(func() { _ = engine.Close() })
	return engine
}

// drawsSVG gives the site a scraper with an engine.
func (s *site) drawsSVG(t *testing.T, engine *svg.Engine) {
	t.Helper()
	client, err := fetch.New(fetch.Config{Allow: []string{s.Listener.Addr().String()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s.scraper = scrape.New(client, picture.NewDecoder(picture.Config{SVG: engine}), nil)
}

// TestScrape_icons_drawingsOfAnSVGShareItsTime draws one over and over: that comes to an end.
func TestScrape_icons_drawingsOfAnSVGShareItsTime(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=icon href=/a.svg>`), "/a.svg": {contentType: "image/svg+xml",
			body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="red"/></svg>`},
	})
	s.drawsSVG(t, svgEngine(t, 300*time.Millisecond))
	var icon scrape.Part[scrape.IconFile]
	err := patiently(func() error {
		icon = s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icons: true}).Icons[0]
		return icon.Err
	})
	for drawings := 0; err == nil && drawings < 10_000; drawings++ {
		_, err = icon.Value.Draw(t.Context(), 512)
	}
	if !errors.Is(err, picture.ErrTimeout) {
		t.Errorf("got %v, want that its time is over", err)
	}
}

// TestScrape_icons_ownThatIsOfNoUse is told of after those of the site, which stand in for it.
func TestScrape_icons_ownThatIsOfNoUse(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=icon sizes=64x64 href=/64.png>`), "/64.png": pngOf(t, 64, 64, red), "/text.png": {body: "text"},
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{
		Icons: true, Icon: scrape.IconNeed{First: s.at(t, "/text.png")},
	})
	first, last := got.Icons[0], got.Icons[len(got.Icons)-1]
	if !first.Got() || first.Value.URL != s.at(t, "/64.png") || last.State != scrape.Failed || !last.Value.Named() {
		t.Errorf("got %+v, want the icon of the site first and the other last", got.Icons)
	}
}

// TestScrape_icons_SVGIsFirstAndDrawnAtAnySide has the engine that draws them.
func TestScrape_icons_SVGIsFirstAndDrawnAtAnySide(t *testing.T) {
	engine := svgEngine(t, time.Minute)
	const document = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M0 0h20v5H0z" fill="#d02020"/></svg>`
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=icon sizes=192x192 href=/192.png><link rel=icon href=/a.svg>
			<link rel=icon href=/bad.svg>`),
		"/a.svg":   {contentType: "image/svg+xml", body: document},
		"/bad.svg": {contentType: "image/svg+xml", body: strings.Replace(document, "path d", "use href", 1) + "<"},
		"/192.png": pngOf(t, 192, 192, red),
	})
	s.drawsSVG(t, engine)
	var icons []scrape.Part[scrape.IconFile]
	patiently(func() error { // a busy machine may take longer than a drawing may
		icons = s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icons: true}).Icons
		for _, part := range icons {
			if part.Err != nil && picture.Transient(part.Err) {
				return part.Err
			}
		}
		return nil
	})
	first := icons[0].Value
	if !icons[0].Got() || first.URL != s.at(t, "/a.svg") || first.Draw == nil || first.Facts.Alpha != picture.Yes ||
		!first.Useful() {
		t.Fatalf("got %+v, want the SVG", icons[0])
	}
	for _, side := range []int{16, 180, 512} {
		var img *image.NRGBA
		err := patiently(func() (err error) {
			img, err = first.Draw(t.Context(), side)
			return err
		})
		if err != nil || img.Rect.Dx() != side || img.Rect.Dy() != side/2 {
			t.Fatalf("%d: got %v, %v", side, img, err)
		}
		if top, bottom := img.NRGBAAt(side/2, side/8), img.NRGBAAt(side/2, side/2-1); top != red || bottom.A != 0 {
			t.Errorf("%d: got %v and %v", side, top, bottom)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := first.Draw(stopped, 64); err == nil {
		t.Error("it drew for nobody")
	}
	for _, part := range icons {
		if strings.HasSuffix(part.Value.Link.URL, "bad.svg") && part.State != scrape.Failed {
			t.Errorf("got %+v, want it failed", part)
		}
	}
}
