package web_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/page"
	"masthead/pkg/web/webtest"
)

// TestLanding_headSaysAll reads the page as others read it who show a preview.
func TestLanding_headSaysAll(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	address, err := url.Parse(h.Base + "/")
	if err != nil {
		t.Fatal(err)
	}
	p := page.Parse(h.Get("/").Want(http.StatusOK).Body, "text/html; charset=utf-8", address)
	for _, key := range []string{
		"description", "og:title", "og:description", "og:site_name", "og:type", "og:locale", "og:image",
		"og:image:type",
		"og:image:width", "og:image:height", "og:image:alt", "twitter:title", "twitter:description", "twitter:image",
		"twitter:image:alt", "theme-color",
	} {
		if p.Meta.Get(key) == "" {
			t.Errorf("the head says nothing of %s", key)
		}
	}
	if got := p.Meta.Get("twitter:card"); got != "summary_large_image" {
		t.Errorf("twitter:card: got %q, want summary_large_image", got)
	}
	if len(p.Canonicals) != 1 || p.Canonicals[0].Href != h.Base+"/" || p.Meta.Get("og:url") != h.Base+"/" {
		t.Errorf("got canonical %v and og:url %q, want %s/", p.Canonicals, p.Meta.Get("og:url"), h.Base)
	}
	card := h.Get(strings.TrimPrefix(p.Metadata.Image, h.Base)).Want(http.StatusOK)
	drawn, err := png.DecodeConfig(bytes.NewReader(card.Body))
	if err != nil {
		t.Fatalf("the card at %s: %v", p.Metadata.Image, err)
	}
	said := p.Meta.Get("og:image:width") + "x" + p.Meta.Get("og:image:height") + " " + p.Meta.Get("og:image:type")
	if got := fmt.Sprintf("%dx%d %s", drawn.Width, drawn.Height, card.Header.Get("Content-Type")); got != said ||
		said != "1200x630 image/png" {
		t.Errorf("the card is %s, the head says %s", got, said)
	}
	for _, link := range p.Links {
		if !link.Has("icon") && !link.Has("apple-touch-icon") {
			continue
		}
		if icon := h.Get(link.Href); icon.Status != http.StatusOK ||
			!strings.HasPrefix(icon.Header.Get("Content-Type"), "image/") {
			t.Errorf("%s: got %d as %s", link.Href, icon.Status, icon.Header.Get("Content-Type"))
		}
	}
}

// TestLanding_ownCards shows cards of the pages that a visitor read, to nobody else, and takes nothing from a cookie
// that isn't ours.
func TestLanding_ownCards(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	v := webtest.NewVisitor(t, h.Base)
	if before := v.Get("/"); strings.Contains(before.Body, "Drawn from your pages") || v.Cookie("tried") != "" {
		t.Errorf("before the first page: %s", before.Main())
	}
	src := regexp.MustCompile(`<img class="card" src="(/try/[^"]+)"`)
	for n, path := range []string{"/page/one", "/page/two"} {
		at := v.Post("/try", webtest.Fields("url", h.Site.At(path))).Header.Get("Location")
		apptest.WaitFor(t, "the page", func() bool { return strings.Contains(v.Get(at).Body, "Every design") })
		page := v.Get("/")
		found := src.FindAllStringSubmatch(page.Body, -1)
		if len(found) != 4 || !strings.Contains(found[0][1], at) || strings.Count(page.Body, `href="/try/`) != 4 ||
			page.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("after %d pages: %v, %v: %s", n+1, found, page.Header, page.Main())
		}
		for _, card := range found {
			if got := v.Get(strings.ReplaceAll(card[1], "&amp;", "&")); got.Status != http.StatusOK {
				t.Errorf("%s: %d", card[1], got.Status)
			}
		}
	}
	for _, cookie := range []string{
		"x", strings.Repeat(".", 3000), strings.Repeat("0", 22), "<script>",
		strings.Repeat("0123456789012345678901.", 9),
	} {
		other := webtest.NewVisitor(t, h.Base)
		other.SetCookie("tried", cookie)
		if page := other.Get("/"); page.Status != http.StatusOK || strings.Contains(page.Body, "Drawn from your pages") {
			t.Errorf("the cookie %.40q: %d %s", cookie, page.Status, page.Main())
		}
	}
}

func TestOwnFiles_areServedAndKept(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for path, contentType := range map[string]string{
		"/favicon.ico": "image/x-icon", "/apple-touch-icon.png": "image/png", "/icon-512.png": "image/png",
		"/card.png": "image/png", "/robots.txt": "text/plain; charset=utf-8",
	} {
		got := h.Get(path).Want(http.StatusOK)
		if got.Header.Get("Content-Type") != contentType || got.Header.Get("Cache-Control") != "public, max-age=86400" {
			t.Errorf("%s: got %v", path, got.Header)
		}
		h.Get(path, apptest.Header("If-None-Match", got.Header.Get("ETag"))).Want(http.StatusNotModified)
	}
	for path, side := range map[string]int{"/apple-touch-icon.png": 180, "/icon-512.png": 512} {
		icon, err := png.DecodeConfig(bytes.NewReader(h.Get(path).Body))
		if err != nil || icon.Width != side || icon.Height != side {
			t.Errorf("%s: got %dx%d, %v, want %d", path, icon.Width, icon.Height, err, side)
		}
	}
	// Whoever shows previews asks before it fetches a picture.
	if robots := string(h.Get("/robots.txt").Body); !strings.Contains(robots, "User-agent: *") ||
		strings.Contains(robots, "Disallow: /") {
		t.Errorf("got %q, want everybody to be let in", robots)
	}
}

// TestFavicon_holdsASizeForEachUse reads the directory of the file as browsers do.
func TestFavicon_holdsASizeForEachUse(t *testing.T) {
	t.Parallel()
	data := apptest.Start(t).Get("/favicon.ico").Want(http.StatusOK).Body
	le := binary.LittleEndian
	if le.Uint16(data[2:]) != 1 || le.Uint16(data[4:]) != 3 {
		t.Fatalf("got type %d with %d entries, want an icon with 3", le.Uint16(data[2:]), le.Uint16(data[4:]))
	}
	end := 6 + 3*16
	for i, want := range []int{16, 32, 48} {
		entry := data[6+16*i:]
		size, offset := int(le.Uint32(entry[8:])), int(le.Uint32(entry[12:]))
		if offset != end {
			t.Errorf("entry %d: begins at %d, want %d", i, offset, end)
		}
		end = offset + size
		icon, err := png.Decode(bytes.NewReader(data[offset:end]))
		if err != nil || int(entry[0]) != want || icon.Bounds().Dx() != want || icon.Bounds().Dy() != want {
			t.Errorf("entry %d: got %d for %v, %v, want %d", i, entry[0], icon.Bounds(), err, want)
		}
	}
	if end != len(data) {
		t.Errorf("%d bytes follow the last entry", len(data)-end)
	}
}
