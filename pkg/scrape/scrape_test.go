package scrape_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// site is a web site on loopback: how it responds by path, and what it was asked.
type site struct {
	*httptest.Server
	scraper *scrape.Scraper

	mu    sync.Mutex
	asked []string
}

type response struct {
	contentType, body string
	status            int
	hold              bool // until the client leaves
	header            map[string]string
}

// pageOf is an HTML document.
func pageOf(body string) response {
	return response{contentType: "text/html; charset=utf-8", body: body}
}

// pngOf is a flat picture.
func pngOf(t testing.TB, w, h int, c color.Color) response {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	return response{contentType: "image/png", body: buf.String()}
}

// serve starts a site. What has no response is 404.
func serve(t testing.TB, responses map[string]response) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path)
		s.mu.Unlock()
		a, ok := responses[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if a.hold {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", a.contentType)
		for name, value := range a.header {
			w.Header().Set(name, value)
		}
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		_, _ = w.Write([]byte(a.body)) // the client may have left
	}))
	t.Cleanup(s.Close)
	client, err := fetch.New(fetch.Config{Allow: []string{s.Listener.Addr().String()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s.scraper = scrape.New(client, picture.NewDecoder(picture.Config{}), nil)
	return s
}

// at is the address of a path of the site.
func (s *site) at(t testing.TB, path string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// requests are the paths that were asked for, sorted.
func (s *site) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(slices.Sorted(slices.Values(s.asked)), " ")
}

var (
	red  = color.NRGBA{0xd0, 0x20, 0x20, 0xff}
	grey = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	icon = scrape.IconNeed{Side: 128, MinSide: 32}
)

func TestScrape_zeroNeed_fetchesThePageAlone(t *testing.T) {
	s := serve(t, map[string]response{"/": pageOf(`<title>How to &amp;amp; &lt;b&gt;</title>
		<link rel=icon href=/i.png>
		<link rel=manifest href=/m.json><link rel=stylesheet href=/s.css><meta property=og:image content=/o.png>`)})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{})
	if !got.Page.Got() || got.Page.Value.Status != 200 || got.Page.Value.URL != s.at(t, "/") || got.Fault != nil {
		t.Fatalf("got %+v, %v", got.Page, got.Fault)
	}
	if got, want := got.Page.Value.Texts.Title, "How to &amp; <b>"; got != want {
		t.Errorf("title: got %q, want %q", got, want)
	}
	for name, state := range map[string]scrape.State{
		"manifest": got.Manifest.State, "style sheet": got.Stylesheet.State, "icon": got.Icon.State,
		"colors": got.Colors.State,
	} {
		if state != scrape.NotAsked {
			t.Errorf("%s: got %v, want it not asked", name, state)
		}
	}
	if got := s.requests(); got != "/" || len(s.asked) != 1 {
		t.Errorf("got requests for %q, want the page alone", got)
	}
}

func TestScrape_everything_isGotWithItsSource(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<title>T</title><link rel=manifest href=/m.json><link rel=stylesheet href=/s.css>
			<meta property=og:image content=/o.png>`),
		"/m.json": {contentType: "application/manifest+json",
			body: `{"icons":[{"src":"/i.png","sizes":"192x192"}],"theme_color":"#777"}`},
		"/i.png": pngOf(t, 192, 192, grey),
		"/s.css": {contentType: "text/css", body: `:root{--brand:#d02020} .btn{background:#123456}`},
		"/o.png": pngOf(t, 1200, 630, red),
		"/l.png": pngOf(t, 400, 100, red),
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{
		Icon: icon, Signals: true,
		Pictures: []scrape.PictureNeed{{URL: s.at(t, "/l.png"), Width: 160, Height: 80}},
	})
	if !got.Manifest.Got() || !got.Stylesheet.Got() || !got.Icon.Got() || !got.Colors.Got() || !got.Pictures[0].Got() {
		t.Fatalf("got %+v", got)
	}
	if i := got.Icon.Value; i.URL != s.at(t, "/i.png") || i.Facts.Width != 192 || i.Image.Rect.Dx() != 128 {
		t.Errorf("icon: got %s, %+v, %v", i.URL, i.Facts, i.Image.Rect)
	}
	if l := got.Pictures[0].Value; l.Image.Rect.Dx() != 160 || l.Image.Rect.Dy() != 40 || l.Facts.Height != 100 {
		t.Errorf("picture: got %v of %+v", l.Image.Rect, l.Facts)
	}
	var colors []string
	for _, c := range got.Colors.Value {
		colors = append(colors, strings.TrimSpace(palette.Hex(c.Value)+" "+string(c.Source)+" "+c.Name))
	}
	want := "#808080 icon, #777777 manifest, #D02020 custom-property --brand, #123456 button .btn, #D02020 og-image"
	if got := strings.Join(colors, ", "); !strings.EqualFold(got, want) {
		t.Errorf("colors: got %s, want %s", got, want)
	}
	if part := got.SharePicture; !part.Got() || part.Value.URL != s.at(t, "/o.png") || part.Value.Facts.Width != 1200 {
		t.Errorf("share image: got %+v, want that of og:image", part)
	}
}

func TestScrape_shareImages_areMeasured(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<meta property=og:image content=/o.png><meta property=og:image content=/second.png>
			<meta name=twitter:image content=/x.gif>`),
		"/o.png": pngOf(t, 1200, 630, red),
		"/x.gif": {contentType: "image/gif", body: "GIF89a\x10\x00\x08\x00" + strings.Repeat("x", 1<<20)},
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{ShareImages: true}).ShareImages
	if len(got) != 2 {
		t.Fatalf("got %+v, want two", got)
	}
	if v := got[0].Value; !got[0].Got() || v.URL != s.at(t, "/o.png") || v.Final != v.URL ||
		v.Facts.Format != picture.PNG ||
		v.Facts.Width != 1200 || v.Facts.Height != 630 || v.Status != 200 || v.ContentType != "image/png" || v.Size == 0 ||
		v.Truncated {
		t.Errorf("got %+v, want og:image as it is", got[0])
	}
	if v := got[1].Value; v.URL != s.at(t, "/x.gif") || v.Size >= 1<<20 || !v.Truncated || v.Facts.Width != 16 {
		t.Errorf("got %+v, want the header of twitter:image read, and no more", got[1])
	}
}

func TestScrape_missingParts_sayWhy(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=manifest href=/m.json><link rel=icon sizes=192x192 href=http://127.0.0.2/i.png>
			<link rel=stylesheet href=/none.css><meta property=og:image content=/text.png>`),
		"/m.json":   {contentType: "application/json", body: "no JSON"},
		"/text.png": {contentType: "image/png", body: "no picture"},
		"/none":     pageOf("<title>none</title>"),
	})
	all := scrape.Need{Icon: icon, Colors: true, Stylesheet: true, ShareImages: true}
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), all)
	if got.Manifest.State != scrape.Failed || got.Manifest.Err == nil {
		t.Errorf("manifest: got %v, %v, want it failed", got.Manifest.State, got.Manifest.Err)
	}
	if got.Icon.State != scrape.Refused || !errors.Is(got.Icon.Err, fetch.ErrRefused) {
		t.Errorf("icon: got %v, %v, want it refused", got.Icon.State, got.Icon.Err)
	}
	if got.Stylesheet.State != scrape.Failed || !errors.Is(got.Stylesheet.Err, fetch.ErrUpstream) {
		t.Errorf("style sheet: got %v, %v, want it failed", got.Stylesheet.State, got.Stylesheet.Err)
	}
	if got.Colors.State != scrape.Absent {
		t.Errorf("colors: got %v, want none", got.Colors)
	}
	var unusable *scrape.PictureError
	if i := got.ShareImages[0]; i.State != scrape.Failed || !errors.As(i.Err, &unusable) || i.Value.Size != 10 ||
		i.Value.Status != 200 {
		t.Errorf("share image: got %+v, want it failed with its size", i)
	}
	got = s.scraper.Scrape(t.Context(), s.at(t, "/none"), all)
	if got.Manifest.State != scrape.Absent || got.Stylesheet.State != scrape.Absent || len(got.ShareImages) != 0 {
		t.Errorf("got %v, %v, %v, want nothing there", got.Manifest.State, got.Stylesheet.State, got.ShareImages)
	}
	if got.Icon.State != scrape.Failed { // /favicon.ico is looked for
		t.Errorf("icon: got %v, want it failed", got.Icon.State)
	}
}

func TestScrape_noPage_saysWhy(t *testing.T) {
	s := serve(t, map[string]response{
		"/gone":     {contentType: "text/html", body: "<title>Gone</title>", status: 410},
		"/file":     {contentType: "application/pdf", body: "%PDF"},
		"/gonefile": {contentType: "application/pdf", body: "%PDF", status: 410},
		"/picture":  pngOf(t, 10, 10, red),
	})
	for _, c := range []struct {
		path      string
		anyStatus bool
		want      string // of the error, or of the title
		got       bool
	}{
		{"/gone", false, "answered with status 410 Gone.", false},
		{"/gone", true, "Gone", true},
		{"/file", false, "it answers with application/pdf.", false},
		{"/gonefile", true, "answered with status 410 Gone.", false},
		{"/picture", false, "picture", true},
	} {
		got := s.scraper.Scrape(t.Context(), s.at(t, c.path), scrape.Need{AnyStatus: c.anyStatus}).Page
		if got.Got() != c.got {
			t.Errorf("%s: got %v, %v", c.path, got.State, got.Err)
			continue
		}
		if c.got {
			if got.Value.Texts.Title != c.want {
				t.Errorf("%s: got the title %q, want %q", c.path, got.Value.Texts.Title, c.want)
			}
			continue
		}
		var fault *apperr.Error
		if !errors.As(got.Err, &fault) || fault.Code != apperr.UpstreamFailed || !strings.HasSuffix(fault.Detail, c.want) {
			t.Errorf("%s: got %v, want %q", c.path, got.Err, c.want)
		}
	}
	refused := s.scraper.Scrape(t.Context(), weburl.URL{}, scrape.Need{}).Page
	if refused.State != scrape.Refused {
		t.Errorf("an address that was forgotten: got %v, %v, want it refused", refused.State, refused.Err)
	}
}

func TestScrape_essentialPartMissing_endsTheRest(t *testing.T) {
	s := serve(t, map[string]response{"/slow": {hold: true}})
	for name, c := range map[string]struct {
		page string
		need scrape.Need
		want string
	}{
		"page": {"/gone", scrape.Need{PageEssential: true,
			Pictures: []scrape.PictureNeed{{URL: s.at(t, "/slow"), Width: 9, Height: 9}}}, "page"},
		"picture": {"/slow", scrape.Need{
			PageEssential: true, Pictures: []scrape.PictureNeed{{URL: s.at(t, "/gone"), Width: 9, Height: 9, Essential: true}},
		}, "picture"},
	} {
		began := time.Now()
		got := s.scraper.Scrape(t.Context(), s.at(t, c.page), c.need)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		part := got.Page.Err
		if c.want == "picture" {
			part = got.Pictures[0].Err
		}
		if got.Fault == nil || !errors.Is(part, got.Fault) || !errors.Is(got.Fault, fetch.ErrUpstream) {
			t.Errorf("%s: got the fault %v, want that of the %s, %v", name, got.Fault, c.want, part)
		}
	}
}

func TestScrape_inessentialPage_leavesTheCallersIcon(t *testing.T) {
	s := serve(t, map[string]response{"/own.png": pngOf(t, 64, 64, red)})
	own := icon
	own.First = s.at(t, "/own.png")
	got := s.scraper.Scrape(t.Context(), s.at(t, "/gone"), scrape.Need{Icon: own, Colors: true, ShareImages: true})
	if got.Page.State != scrape.Failed || got.Fault != nil || !got.Icon.Got() || len(got.Colors.Value) != 1 {
		t.Errorf("got %+v, want no page, an icon and its color", got)
	}
}

func TestScrape_noPage_leavesWhatTheCallerNames(t *testing.T) {
	s := serve(t, map[string]response{"/": pageOf(`<title>x`), "/own.png": pngOf(t, 64, 64, red)})
	own := icon
	own.First = s.at(t, "/own.png")
	need := scrape.Need{
		NoPage: true, PageEssential: true, Icon: own, Colors: true, ShareImages: true,
		Pictures: []scrape.PictureNeed{{URL: s.at(t, "/own.png"), Width: 10, Height: 10}},
	}
	got := s.scraper.Scrape(t.Context(), weburl.URL{}, need)
	if asked := s.requests(); asked != "/own.png /own.png" || got.Page.State != scrape.NotAsked || got.Fault != nil {
		t.Errorf("asked for %q, got the page %v and %v, want the caller's pictures alone", asked, got.Page.State, got.Fault)
	}
	if !got.Icon.Got() || !got.Pictures[0].Got() || len(got.Colors.Value) != 1 {
		t.Errorf("got %+v, want both pictures and the icon's color", got)
	}
}

// TestScrape_filesAtHand_areNotFetched brings the icon and a picture along.
func TestScrape_filesAtHand_areNotFetched(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=icon sizes=192x192 href=/icon.png>`), "/icon.png": pngOf(t, 192, 192, red),
	})
	own := icon
	own.Data = []byte(pngOf(t, 48, 48, red).body)
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icon: own, Colors: true, Pictures: []scrape.PictureNeed{
		{Data: []byte(pngOf(t, 80, 40, red).body), Width: 100, Height: 100},
		{Data: []byte("text"), Width: 100, Height: 100},
	}})
	if asked := s.requests(); strings.Contains(asked, "icon") || !got.Icon.Got() || got.Icon.Value.Facts.Width != 48 {
		t.Errorf("asked for %s and got %+v, want the icon at hand", asked, got.Icon)
	}
	if !got.Pictures[0].Got() || got.Pictures[0].Value.Facts.Width != 80 || got.Pictures[1].State != scrape.Failed {
		t.Errorf("got %+v, want the picture at hand and a fault", got.Pictures)
	}
}

func TestScrape_stylesheet_isReadOnlyWhereNoColorIsNamed(t *testing.T) {
	css := response{contentType: "text/css", body: ":root{--brand:#0a7}" + strings.Repeat(" ", 1<<20) +
		":root{--accent:#f0f}"}
	for name, c := range map[string]struct {
		head  string
		state scrape.State
	}{
		"nothing named":       {"", scrape.Got},
		"grey named":          {`<meta name=theme-color content=#fff>`, scrape.Got},
		"theme color":         {`<meta name=theme-color content=#06c>`, scrape.NotAsked},
		"style element":       {`<style>:root{--primary:#06c}</style>`, scrape.NotAsked},
		"invalid theme color": {`<meta name=theme-color content="var(--x)">`, scrape.Got},
	} {
		s := serve(t, map[string]response{"/": pageOf(c.head + "<link rel=stylesheet href=/s.css>"), "/s.css": css})
		got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Colors: true, Stylesheet: true})
		if got.Stylesheet.State != c.state {
			t.Errorf("%s: got %v, %v, want %v", name, got.Stylesheet.State, got.Stylesheet.Err, c.state)
		}
		if c.state == scrape.Got && len(got.Stylesheet.Value.Properties) != 1 {
			t.Errorf("%s: got %+v, want what stands at its beginning", name, got.Stylesheet.Value)
		}
		if without := s.scraper.Scrape(t.Context(), s.at(t, "/"),
			scrape.Need{Colors: true}); without.Stylesheet.State != scrape.NotAsked {
			t.Errorf("%s: got %v, want it not asked", name, without.Stylesheet.State)
		}
	}
}

func TestScrape_manyIcons_triesFive(t *testing.T) {
	var head strings.Builder
	for i := range 40 {
		fmt.Fprintf(&head, "<link rel=icon sizes=%dx%d href=/%d.png>", 200+i, 200+i, i)
	}
	s := serve(t, map[string]response{"/": pageOf(head.String())})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icon: icon})
	if want := "/ /0.png /1.png /2.png /3.png /4.png"; s.requests() != want || got.Icon.State != scrape.Failed {
		t.Errorf("got requests for %s and %v, want %s", s.requests(), got.Icon.State, want)
	}
}

// TestScrape_SVGIcon_isTriedFirst has two that cannot be drawn, since there is no engine, and one that is none.
func TestScrape_SVGIcon_isTriedFirst(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=icon sizes=192x192 href=/192.png><link rel=icon href=/a.svg?v=1><link rel=mask-icon href=/no.svg>` +
			`<link rel=icon type=image/svg+xml href=/typed>`),
		"/a.svg":   {contentType: "image/svg+xml", body: `<svg xmlns="http://www.w3.org/2000/svg"/>`},
		"/typed":   {contentType: "image/svg+xml", body: `<svg xmlns="http://www.w3.org/2000/svg"/>`},
		"/192.png": pngOf(t, 192, 192, red),
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icon: icon})
	if want := "/ /192.png /a.svg /typed"; s.requests() != want || got.Icon.Value.URL != s.at(t, "/192.png") {
		t.Errorf("got requests for %s and %+v, want %s", s.requests(), got.Icon, want)
	}
}

func TestScrape_smallIcon_isPassedOver(t *testing.T) {
	s := serve(t, map[string]response{
		"/":         pageOf(`<link rel=icon sizes=192x192 href=/lies.png><link rel=icon sizes=48x48 href=/48.png>`),
		"/lies.png": pngOf(t, 16, 16, red), "/48.png": pngOf(t, 48, 48, red),
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Icon: icon})
	if !got.Icon.Got() || got.Icon.Value.URL != s.at(t, "/48.png") {
		t.Errorf("got %+v, want the icon of 48 pixels", got.Icon)
	}
}

func TestCandidates_themeColors_followTheMode(t *testing.T) {
	s := serve(t, map[string]response{"/": pageOf(`<meta name=theme-color content=#111 media="(prefers-color-scheme: dark)">
		<meta name=theme-color content=#eee media="(prefers-color-scheme:light)"><meta name=theme-color content=#06c>
		<meta name=theme-color content=#c60 media=print>`)})
	colors := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Colors: true}).Colors.Value
	for dark, want := range map[bool][]palette.Source{
		true:  {palette.ThemeColor, palette.ThemeColorOther, palette.ThemeColor, palette.ThemeColorOther},
		false: {palette.ThemeColorOther, palette.ThemeColor, palette.ThemeColor, palette.ThemeColorOther},
	} {
		var got []palette.Source
		for _, c := range scrape.Candidates(colors, dark) {
			got = append(got, c.Source)
		}
		if !slices.Equal(got, want) {
			t.Errorf("dark %v: got %v, want %v", dark, got, want)
		}
	}
}
