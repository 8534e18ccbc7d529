package images_test

import (
	"bytes"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/billing"
)

// TestGenerate_escapedTitleIsDecodedOnce has a page about markup: what it says once it was parsed is what the record,
// the alternative text and the tags say, each escaped for its place and no further decoded.
func TestGenerate_escapedTitleIsDecodedOnce(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	got := h.Generate("/page/How%20to%20write%20&amp;amp;%20in%20HTML", nil).Want(http.StatusOK)
	const title = "Page How to write &amp; in HTML"
	if got.Text("source.title") != title || got.Text("alt") != title+" — Testland" {
		t.Errorf("got %q and %q, want %q in both", got.Text("source.title"), got.Text("alt"), title)
	}
	if tag := `content="Page How to write &amp;amp; in HTML — Testland"`; !strings.Contains(got.Text("metaTags"), tag) {
		t.Errorf("metaTags have no %s: %s", tag, got.Text("metaTags"))
	}
}

func TestGenerate_sameRequestIsDrawnOnce(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		first := h.Generate("/page/one", nil).Want(http.StatusOK)
		if first.Value("cached") != false || first.Value("generationMs") == nil || first.Value("ai") != nil ||
			first.Value("assets") != nil {
			t.Errorf("a new image: got %s", first.Body)
		}
		palette := "source.palette."
		if got := first.Text(palette+"accent") + " " + first.Text(palette+"accentSource"); got != "#0F766E theme-color" {
			t.Errorf("accent: got %s, want the page's theme-color", got)
		}
		if got := first.Text("alt"); got != "Page one — Testland" {
			t.Errorf("alt: got %q", got)
		}
		for _, part := range []string{first.Text("publicUrl"), `property="og:image"`, `content="Page one — Testland"`,
			`content="1200"`} {
			if !strings.Contains(first.Text("metaTags"), part) {
				t.Errorf("metaTags have no %s: %s", part, first.Text("metaTags"))
			}
		}
		second := h.Generate("/page/one", map[string]any{
			"kind": "og", "template": "editorial", "style": map[string]any{"dark": true, "font": "inter"},
		}).Want(http.StatusOK)
		if second.Value("cached") != true || second.Value("generationMs") != nil || second.Text("id") != first.Text("id") {
			t.Errorf("the defaults written out: got %s, want the kept image", second.Body)
		}
		if n := h.Site.Pages.Load(); n != 1 {
			t.Errorf("the page was fetched %d times, want once", n)
		}
		picture := h.Get(first.Path("imageUrl")).Want(http.StatusOK)
		img, err := png.Decode(bytes.NewReader(picture.Body))
		if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 {
			t.Errorf("the picture: %v, %v", err, img.Bounds())
		}
		if public := h.Get(first.Path("publicUrl")).Want(http.StatusOK); !bytes.Equal(public.Body, picture.Body) {
			t.Error("publicUrl serves other bytes than imageUrl")
		}
		head := h.Send(http.MethodHead, first.Path("imageUrl"), nil).Want(http.StatusOK)
		if len(head.Body) != 0 || head.Header.Get("ETag") != picture.Header.Get("ETag") {
			t.Errorf("HEAD: got %d bytes and %v", len(head.Body), head.Header)
		}
		wrong := strings.Replace(first.Path("imageUrl"), "og.png", "blog-hero.png", 1)
		if h.Get(wrong).Status != http.StatusNotFound {
			t.Error("another name under the digest is served")
		}
	})
}

func TestGenerate_everyDifferenceIsAnotherImage(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	setPlan(t, h, billing.Pro)
	seen := map[string]string{}
	for name, more := range map[string]map[string]any{
		"defaults": {}, "light": {"style": map[string]any{"dark": false}},
		"accent": {"style": map[string]any{"accent": "#0F766E"}},
		"font":   {"style": map[string]any{"font": "space-grotesk"}}, "hero": {"kind": "blog_hero"},
		"hero 16:10": {"kind": "blog_hero", "style": map[string]any{"aspectRatio": "16:10"}}, "ai": {"ai": true},
		"ai pro": {"ai": map[string]any{"model": "pro"}}, "ai prompt": {"ai": map[string]any{"prompt": "waves"}},
		"content": {"content": map[string]any{"title": "Another title"}},
		"logo":    {"style": map[string]any{"logo": map[string]any{"url": h.Site.At("/icon.png")}}},
		"corner": {"style": map[string]any{"logo": map[string]any{"url": h.Site.At("/icon.png"),
			"position": "bottom-right"}}},
	} {
		got := h.Generate("/page/one", more).Want(http.StatusOK)
		if other := seen[got.Text("id")]; other != "" || got.Value("cached") != false {
			t.Errorf("%s is the image of %s", name, other)
		}
		seen[got.Text("id")] = name
	}
	// What a kind does not use, and two spellings of one value, make no difference.
	for name, more := range map[string]map[string]any{
		"aspect ratio of an og": {"style": map[string]any{"aspectRatio": "16:10"}}, "ai false": {"ai": false},
		"case of the accent": {"style": map[string]any{"accent": "#0f766e"}}, "ai object": {"ai": map[string]any{}},
	} {
		if got := h.Generate("/page/one", more).Want(http.StatusOK); got.Value("cached") != true {
			t.Errorf("%s made another image", name)
		}
	}
	h.Post("/images/generate", map[string]any{"url": strings.Replace(h.Site.At("/page/one#part"), "http", "HTTP", 1),
		"projectId": h.Project},
		apptest.Bearer(h.Key)).Want(http.StatusOK)
	list := h.Get("/images?limit=100&kind=blog_hero", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	if n := len(list.Value("items").([]any)); n != 2 {
		t.Errorf("got %d heroes, want 2", n)
	}
}

func TestListImages_pagesAreTheOwnersNewestFirst(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		var ids []string
		for _, page := range []string{"a", "b", "c"} {
			ids = append([]string{h.Generate("/page/"+page, nil).Want(http.StatusOK).Text("id")}, ids...)
		}
		first := h.Get("/images?limit=2&projectId="+h.Project, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		rest := h.Get("/images?limit=2&cursor="+first.Text("nextCursor"),
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		if first.Text("items.0.id") != ids[0] || first.Text("items.1.id") != ids[1] || rest.Text("items.0.id") != ids[2] ||
			rest.Value("nextCursor") != nil {
			t.Errorf("got %s and %s, want %v in pages of two", first.Body, rest.Body, ids)
		}
		stranger := h.Register()
		other := h.Get("/images", apptest.Bearer(stranger.Access)).Want(http.StatusOK)
		if len(other.Value("items").([]any)) != 0 {
			t.Error("a stranger sees the images")
		}
		h.Get("/images/"+ids[0], apptest.Bearer(stranger.Access)).WantProblem(http.StatusNotFound, "NOT_FOUND")
		h.Send("DELETE", "/images/"+ids[0], nil, apptest.Bearer(stranger.Access)).
			WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

func TestGenerate_forceReplacesInPlace(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		before := h.Generate("/page/one", map[string]any{"content": map[string]any{"title": "Fixed"}}).Want(http.StatusOK)
		same := map[string]any{"content": map[string]any{"title": "Fixed"}, "force": true}
		after := h.Generate("/page/one", same).Want(http.StatusOK)
		if after.Text("id") != before.Text("id") || after.Text("publicId") != before.Text("publicId") ||
			after.Value("cached") != false {
			t.Errorf("got %s, want id and publicId of %s", after.Body, before.Body)
		}
		if after.Text("imageUrl") != before.Text("imageUrl") {
			t.Error("the same picture got another address")
		}
		h.Generate("/page/one", map[string]any{"force": true}, apptest.Header("If-None-Match", "*")).
			WantProblem(http.StatusBadRequest, "BAD_REQUEST")

		kept := h.Generate("/gone", nil)
		kept.WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
		h.Site.Close()
		lost := h.Generate("/page/one", map[string]any{"force": true, "style": map[string]any{"dark": false}})
		lost.WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
		// With a title of its own the drawing goes on without the page: the icon is missing now, so the picture is another
		// one.
		alone := h.Generate("/page/one", same).Want(http.StatusOK)
		if alone.Text("id") != before.Text("id") || alone.Text("imageUrl") == before.Text("imageUrl") ||
			alone.Text("publicUrl") == before.Text("publicUrl") {
			t.Errorf("got %s, want the same image with other addresses", alone.Body)
		}
		h.Get(before.Path("imageUrl")).Want(http.StatusOK) // it stands in pages still, and is swept after an hour
	})
}

func TestGenerate_failedForceLeavesTheOldImage(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	before := h.Generate("/page/one", nil).Want(http.StatusOK)
	h.Site.Close()
	h.Generate("/page/one", map[string]any{"force": true}).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	if after := h.Generate("/page/one", nil).Want(http.StatusOK); after.Value("cached") != true ||
		after.Text("imageUrl") != before.Text("imageUrl") {
		t.Errorf("got %s, want the old image", after.Body)
	}
}

func TestGenerate_createOnlyOfKeptImageIs409(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	only := apptest.Header("If-None-Match", "*")
	made := h.Generate("/page/one", nil, only).Want(http.StatusOK)
	conflict := h.Generate("/page/one", nil, only).WantProblem(http.StatusConflict, "CONFLICT")
	if detail := conflict.Text("detail"); !strings.Contains(detail, made.Text("id")) ||
		!strings.Contains(detail, "force") {
		t.Errorf("got %q, want the id and the advice", detail)
	}
}

func TestGenerate_contentStandsBeforeThePage(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	mine := map[string]any{"title": "Mine", "siteName": "Mine too", "date": "2026-03-12"}
	got := h.Generate("/page/one", map[string]any{"content": mine}).Want(http.StatusOK)
	if got.Text("source.title") != "Mine" || got.Text("source.siteName") != "Mine too" ||
		!strings.Contains(got.Text("source.description"), "called one") {
		t.Errorf("got %s, want the content, and the page for the rest", got.Body)
	}
	// A title of its own makes an address good that cannot be fetched, or may not be.
	for _, address := range []string{"http://127.0.0.1:9/draft", "http://localhost:3000/", "http://intranet/page",
		"http://１２７.1/", h.Site.At("/gone"), h.Site.At("/data.json")} {
		body := map[string]any{"url": address, "projectId": h.Project}
		if alone := h.Post("/images/generate", body, apptest.Bearer(h.Key)); alone.Status == http.StatusOK {
			t.Errorf("%s: got an image without a title", address)
		}
		body["content"] = map[string]any{"title": "Draft"}
		alone := h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
		if alone.Text("source.title") != "Draft" {
			t.Errorf("%s: got %s", address, alone.Body)
		}
	}
	h.Generate("/page/one", map[string]any{"content": map[string]any{"date": "last week"}}).
		WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}

func TestGenerate_accentOfManifestWherePageHasNone(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	got := h.Generate("/app", nil).Want(http.StatusOK)
	accent := got.Text("source.palette.accent") + " " + got.Text("source.palette.accentSource")
	if accent != "#B91C1C manifest" {
		t.Errorf("got %s, want the manifest's", accent)
	}
	gone := map[string]any{"favicon": h.Site.At("/gone")}
	plain := h.Generate("/app", map[string]any{"content": gone}).Want(http.StatusOK)
	if plain.Text("imageUrl") != got.Text("imageUrl") {
		t.Error("an icon that is gone was not replaced by that of the manifest")
	}
}

func TestGenerate_aiFallsBackWhileItIsOff(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	setPlan(t, h, billing.Pro)
	asked := map[string]any{"model": "pro", "prompt": "waves"}
	got := h.Generate("/page/one", map[string]any{"ai": asked}).Want(http.StatusOK)
	if got.Value("ai.enabled") != true || got.Text("ai.model") != "pro" || got.Value("ai.prompt") != nil ||
		got.Value("ai.fellBack") != true || got.Text("ai.fallbackReason") != "off" {
		t.Errorf("got %s", got.Body)
	}
	asked = map[string]any{"prompt": strings.Repeat("x", 501)}
	h.Generate("/page/one", map[string]any{"ai": asked}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}

// TestGenerate_altSaysWhatThePictureSays has a title that ends with the name of its site, which a card leaves off.
func TestGenerate_altSaysWhatThePictureSays(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	title := map[string]any{"title": "How to write &amp; in HTML | Testland", "siteName": "Testland"}
	got := h.Generate("/page/one", map[string]any{"content": title}).Want(http.StatusOK)
	if want := "How to write &amp; in HTML — Testland"; got.Text("alt") != want {
		t.Errorf("got %q, want %q", got.Text("alt"), want)
	}
}
