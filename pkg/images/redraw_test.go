package images_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// onOld runs a test on both databases with the data of a service of the old schema.
func onOld(t *testing.T, test func(t *testing.T, o *oldService), images ...oldImage) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		var own []*oldImage
		for _, i := range images {
			own = append(own, &i)
		}
		test(t, newOld(t, cfg, own...))
	})
}

// hold keeps the pages of the site back until the function returned is called.
func hold(o *oldService) (release func()) {
	held := make(chan struct{})
	o.site.Hold.Store(&held)
	return sync.OnceFunc(func() { close(held) })
}

// record returns the record of an image, by a request that counts as a use.
func record(h *apptest.Service, i *oldImage) *apptest.Response {
	return h.Get("/images/"+i.id, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
}

// wantOutdated fails the test unless the record warns of an outdated picture in words that contain text.
func wantOutdated(t *testing.T, r *apptest.Response, text string) {
	t.Helper()
	if r.Text("warnings.0.code") != "OUTDATED" || !strings.Contains(r.Text("warnings.0.detail"), text) {
		t.Errorf("got the warnings %v, want one that the picture is outdated, with %q", r.Value("warnings"), text)
	}
}

// wantRedrawn waits until the image is redrawn, and returns its record.
func wantRedrawn(t *testing.T, h *apptest.Service, i *oldImage) (fresh *apptest.Response) {
	t.Helper()
	apptest.WaitFor(t, "the redraw of "+i.page, func() bool {
		fresh = record(h, i)
		return fresh.Path("imageUrl") != i.cdn() && h.Get("/og/"+i.publicID).Header.Get("ETag") != i.etag()
	})
	if fresh.Value("warnings.0") != nil || fresh.Text("publicId") != i.publicID {
		t.Errorf("got %s, want the same image without a warning", fresh.Body)
	}
	return fresh
}

// tried waits until so many attempts were made in vain.
func tried(t *testing.T, h *apptest.Service, i *oldImage, attempts int) {
	t.Helper()
	apptest.WaitFor(t, fmt.Sprintf("attempt %d", attempts), func() bool {
		return count(t, h, `SELECT COUNT(*) FROM images WHERE id = ? AND redraw LIKE ? AND redraw LIKE '%"fault"%'`, i.id,
			fmt.Sprintf(`%%"tries":%d,%%`, attempts)) == 1
	})
}

// rested makes the pause after a failed attempt look as if it were over.
func rested(t *testing.T, h *apptest.Service) {
	t.Helper()
	h.App.Images.ForgetUses()
	// Its member is one that nothing reads.
	_, err := h.App.DB.Exec(t.Context(), `UPDATE images SET redraw = REPLACE(redraw, '"after":', '"was":')`)
	if err != nil {
		t.Fatal(err)
	}
}

// later makes the files that were replaced look as if that had been so long ago, and sweeps.
func later(t *testing.T, h *apptest.Service, by time.Duration) {
	t.Helper()
	var err error
	apptest.WaitFor(t, "the files to look older", func() bool {
		_, err = h.App.DB.Exec(t.Context(), `UPDATE files SET keep_until = keep_until - ?`, by.Milliseconds())
		return !db.IsUnavailable(err) // as when the service writes to these rows at the same time: a deadlock
	})
	if err == nil {
		err = h.App.Files.Sweep(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRedraw_oldBytesAreCachedForMinutes serves an outdated picture in every way while its redraw is held back, and the
// new and the old one after it.
func TestRedraw_oldBytesAreCachedForMinutes(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		release := hold(o)
		defer release()
		i := o.images[0]
		h := o.start(t)
		ofImage, versioned := "/og/"+i.publicID, "/og/"+i.publicID+"?v="+i.version()
		for _, address := range []string{i.cdn(), ofImage, versioned, o.ofPage(i)} {
			wantServed(t, h, address, i.etag(), forMinutes, i.file)
		}
		wantOutdated(t, record(h, i), "It is redrawn in the background when it is used.")
		kept := h.Generate(i.page, nil).Want(http.StatusOK)
		wantOutdated(t, kept, "redrawn")
		if kept.Value("cached") != true || kept.Path("imageUrl") != i.cdn() {
			t.Errorf("got %s, want the old image", kept.Body)
		}
		if n := o.site.Pages.Load(); n > 1 {
			t.Errorf("the page was read %d times, want at most once", n)
		}
		release()
		fresh := wantRedrawn(t, h, i)
		got := h.Get(fresh.Path("imageUrl")).Want(http.StatusOK)
		tag := got.Header.Get("ETag")
		for _, address := range []string{fresh.Path("imageUrl"), fresh.Path("publicUrl"), ofImage, versioned, o.ofPage(i)} {
			wantServed(t, h, address, tag, forever, got.Body)
		}
		wantServed(t, h, i.cdn(), i.etag(), forMinutes, i.file)
		if again := h.Generate(i.page, nil).Want(http.StatusOK); again.Value("cached") != true ||
			again.Text("id") != i.id || again.Path("imageUrl") != fresh.Path("imageUrl") {
			t.Errorf("got %s, want the new picture", again.Body)
		}
		if n := o.site.Pages.Load(); n != 1 {
			t.Errorf("the page was read %d times, want once", n)
		}
	}, oldImage{page: "/page/one", jpeg: true})
}

// TestRedraw_eachUseBeginsIt uses outdated pictures in each way there is, once.
func TestRedraw_eachUseBeginsIt(t *testing.T) {
	t.Parallel()
	ways := map[string]func(h *apptest.Service, o *oldService, i *oldImage){
		"cdn":   func(h *apptest.Service, _ *oldService, i *oldImage) { h.Get(i.cdn()) },
		"image": func(h *apptest.Service, _ *oldService, i *oldImage) { h.Get("/og/" + i.publicID) },
		"page":  func(h *apptest.Service, o *oldService, i *oldImage) { h.Get(o.ofPage(i)) },
		"post":  func(h *apptest.Service, _ *oldService, i *oldImage) { h.Generate(i.page, nil) },
		"get":   func(h *apptest.Service, _ *oldService, i *oldImage) { record(h, i) },
		"unchanged": func(h *apptest.Service, _ *oldService, i *oldImage) {
			h.Get(i.cdn(), apptest.Header("If-None-Match", i.etag())).Want(http.StatusNotModified)
		},
	}
	var images []oldImage
	for way := range ways {
		images = append(images, oldImage{page: "/page/" + way, jpeg: true, variant: way == "page"})
	}
	onOld(t, func(t *testing.T, o *oldService) {
		h := o.start(t)
		for _, i := range o.images {
			ways[strings.TrimPrefix(i.page, "/page/")](h, o, i)
			apptest.WaitFor(t, "the redraw of "+i.page, func() bool {
				return count(t, h, `SELECT COUNT(*) FROM images WHERE id = ? AND redraw = 'null'`, i.id) == 1
			})
		}
		if n := o.site.Pages.Load(); n != int64(len(ways)) {
			t.Errorf("%d pages were read, want %d", n, len(ways))
		}
		if n := count(t, h, `SELECT COUNT(*) FROM images WHERE variant`); n != 1 {
			t.Errorf("%d images are those of the public endpoint, want the one that was", n)
		}
	}, images...)
}

// TestRedraw_onceForManyUses uses one picture 50 times at once, on one node and on two.
func TestRedraw_onceForManyUses(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		release := hold(o)
		defer release()
		i := o.images[0]
		nodes := []*apptest.Service{o.start(t)}
		if o.cfg.URL != "" {
			nodes = append(nodes, nodes[0].StartNode())
		}
		addresses := []string{i.cdn(), "/og/" + i.publicID, o.ofPage(i)}
		var uses sync.WaitGroup
		for n := range 50 {
			uses.Go(func() { nodes[n%len(nodes)].Get(addresses[n%len(addresses)]).Want(http.StatusOK) })
		}
		uses.Wait()
		apptest.WaitFor(t, "the redraw to begin", func() bool { return o.site.Pages.Load() > 0 })
		release()
		for _, h := range nodes {
			wantRedrawn(t, h, i)
		}
		// Those that are still queued find nothing to do; the other node learns of the new picture.
		for _, h := range nodes {
			apptest.WaitFor(t, "the new picture", func() bool {
				return h.Get("/og/"+i.publicID).Header.Get("Cache-Control") == forever
			})
			wantCache(t, h.Get(i.cdn()), forMinutes)
		}
		if n := o.site.Pages.Load(); n != 1 {
			t.Errorf("the page was read %d times, want once", n)
		}
	}, oldImage{page: "/page/crowd", jpeg: true})
}

// TestRedraw_oldAddressAnswersForThirtyDays lets the days pass after a redraw, and deletes another image before.
func TestRedraw_oldAddressAnswersForThirtyDays(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		h := o.start(t)
		one, forced, deleted := o.images[0], o.images[1], o.images[2]
		fresh := wantRedrawn(t, h, one)
		h.Generate(forced.page, map[string]any{"force": true}).Want(http.StatusOK)
		wantRedrawn(t, h, deleted)
		h.Send(http.MethodDelete, "/images/"+deleted.id, nil, apptest.Bearer(h.Session.Access)).Want(http.StatusNoContent)
		later(t, h, 30*24*time.Hour-time.Hour)
		apptest.WaitFor(t, "the file of the deleted image to be deleted", func() bool {
			// Its sweep may lose against this test's change of all rows, and then rests for a minute.
			err := h.App.Files.Sweep(t.Context())
			return (err == nil || db.IsUnavailable(err)) && h.Get(deleted.cdn()).Status == http.StatusNotFound
		})
		for _, i := range []*oldImage{one, forced} {
			if got := wantCache(t, h.Get(i.cdn()), forMinutes); !bytes.Equal(got.Body, i.file) {
				t.Errorf("%s: got another picture than the old one", i.page)
			}
		}
		later(t, h, time.Hour)
		for _, i := range []*oldImage{one, forced} {
			apptest.WaitFor(t, "the file of "+i.page+" to be swept", func() bool {
				_, err := os.Stat(o.path(i))
				return errors.Is(err, fs.ErrNotExist)
			})
			apptest.WaitFor(t, i.page+" to be gone", func() bool { return h.Get(i.cdn()).Status == http.StatusNotFound })
			h.Get(i.cdn()).WantProblem(http.StatusNotFound, "NOT_FOUND")
		}
		wantCache(t, h.Get(fresh.Path("imageUrl")), forever)
		wantCache(t, h.Get("/og/"+one.publicID+"?v="+one.version()), forever)
	}, oldImage{page: "/page/one", jpeg: true}, oldImage{page: "/page/forced", jpeg: true},
		oldImage{page: "/page/deleted", jpeg: true})
}

// TestRedraw_sameBytesKeepTheirAddress redraws a picture that the old encoder did not damage.
func TestRedraw_sameBytesKeepTheirAddress(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg))
		photo := map[string]any{"kind": "blog_hero", "template": "mesh"}
		image := h.Generate("/page/one", photo).Want(http.StatusOK)
		address := image.Path("imageUrl")
		if !strings.HasSuffix(address, ".jpg") {
			t.Fatalf("%s is no JPEG; let the test draw another template", address)
		}
		for _, statement := range []string{
			`UPDATE images SET redraw = '{}'`, `UPDATE files SET outdated_of = (SELECT id FROM images)`,
		} {
			if _, err := h.App.DB.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		if err := h.App.Files.Load(t.Context()); err != nil { // as a node does that starts then
			t.Fatal(err)
		}
		wantCache(t, h.Get(address), forMinutes)
		apptest.WaitFor(t, "the redraw", func() bool { return h.Get(address).Header.Get("Cache-Control") == forever })
		if n := h.Site.Pages.Load(); n != 2 {
			t.Errorf("the page was read %d times, want twice", n)
		}
	})
}

// withBackground is the column ai of an image with an AI picture behind its text.
const withBackground = `{"model":"standard","prompt":"A harbour in fog, as it was asked for then","fellBack":false}`

// TestRedraw_backgroundCostsNoUnit generates the AI picture of an image again, whose owner has no unit left.
func TestRedraw_backgroundCostsNoUnit(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		option, provider := withAI(t, fakeai.Config{})
		h := o.start(t, option)
		for n := range 3 {
			wantAI(t, h.Generate(fmt.Sprint("/page/", n), withTrue), "")
		}
		wantAI(t, h.Generate("/page/more", withTrue), "quota")
		asked, _ := provider.Asked()
		made := wantAI(t, wantRedrawn(t, h, o.images[0]), "")
		n, prompt := provider.Asked()
		if n != asked+1 || !strings.HasPrefix(prompt, "A harbour in fog, as it") || made.Text("ai.prompt") != prompt {
			t.Errorf("the provider was asked %d times more, for %q; want once, for the prompt of then", n-asked, prompt)
		}
		wantUnits(t, h, 3)
		wantServed(t, h, made.Path("imageUrl"), h.Get(made.Path("imageUrl")).Header.Get("ETag"), forever,
			h.Get(made.Path("imageUrl")).Body)
		kept := h.Generate("/page/sea", withTrue).Want(http.StatusOK)
		if kept.Value("cached") != true || kept.Text("id") != o.images[0].id {
			t.Errorf("got %s, want the image that was redrawn", kept.Body)
		}
	}, oldImage{page: "/page/sea", jpeg: true, ai: withBackground})
}

// TestRedraw_fallbackStaysOne redraws a card that had to do without its AI picture: it gets none now.
func TestRedraw_fallbackStaysOne(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		option, provider := withAI(t, fakeai.Config{})
		h := o.start(t, option)
		wantAI(t, wantRedrawn(t, h, o.images[0]), "policy")
		if n, _ := provider.Asked(); n != 0 {
			t.Errorf("the provider was asked %d times, want never", n)
		}
	}, oldImage{
		page: "/page/sea", jpeg: true,
		ai: `{"model":"standard","prompt":"What is refused","fellBack":true,"fallbackReason":"policy"}`,
	})
}

// TestRedraw_withoutAProviderTheOldPictureStays starts without a provider, and then with one.
func TestRedraw_withoutAProviderTheOldPictureStays(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		i := o.images[0]
		t.Run("without", func(t *testing.T) {
			h := o.start(t)
			for range 2 {
				wantServed(t, h, i.cdn(), i.etag(), forMinutes, i.file)
				wantServed(t, h, "/og/"+i.publicID, i.etag(), forMinutes, i.file)
				wantOutdated(t, record(h, i), "no AI provider is configured")
				wantOutdated(t, h.Generate(i.page, withTrue).Want(http.StatusOK), "no AI provider is configured")
				wantRedrawn(t, h, o.images[1]) // which was queued after it
				h.App.Images.ForgetUses()
			}
			if n := o.site.Pages.Load(); n != 1 {
				t.Errorf("%d pages were read, want that of the image without AI", n)
			}
		})
		t.Run("with", func(t *testing.T) {
			option, _ := withAI(t, fakeai.Config{})
			wantAI(t, wantRedrawn(t, o.start(t, option), i), "")
		})
	}, oldImage{page: "/page/sea", jpeg: true, ai: withBackground}, oldImage{page: "/page/plain", jpeg: true})
}

// TestRedraw_ceilingOfSpendingHolds has money for one picture, which is spent.
func TestRedraw_ceilingOfSpendingHolds(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		option, provider := withAI(t, fakeai.Config{})
		i := o.images[0]
		t.Run("reached", func(t *testing.T) {
			h := o.start(t, option, func(c *app.Config) { c.AI.Ceiling, c.AI.PriceStandard = 7, 5 })
			wantAI(t, h.Generate("/page/other", withTrue), "")
			record(h, i)
			tried(t, h, i, 1)
			apptest.WaitFor(t, "the record to say so", func() bool {
				return strings.Contains(record(h, i).Text("warnings.0.detail"), "monthly spending ceiling")
			})
			wantServed(t, h, i.cdn(), i.etag(), forMinutes, i.file)
			wantServed(t, h, "/og/"+i.publicID, i.etag(), forMinutes, i.file)
			if n, _ := provider.Asked(); n != 1 {
				t.Errorf("the provider was asked %d times, want once", n)
			}
			rested(t, h)
		})
		t.Run("raised", func(t *testing.T) {
			h := o.start(t, option, func(c *app.Config) { c.AI.Ceiling, c.AI.PriceStandard = 10, 5 })
			wantAI(t, wantRedrawn(t, h, i), "")
			if cents := count(t, h, `SELECT SUM(cents) FROM ai_spending`); cents != 10 {
				t.Errorf("%d cents were spent, want 10", cents)
			}
		})
	}, oldImage{page: "/page/sea", jpeg: true, ai: withBackground})
}

// TestRedraw_failedOneIsTriedLater has a provider that fails, and redraws the picture once the pause is over.
func TestRedraw_failedOneIsTriedLater(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		option, provider := withAI(t, fakeai.Config{})
		h, i := o.start(t, option), o.images[0]
		for attempt := 1; attempt <= 2; attempt++ {
			provider.Fail(fakeai.Broken, 1)
			record(h, i)
			tried(t, h, i, attempt)
			for range 3 { // it is used, and not tried
				h.App.Images.ForgetUses()
				wantCache(t, h.Get("/og/"+i.publicID), forMinutes)
				wantCache(t, h.Get(i.cdn()), forMinutes)
			}
			wantRedrawn(t, h, o.images[attempt]) // which was queued after it
			wantOutdated(t, record(h, i), "another attempt")
			if n, _ := provider.Asked(); n != attempt {
				t.Errorf("after attempt %d: the provider was asked %d times", attempt, n)
			}
			after := int64(count(t, h, `SELECT CAST(SUBSTR(redraw, 10, 13) AS BIGINT) FROM images WHERE id = ?`, i.id))
			want := time.Now().Add([]time.Duration{0, 5 * time.Minute, 20 * time.Minute}[attempt])
			if got := time.UnixMilli(after); got.After(want) || got.Before(want.Add(-time.Minute)) {
				t.Errorf("after attempt %d: the next may be at %v, want about %v", attempt, got, want)
			}
			rested(t, h)
		}
		wantAI(t, wantRedrawn(t, h, i), "")
		wantUnits(t, h, 0)
	}, oldImage{page: "/page/sea", jpeg: true, ai: withBackground}, oldImage{page: "/page/1", jpeg: true},
		oldImage{page: "/page/2", jpeg: true})
}

// TestRedraw_interruptedOneLosesNothing ends the program in the middle of a redraw.
func TestRedraw_interruptedOneLosesNothing(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		i := o.images[0]
		release := hold(o)
		t.Run("interrupted", func(t *testing.T) {
			h := o.start(t)
			record(h, i)
			apptest.WaitFor(t, "the redraw to begin", func() bool { return o.site.Pages.Load() > 0 })
		})
		release()
		h := o.start(t)
		wantServed(t, h, i.cdn(), i.etag(), forMinutes, i.file)
		wantServed(t, h, "/og/"+i.publicID, i.etag(), forMinutes, i.file)
		wantOutdated(t, record(h, i), "An older JPEG encoder")
		if n := o.site.Pages.Load(); n != 1 { // one that ends the program is not repeated at each start
			t.Errorf("the page was read %d times, want once until the pause is over", n)
		}
		if n := count(t, h, `SELECT COUNT(*) FROM images WHERE redraw LIKE '%"tries":1}'`); n != 1 {
			t.Error("the attempt was not noted before it was made")
		}
		rested(t, h)
		wantRedrawn(t, h, i)
	}, oldImage{page: "/page/one", jpeg: true})
}

// TestRedraw_deletedImageStaysDeleted deletes an image while it is redrawn.
func TestRedraw_deletedImageStaysDeleted(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		release := hold(o)
		defer release()
		h, i := o.start(t), o.images[0]
		record(h, i)
		apptest.WaitFor(t, "the redraw to begin", func() bool { return o.site.Pages.Load() > 0 })
		h.Send(http.MethodDelete, "/images/"+i.id, nil, apptest.Bearer(h.Session.Access)).Want(http.StatusNoContent)
		release()
		wantRedrawn(t, h, o.images[1]) // which was queued after it
		if n := count(t, h, `SELECT COUNT(*) FROM images`); n != 1 {
			t.Errorf("there are %d images, want one", n)
		}
	}, oldImage{page: "/page/one", jpeg: true}, oldImage{page: "/page/two", jpeg: true})
}
