package images_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/apptest"
)

// Rule: AI fallback for quota, provider or plan carries max-age=300; the address of an image is one of the endpoint's
// too.
func TestOG_imageThatFellBackIsCachedForMinutes(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		provider.Fail(fakeai.Broken, 1)
		fell := wantAI(t, h.Generate("/page/later", withTrue), "provider")
		address := "/og/" + fell.Text("publicId")
		var tag string
		for range 3 { // from the database, and then as it is at hand
			tag = wantCache(t, h.Get(address), forMinutes).Header.Get("ETag")
		}
		kept := h.Get(address, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
		if got := kept.Header.Get("Cache-Control"); got != forMinutes {
			t.Errorf("304: got Cache-Control %q, want %q", got, forMinutes)
		}
		older(t, h, 6*time.Minute)
		wantAI(t, h.Generate("/page/later", withTrue), "")
		for range 3 {
			wantCache(t, h.Get(address), forever)
		}
		provider.Fail(fakeai.Policy, 1)
		wantCache(t, h.Get("/og/"+wantAI(t, h.Generate("/page/never", withTrue), "policy").Text("publicId")), forever)
		wantCache(t, h.Get(fell.Path("imageUrl")), forever) // the bytes at an address of /cdn never change
	})
}

// Rule: when the page cannot be fetched, the last image under the key is served, for minutes.
func TestOG_imageThatCannotBecomeBetterStays(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		provider.Fail(fakeai.Broken, 1)
		first := wantCache(t, s.og(s.Site.At("/page/one"), "ai=true"), forMinutes)
		older(t, s.Service, 6*time.Minute)
		s.Site.Close()
		again := wantCache(t, s.og(s.Site.At("/page/one"), "ai=true"), forMinutes)
		if !bytes.Equal(again.Body, first.Body) || again.Header.Get("X-Masthead-Fallback") != "upstream" {
			t.Errorf("got another picture, or the headers %v", again.Header)
		}
	})
}

// Rule: 409 when the image exists, whatever it would be replaced by.
func TestGenerate_createOnlyReplacesNoFallback(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		provider.Fail(fakeai.Broken, 1)
		fell := wantAI(t, h.Generate("/page/only", withTrue), "provider")
		older(t, h, 6*time.Minute)
		conflict := h.Generate("/page/only", withTrue, apptest.Header("If-None-Match", "*")).
			WantProblem(http.StatusConflict, "CONFLICT")
		if got := conflict.Text("detail"); !strings.Contains(got, fell.Text("id")) {
			t.Errorf("got %q, want the id %s", got, fell.Text("id"))
		}
		if n, _ := provider.Asked(); n != 1 {
			t.Errorf("the provider was asked %d times, want once", n)
		}
		wantAI(t, h.Generate("/page/only", withTrue), "")
	})
}
