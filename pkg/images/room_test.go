package images_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestGenerate_fullDiskRefusesNewPicturesAlone fills the disk, and empties it again.
func TestGenerate_fullDiskRefusesNewPicturesAlone(t *testing.T) {
	t.Parallel()
	var free atomic.Uint64
	free.Store(1 << 40)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Blob.Space = func(string) (uint64, uint64, error) { return free.Load(), 1 << 40, nil }
	})
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	if ready := h.Get("/readyz").Want(http.StatusOK); ready.Value("write") != true {
		t.Errorf("readyz: got %s, want write: true", ready.Body)
	}

	free.Store(1 << 30)
	apptest.WaitFor(t, "the disk to be full", func() bool {
		return h.Get("/readyz").Want(http.StatusOK).Value("write") == false
	})
	pages := h.Site.Pages.Load()
	for _, more := range []map[string]any{{"template": "poster"}, {"force": true}} {
		refused := h.Generate("/page/one", more).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		if refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.Text("detail"), "disk") {
			t.Errorf("got Retry-After %q and %q", refused.Header.Get("Retry-After"), refused.Text("detail"))
		}
	}
	if got := h.Site.Pages.Load(); got != pages {
		t.Errorf("the page was read %d times for pictures that are refused", got-pages)
	}
	h.Get("/healthz").Want(http.StatusOK)
	h.Get(image.Path("imageUrl")).Want(http.StatusOK)
	h.Get(image.Path("publicUrl")).Want(http.StatusOK)
	if kept := h.Generate("/page/one", nil).Want(http.StatusOK); kept.Value("cached") != true {
		t.Errorf("got %s, want the kept image", kept.Body)
	}

	free.Store(1 << 40)
	apptest.WaitFor(t, "room again", func() bool { return h.Get("/readyz").Want(http.StatusOK).Value("write") == true })
	h.Generate("/page/one", map[string]any{"force": true}).Want(http.StatusOK)
}
