package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db/dbtest"
)

// onBoth runs a test on the embedded database and on Postgres.
func onBoth(t *testing.T, test func(t *testing.T, h *harness)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, withAccount(t, nil)) })
	t.Run("postgres", func(t *testing.T) { test(t, withAccount(t, onPostgres(dbtest.PostgresURL(t)))) })
}

func TestGenerateDrawsOnceAndKeeps(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		first := h.generate("/page/one", nil).want(http.StatusOK)
		if first.value("cached") != false || first.value("generationMs") == nil || first.value("ai") != nil || first.value("assets") != nil {
			t.Errorf("a new image: got %s", first.body)
		}
		if got := first.text("source.palette.accent") + " " + first.text("source.palette.accentSource"); got != "#0F766E theme-color" {
			t.Errorf("accent: got %s, want the page's theme-color", got)
		}
		if got := first.text("alt"); got != "Page one — Testland" {
			t.Errorf("alt: got %q", got)
		}
		for _, part := range []string{first.text("publicUrl"), `property="og:image"`, `content="Page one — Testland"`, `content="1200"`} {
			if !strings.Contains(first.text("metaTags"), part) {
				t.Errorf("metaTags have no %s: %s", part, first.text("metaTags"))
			}
		}
		second := h.generate("/page/one", map[string]any{"kind": "og", "template": "editorial", "style": map[string]any{"dark": true, "font": "inter"}}).want(http.StatusOK)
		if second.value("cached") != true || second.value("generationMs") != nil || second.text("id") != first.text("id") {
			t.Errorf("the defaults written out: got %s, want the kept image", second.body)
		}
		if n := h.site.pages.Load(); n != 1 {
			t.Errorf("the page was fetched %d times, want once", n)
		}
		picture := h.get(first.path("imageUrl")).want(http.StatusOK)
		img, err := png.Decode(bytes.NewReader(picture.body))
		if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 {
			t.Errorf("the picture: %v, %v", err, img.Bounds())
		}
		if public := h.get(first.path("publicUrl")).want(http.StatusOK); !bytes.Equal(public.body, picture.body) {
			t.Error("publicUrl serves other bytes than imageUrl")
		}
		head := h.send(http.MethodHead, first.path("imageUrl"), nil).want(http.StatusOK)
		if len(head.body) != 0 || head.header.Get("ETag") != picture.header.Get("ETag") {
			t.Errorf("HEAD: got %d bytes and %v", len(head.body), head.header)
		}
		if wrong := strings.Replace(first.path("imageUrl"), "og.png", "blog-hero.png", 1); h.get(wrong).status != http.StatusNotFound {
			t.Error("another name under the digest is served")
		}
	})
}

func TestEveryDifferenceIsAnotherImage(t *testing.T) {
	h := withAccount(t, nil)
	seen := map[string]string{}
	for name, more := range map[string]map[string]any{
		"defaults": {}, "light": {"style": map[string]any{"dark": false}}, "accent": {"style": map[string]any{"accent": "#0F766E"}},
		"font": {"style": map[string]any{"font": "space-grotesk"}}, "hero": {"kind": "blog_hero"},
		"hero 16:10": {"kind": "blog_hero", "style": map[string]any{"aspectRatio": "16:10"}}, "ai": {"ai": true},
		"ai pro": {"ai": map[string]any{"model": "pro"}}, "ai prompt": {"ai": map[string]any{"prompt": "waves"}},
		"content": {"content": map[string]any{"title": "Another title"}},
		"logo":    {"style": map[string]any{"logo": map[string]any{"url": h.site.url("/icon.png")}}},
		"corner":  {"style": map[string]any{"logo": map[string]any{"url": h.site.url("/icon.png"), "position": "bottom-right"}}},
	} {
		got := h.generate("/page/one", more).want(http.StatusOK)
		if other := seen[got.text("id")]; other != "" || got.value("cached") != false {
			t.Errorf("%s is the image of %s", name, other)
		}
		seen[got.text("id")] = name
	}
	// What a kind does not use, and two spellings of one value, make no difference.
	for name, more := range map[string]map[string]any{
		"aspect ratio of an og": {"style": map[string]any{"aspectRatio": "16:10"}}, "ai false": {"ai": false},
		"case of the accent": {"style": map[string]any{"accent": "#0f766e"}}, "ai object": {"ai": map[string]any{}},
	} {
		if got := h.generate("/page/one", more).want(http.StatusOK); got.value("cached") != true {
			t.Errorf("%s made another image", name)
		}
	}
	h.post("/images/generate", map[string]any{"url": strings.Replace(h.site.url("/page/one#part"), "http", "HTTP", 1), "projectId": h.project},
		bearer(h.key)).want(http.StatusOK)
	list := h.get("/images?limit=100&kind=blog_hero", bearer(h.session.Access)).want(http.StatusOK)
	if n := len(list.value("items").([]any)); n != 2 {
		t.Errorf("got %d heroes, want 2", n)
	}
}

func TestListsArePages(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		var ids []string
		for _, page := range []string{"a", "b", "c"} {
			ids = append([]string{h.generate("/page/"+page, nil).want(http.StatusOK).text("id")}, ids...)
		}
		first := h.get("/images?limit=2&projectId="+h.project, bearer(h.session.Access)).want(http.StatusOK)
		rest := h.get("/images?limit=2&cursor="+first.text("nextCursor"), bearer(h.session.Access)).want(http.StatusOK)
		if first.text("items.0.id") != ids[0] || first.text("items.1.id") != ids[1] || rest.text("items.0.id") != ids[2] || rest.value("nextCursor") != nil {
			t.Errorf("got %s and %s, want %v in pages of two", first.body, rest.body, ids)
		}
		stranger := h.register()
		if other := h.get("/images", bearer(stranger.Access)).want(http.StatusOK); len(other.value("items").([]any)) != 0 {
			t.Error("a stranger sees the images")
		}
		h.get("/images/"+ids[0], bearer(stranger.Access)).fault(http.StatusNotFound, "NOT_FOUND")
		h.send("DELETE", "/images/"+ids[0], nil, bearer(stranger.Access)).fault(http.StatusNotFound, "NOT_FOUND")
	})
}

// TestSixtyFourAtOnce holds the page back until all requests are under way: they fetch it once, draw once, and get one record.
func TestSixtyFourAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		hold := make(chan struct{})
		h.site.hold.Store(&hold)
		answers := make([]*answer, 64)
		var sent atomic.Int64
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = h.generate("/page/crowd", nil, counted(&sent)) })
		}
		waitFor(t, "all requests to be sent", func() bool { return sent.Load() == int64(len(answers)) && h.site.pages.Load() > 0 })
		// The others need a moment to arrive; those that are later than the drawing would get the kept image, which is checked too.
		time.Sleep(300 * time.Millisecond)
		close(hold)
		wg.Wait()
		for _, a := range answers {
			if a.want(http.StatusOK); a.text("id") != answers[0].text("id") || a.value("cached") != false || a.value("generationMs") == nil {
				t.Errorf("got %s, want the record of all, drawn now", a.body)
			}
		}
		if n := h.site.pages.Load(); n != 1 {
			t.Errorf("the page was fetched %d times, want once", n)
		}
	})
}

// TestTwoNodesDrawOnce lets two nodes on one database get the same request at once.
func TestTwoNodesDrawOnce(t *testing.T) {
	url := dbtest.PostgresURL(t)
	one := withAccount(t, onPostgres(url))
	two := start(t, func(s *settings) {
		*s = one.cfg
		s.Server.Addr = "127.0.0.1:0"
	})
	two.site, two.project, two.key, two.session = one.site, one.project, one.key, one.session
	hold := make(chan struct{})
	one.site.hold.Store(&hold)
	answers := make([]*answer, 16)
	var wg sync.WaitGroup
	for i := range answers {
		node := []*harness{one, two}[i%2]
		wg.Go(func() { answers[i] = node.generate("/page/nodes", nil) })
	}
	waitFor(t, "the page to be asked for", func() bool { return one.site.pages.Load() > 0 })
	time.Sleep(300 * time.Millisecond)
	close(hold)
	wg.Wait()
	for _, a := range answers {
		if a.want(http.StatusOK); a.text("id") != answers[0].text("id") || a.value("cached") != false {
			t.Errorf("got %s, want one record for both nodes", a.body)
		}
	}
	if n := one.site.pages.Load(); n != 1 {
		t.Errorf("the page was fetched %d times, want once", n)
	}
}

// TestClosingReturnsLeases closes the service under a drawing whose caller has left: another node must not wait for it.
func TestClosingReturnsLeases(t *testing.T) {
	h := withAccount(t, onPostgres(dbtest.PostgresURL(t)))
	hold := make(chan struct{})
	h.site.hold.Store(&hold)
	t.Cleanup(func() { close(hold) })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		body := strings.NewReader(fmt.Sprintf(`{"url": %q, "projectId": %q}`, h.site.url("/page/held"), h.project))
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base+"/images/generate", body)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+h.key)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			t.Errorf("got %s of a page that is held back", answer.Status)
			_ = answer.Body.Close() // nothing is read of it
		}
	}()
	waitFor(t, "the fetch", func() bool { return h.site.pages.Load() == 1 })
	leave()
	<-left
	h.service.images.Close()
	var leases int
	if err := h.service.db.Get(t.Context(), &leases, `SELECT count(*) FROM leases`); err != nil || leases != 0 {
		t.Errorf("got %d leases, %v, want none", leases, err)
	}
	h.generate("/page/other", nil).fault(http.StatusServiceUnavailable, "UNAVAILABLE")
}

// counted counts a request once it was written whole.
func counted(sent *atomic.Int64) option {
	return func(r *http.Request) {
		trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { sent.Add(1) }}
		*r = *r.WithContext(httptrace.WithClientTrace(r.Context(), trace))
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

func TestForceReplacesInPlace(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		before := h.generate("/page/one", map[string]any{"content": map[string]any{"title": "Fixed"}}).want(http.StatusOK)
		same := map[string]any{"content": map[string]any{"title": "Fixed"}, "force": true}
		after := h.generate("/page/one", same).want(http.StatusOK)
		if after.text("id") != before.text("id") || after.text("publicId") != before.text("publicId") || after.value("cached") != false {
			t.Errorf("got %s, want id and publicId of %s", after.body, before.body)
		}
		if after.text("imageUrl") != before.text("imageUrl") {
			t.Error("the same picture got another address")
		}
		h.generate("/page/one", map[string]any{"force": true}, header("If-None-Match", "*")).fault(http.StatusBadRequest, "BAD_REQUEST")

		kept := h.generate("/gone", nil)
		kept.fault(http.StatusBadGateway, "UPSTREAM_FAILED")
		h.site.Close()
		lost := h.generate("/page/one", map[string]any{"force": true, "style": map[string]any{"dark": false}})
		lost.fault(http.StatusBadGateway, "UPSTREAM_FAILED")
		// With a title of its own the drawing goes on without the page: the icon is missing now, so the picture is another one.
		alone := h.generate("/page/one", same).want(http.StatusOK)
		if alone.text("id") != before.text("id") || alone.text("imageUrl") == before.text("imageUrl") || alone.text("publicUrl") == before.text("publicUrl") {
			t.Errorf("got %s, want the same image with other addresses", alone.body)
		}
		h.get(before.path("imageUrl")).want(http.StatusOK) // it stands in pages still, and is swept after an hour
	})
}

func TestFailedForceLeavesTheOldImage(t *testing.T) {
	h := withAccount(t, nil)
	before := h.generate("/page/one", nil).want(http.StatusOK)
	h.site.Close()
	h.generate("/page/one", map[string]any{"force": true}).fault(http.StatusBadGateway, "UPSTREAM_FAILED")
	if after := h.generate("/page/one", nil).want(http.StatusOK); after.value("cached") != true || after.text("imageUrl") != before.text("imageUrl") {
		t.Errorf("got %s, want the old image", after.body)
	}
}

func TestCreateOnlyConflicts(t *testing.T) {
	h := withAccount(t, nil)
	only := header("If-None-Match", "*")
	made := h.generate("/page/one", nil, only).want(http.StatusOK)
	conflict := h.generate("/page/one", nil, only).fault(http.StatusConflict, "CONFLICT")
	if detail := conflict.text("detail"); !strings.Contains(detail, made.text("id")) || !strings.Contains(detail, "force") {
		t.Errorf("got %q, want the id and the advice", detail)
	}
}

func TestDeletionTakesTheFileToo(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		image := h.generate("/page/one", nil).want(http.StatusOK)
		h.send("DELETE", "/images/"+image.text("id"), nil, bearer(h.session.Access)).want(http.StatusNoContent)
		h.get(image.path("imageUrl")).fault(http.StatusNotFound, "NOT_FOUND")
		h.get(image.path("publicUrl")).fault(http.StatusNotFound, "NOT_FOUND")
		again := h.generate("/page/one", nil).want(http.StatusOK)
		if again.value("cached") != false || again.text("id") == image.text("id") {
			t.Errorf("got %s, want a new image", again.body)
		}
		if again.text("imageUrl") != image.text("imageUrl") {
			t.Error("the same page did not give the same picture")
		}
		h.send("DELETE", "/projects/"+h.project, nil, bearer(h.session.Access)).want(http.StatusNoContent)
		h.get("/images/"+again.text("id"), bearer(h.session.Access)).want(http.StatusNotFound)
		h.get(again.path("imageUrl")).want(http.StatusNotFound)
	})
}

// TestDeletionDoesNotFailByTheFile puts something that cannot be removed where the file was.
func TestDeletionDoesNotFailByTheFile(t *testing.T) {
	h := withAccount(t, nil)
	image := h.generate("/page/one", nil).want(http.StatusOK)
	files, err := filepath.Glob(filepath.Join(h.cfg.DataDir, "images", "*", "*.og.png"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want one file", files, err)
	}
	if err := errors.Join(os.Remove(files[0]), os.MkdirAll(filepath.Join(files[0], "inside"), 0o700)); err != nil {
		t.Fatal(err)
	}
	h.send("DELETE", "/images/"+image.text("id"), nil, bearer(h.session.Access)).want(http.StatusNoContent)
	h.get("/images/"+image.text("id"), bearer(h.session.Access)).want(http.StatusNotFound)
}

// TestReplacedFilesStayForAWhile sweeps right after a forced drawing replaced a picture that is older than an orphan may be.
func TestReplacedFilesStayForAWhile(t *testing.T) {
	h := withAccount(t, nil)
	title := map[string]any{"title": "Fixed"}
	old := h.generate("/page/one", map[string]any{"content": title}).want(http.StatusOK)
	files, err := filepath.Glob(filepath.Join(h.cfg.DataDir, "images", "*", "*.og.png"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want one file", files, err)
	}
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(files[0], long, long); err != nil {
		t.Fatal(err)
	}
	h.site.Close() // without its icon the picture is another one
	fresh := h.generate("/page/one", map[string]any{"content": title, "force": true}).want(http.StatusOK)
	if fresh.text("imageUrl") == old.text("imageUrl") {
		t.Fatal("the page changed and its picture did not")
	}
	if err := h.service.images.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.get(old.path("imageUrl")).want(http.StatusOK)
	h.get(fresh.path("imageUrl")).want(http.StatusOK)
}

func TestAnAccountTakesItsFilesAlong(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		image := h.generate("/page/one", nil).want(http.StatusOK)
		h.send("DELETE", "/users/me", nil, bearer(h.session.Access)).want(http.StatusNoContent)
		h.get(image.path("imageUrl")).want(http.StatusNotFound)
		h.get(image.path("publicUrl")).want(http.StatusNotFound)
		h.get("/users/me", bearer(h.session.Access)).want(http.StatusUnauthorized)
		h.generate("/page/one", nil).want(http.StatusUnauthorized)
	})
}

func TestLostAndDamagedFilesAreDrawnAnew(t *testing.T) {
	h := withAccount(t, nil)
	image := h.generate("/page/one", nil).want(http.StatusOK)
	files, err := filepath.Glob(filepath.Join(h.cfg.DataDir, "images", "*", "*.og.png"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want one file", files, err)
	}
	if err := os.WriteFile(files[0], []byte("\x89PNG damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.get(image.path("imageUrl")).want(http.StatusNotFound)
	again := h.generate("/page/one", nil).want(http.StatusOK)
	if again.value("cached") != false || again.text("id") != image.text("id") {
		t.Errorf("got %s, want the same image drawn anew", again.body)
	}
	h.get(image.path("imageUrl")).want(http.StatusOK)
}

func TestOrphansAreSweptAfterAnHour(t *testing.T) {
	h := withAccount(t, nil)
	image := h.generate("/page/one", nil).want(http.StatusOK)
	kept, err := filepath.Glob(filepath.Join(h.cfg.DataDir, "images", "*", "*.og.png"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("got %v, %v, want one file", kept, err)
	}
	write := func(digit string, age time.Duration) string {
		path := filepath.Join(h.cfg.DataDir, "images", digit+digit, strings.Repeat(digit, 64)+".og.png")
		written := time.Now().Add(-age)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("orphan"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, young := write("1", 2*time.Hour), write("2", time.Minute)
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(kept[0], long, long); err != nil {
		t.Fatal(err)
	}
	if err := h.service.images.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old orphan: got %v, want it gone", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the young orphan: %v", err)
	}
	h.get(image.path("imageUrl")).want(http.StatusOK)
}

func TestContentStandsBeforeThePage(t *testing.T) {
	h := withAccount(t, nil)
	got := h.generate("/page/one", map[string]any{"content": map[string]any{"title": "Mine", "siteName": "Mine too", "date": "2026-03-12"}}).want(http.StatusOK)
	if got.text("source.title") != "Mine" || got.text("source.siteName") != "Mine too" || !strings.Contains(got.text("source.description"), "called one") {
		t.Errorf("got %s, want the content, and the page for the rest", got.body)
	}
	// A title of its own makes an address good that cannot be fetched, or may not be.
	for _, address := range []string{"http://127.0.0.1:9/draft", "http://localhost:3000/", "http://intranet/page", "http://１２７.1/", h.site.url("/gone"), h.site.url("/data.json")} {
		body := map[string]any{"url": address, "projectId": h.project}
		if alone := h.post("/images/generate", body, bearer(h.key)); alone.status == http.StatusOK {
			t.Errorf("%s: got an image without a title", address)
		}
		body["content"] = map[string]any{"title": "Draft"}
		if alone := h.post("/images/generate", body, bearer(h.key)).want(http.StatusOK); alone.text("source.title") != "Draft" {
			t.Errorf("%s: got %s", address, alone.body)
		}
	}
	h.generate("/page/one", map[string]any{"content": map[string]any{"date": "last week"}}).fault(http.StatusBadRequest, "BAD_REQUEST")
}

func TestAccentComesFromTheManifestWhereThePageHasNone(t *testing.T) {
	h := withAccount(t, nil)
	got := h.generate("/app", nil).want(http.StatusOK)
	if accent := got.text("source.palette.accent") + " " + got.text("source.palette.accentSource"); accent != "#B91C1C manifest" {
		t.Errorf("got %s, want the manifest's", accent)
	}
	plain := h.generate("/app", map[string]any{"content": map[string]any{"favicon": h.site.url("/gone")}}).want(http.StatusOK)
	if plain.text("imageUrl") != got.text("imageUrl") {
		t.Error("an icon that is gone was not replaced by that of the manifest")
	}
}

func TestAIFallsBackWhileItIsOff(t *testing.T) {
	h := withAccount(t, nil)
	got := h.generate("/page/one", map[string]any{"ai": map[string]any{"model": "pro", "prompt": "waves"}}).want(http.StatusOK)
	if got.value("ai.enabled") != true || got.text("ai.model") != "pro" || got.value("ai.prompt") != nil || got.value("ai.fellBack") != true || got.text("ai.fallbackReason") != "off" {
		t.Errorf("got %s", got.body)
	}
	h.generate("/page/one", map[string]any{"kind": "icon_set"}).fault(http.StatusBadRequest, "BAD_REQUEST")
	h.generate("/page/one", map[string]any{"ai": map[string]any{"prompt": strings.Repeat("x", 501)}}).fault(http.StatusBadRequest, "BAD_REQUEST")
}
