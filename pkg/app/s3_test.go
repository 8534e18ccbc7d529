package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/backup"
	"masthead/pkg/blob"
	"masthead/pkg/blob/s3"
	"masthead/pkg/blob/s3/s3test"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/testenv"
	"masthead/pkg/testenv/cut"
)

// onS3 puts the pictures of a service into a bucket.
func onS3(cfg s3.Config) apptest.Option { return func(c *app.Config) { c.S3 = cfg } }

// withCache gives a node a cache on disk.
func withCache(t *testing.T) apptest.Option {
	dir := t.TempDir()
	return func(c *app.Config) { c.CacheDir, c.CacheMB = dir, 256 }
}

// fleet calls test with two nodes on one Postgres and one bucket, of which the second has a cache on disk.
func fleet(
	t *testing.T, test func(t *testing.T, bucket s3.Config, one, two *apptest.Service), more ...apptest.Option,
) {
	t.Helper()
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		one := apptest.StartSignedIn(t, append(more, apptest.OnDatabase(db.Config{URL: url}), onS3(bucket))...)
		test(t, bucket, one, one.StartNode(withCache(t)))
	})
}

// nameOf returns the name of the file at an address of GET /cdn.
func nameOf(t *testing.T, address string) blob.Name {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return blob.Name{Digest: path.Base(path.Dir(u.Path)), File: path.Base(u.Path)}
}

// TestS3_twoNodesShareABucket has one node draw what the other serves, loses an object, and deletes the image.
func TestS3_twoNodesShareABucket(t *testing.T) {
	t.Parallel()
	fleet(t, func(t *testing.T, bucket s3.Config, one, two *apptest.Service) {
		made := one.Generate("/page/shared", nil).Want(http.StatusOK)
		file, public := made.Path("imageUrl"), made.Path("publicUrl")
		want := one.Get(file).Want(http.StatusOK)
		for _, node := range []*apptest.Service{one, two} {
			for range 3 { // from the bucket, then from memory or the disk
				for _, at := range []string{file, public} {
					got := node.Get(at).Want(http.StatusOK)
					if !bytes.Equal(got.Body, want.Body) || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
						t.Errorf("%s: got %d bytes of %s", at, len(got.Body), got.Header.Get("Content-Type"))
					}
					node.Get(at, apptest.Header("If-None-Match", got.Header.Get("ETag"))).Want(http.StatusNotModified)
				}
			}
			if again := node.Generate("/page/shared", nil).Want(http.StatusOK); again.Value("cached") != true {
				t.Errorf("got %s, want it cached", again.Body)
			}
		}
		// A lost object is made again by the next one who reads it: a third node, which has nothing in memory.
		store, err := s3.Open(bucket, "cdn")
		if err != nil {
			t.Fatal(err)
		}
		n := nameOf(t, made.Text("imageUrl"))
		if err := store.Delete(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		three := one.StartNode()
		if got := three.Get(file).Want(http.StatusOK); !bytes.Equal(got.Body, want.Body) {
			t.Errorf("after its loss: got %d bytes", len(got.Body))
		}
		if _, err := store.Stat(t.Context(), n); err != nil {
			t.Errorf("after its loss: %v", err)
		}
		one.Send(http.MethodDelete, "/images/"+made.Text("id"), nil, apptest.Bearer(one.Session.Access)).
			Want(http.StatusNoContent)
		one.Get(public).Want(http.StatusNotFound)
	})
}

// TestS3_exportIsDownloadedFromAnyNode requests an export of one node, and downloads it from each.
func TestS3_exportIsDownloadedFromAnyNode(t *testing.T) {
	t.Parallel()
	fleet(t, func(t *testing.T, _ s3.Config, one, two *apptest.Service) {
		me := apptest.Bearer(one.Session.Access)
		at := exports + "/" + one.Post(exports, nil, me).Want(http.StatusAccepted).Text("id")
		apptest.WaitFor(t, "the export", func() bool { return two.Get(at, me).Text("state") == "READY" })
		zip := one.Get(at+"/file", me).Want(http.StatusOK).Body
		got := two.Get(at+"/file", me).Want(http.StatusOK).Body
		if !bytes.HasPrefix(got, []byte("PK")) || !bytes.Equal(got, zip) {
			t.Errorf("got %d bytes from one node and %d from the other", len(zip), len(got))
		}
	})
}

// TestS3_manyColdRequestsAreOneDrawing sends identical requests to both nodes, which count them on one Redis.
func TestS3_manyColdRequestsAreOneDrawing(t *testing.T) {
	t.Parallel()
	redis, ok := testenv.Redis(t)
	if !ok {
		return
	}
	fleet(t, func(t *testing.T, _ s3.Config, one, two *apptest.Service) {
		responses := make([]*apptest.Response, testenv.Crowd(500))
		var work sync.WaitGroup
		for i := range responses {
			node := []*apptest.Service{one, two}[i%2]
			work.Go(func() { responses[i] = node.Generate("/page/cold", nil) })
		}
		work.Wait()
		for _, r := range responses {
			if r.Want(http.StatusOK); r.Path("imageUrl") != responses[0].Path("imageUrl") {
				t.Errorf("got %s, want the same image", r.Text("imageUrl"))
			}
		}
		if n := one.Site.Pages.Load(); n != 1 {
			t.Errorf("the page was fetched %d times, want once", n)
		}
		for _, node := range []*apptest.Service{one, two} {
			if err := node.App.Usage.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			apptest.WaitFor(t, "shared limits", func() bool { // on a busy machine, Redis was too slow for a moment
				return node.Get("/readyz").Want(http.StatusOK).Value("limits") == "shared"
			})
		}
		usage := one.Get("/usage", apptest.Bearer(one.Session.Access)).Want(http.StatusOK)
		if drawn := usage.Value("total.drawn"); drawn != 1.0 {
			t.Errorf("%v pictures were drawn, want one", drawn)
		}
	}, func(c *app.Config) { c.Limits.URL = redis })
}

// TestS3_hitAsksForOneObject serves pictures that a node doesn't have in memory: each takes one request to the bucket,
// which reads it, and none that looks whether it is there; and those that are in memory take none.
func TestS3_hitAsksForOneObject(t *testing.T) {
	t.Parallel()
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	var mu sync.Mutex
	asked := map[string]int{} // by method
	bucket.Endpoint = s3test.Between(t, bucket.Endpoint, func(r *http.Request) int {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(r.URL.Path, "/cdn/") {
			asked[r.Method]++
		}
		return 0
	})
	take := func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		defer func() { asked = map[string]int{} }()
		return asked
	}
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		one := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}), onS3(bucket))
		var paths []string
		for i := range 4 {
			made := one.Generate(fmt.Sprint("/page/hit-", i), nil).Want(http.StatusOK)
			if paths = append(paths, made.Path("publicUrl")); i%2 == 1 {
				paths[i] = made.Path("imageUrl")
			}
		}
		two := one.StartNode()
		want := func(what string, reads int) {
			t.Helper()
			if got := take(); got[http.MethodGet] != reads || len(got) > 1 || len(got) == 1 && reads == 0 {
				t.Errorf("%s: the bucket got %v, want %d times GET alone", what, got, reads)
			}
		}
		take()
		for i, what := range []string{"nothing in memory", "asked for once", "in memory", "in memory"} {
			for _, path := range paths {
				two.Get(path).Want(http.StatusOK)
			}
			want(what, []int{len(paths), len(paths), 0, 0}[i])
		}
		two.Generate("/page/hit-0", nil).Want(http.StatusOK)
		want("a kept image", 0)
	})
}

// TestS3_silentStore silences the bucket: what is in memory or on the local disk is served, new pictures are refused,
// and both work again once the bucket does.
func TestS3_silentStore(t *testing.T) {
	t.Parallel()
	t.Run("with a cache on disk", func(t *testing.T) { t.Parallel(); silentStore(t, 1, withCache(t)) })
	t.Run("with memory alone", func(t *testing.T) { t.Parallel(); silentStore(t, 2) })
}

// silentStore asks for a picture so many times before the bucket is silent.
func silentStore(t *testing.T, times int, more ...apptest.Option) {
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	network := cut.New(t, strings.TrimPrefix(bucket.Endpoint, "http://"))
	bucket.Endpoint = "http://" + network.Addr
	h := apptest.StartSignedIn(t, append(more, onS3(bucket))...)
	made := h.Generate("/page/kept", nil).Want(http.StatusOK)
	for range times {
		h.Get(made.Path("publicUrl")).Want(http.StatusOK)
	}
	network.Silence()
	for range 3 {
		h.Get(made.Path("publicUrl")).Want(http.StatusOK)
		h.Get(made.Path("imageUrl")).Want(http.StatusOK)
	}
	h.Generate("/page/refused", nil).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
	network.Pass()
	network.Reset()
	apptest.WaitFor(t, "a new picture", func() bool { return h.Generate("/page/again", nil).Status == http.StatusOK })
}

// TestS3_backup backs up an installation in a bucket and restores it to another one.
func TestS3_backup(t *testing.T) {
	t.Parallel()
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	other, _ := s3test.Bucket(t)
	archive := filepath.Join(t.TempDir(), "archive")
	pictures := map[string][]byte{}
	dir := t.TempDir()
	t.Run("serving", func(t *testing.T) {
		h := apptest.StartSignedIn(t, onS3(bucket), withCache(t), func(c *app.Config) { c.DataDir = dir })
		for _, page := range []string{"/page/one", "/page/two"} {
			at := h.Generate(page, nil).Want(http.StatusOK).Path("imageUrl")
			pictures[at] = h.Get(at).Want(http.StatusOK).Body
		}
		if _, err := h.Config.Backup(t.Context(), archive, "", "1.2.3", nil); err != nil {
			t.Fatal(err)
		}
	})
	target := app.Storage{DataDir: t.TempDir(), S3: other}
	if s, err := target.Restore(t.Context(), archive, "", false, nil); err != nil || s.Files < 2 || s.Lost != 0 {
		t.Fatalf("got %+v, %v", s, err)
	}
	if _, err := target.Restore(t.Context(), archive, "", false, nil); !errors.Is(err, backup.ErrNotEmpty) {
		t.Errorf("a second restore: got %v, want it refused", err)
	}
	if entries, err := os.ReadDir(filepath.Join(target.DataDir, "images")); err == nil && len(entries) > 0 {
		t.Errorf("%d files were restored to the disk", len(entries))
	}
	h := apptest.Start(t, func(c *app.Config) { c.Storage = target })
	for at, want := range pictures {
		if got := h.Get(at).Want(http.StatusOK); !bytes.Equal(got.Body, want) {
			t.Errorf("%s: got %d bytes, want %d", at, len(got.Body), len(want))
		}
	}
}

// TestCopyPictures_movesAnInstallation moves an installation into a bucket and back, and interrupts it in between.
func TestCopyPictures_movesAnInstallation(t *testing.T) {
	t.Parallel()
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	pictures := map[string][]byte{}
	var storage app.Storage
	dir := t.TempDir()
	t.Run("on disk", func(t *testing.T) {
		h := apptest.StartSignedIn(t, func(c *app.Config) { c.DataDir = dir })
		for i := range 12 {
			at := h.Generate(fmt.Sprintf("/page/%d", i), nil).Want(http.StatusOK).Path("imageUrl")
			pictures[at] = h.Get(at).Want(http.StatusOK).Body
		}
		storage = h.Config.Storage
	})
	storage.S3 = bucket
	interrupted, stop := context.WithCancel(t.Context())
	_, err := storage.CopyPictures(interrupted, app.OnDisk, app.InS3, func(_ string, c blob.CopyResult) {
		if c.Files >= 4 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want it interrupted", err)
	}
	var last float64
	copied, err := storage.CopyPictures(t.Context(), app.OnDisk, app.InS3, func(_ string, c blob.CopyResult) {
		last = c.Done
	})
	if err != nil || copied.Files == 0 || copied.Same < 4 || copied.Files+copied.Same < 12 || last != 1 {
		t.Fatalf("got %+v, %v, with %v done", copied, err, last)
	}
	t.Run("in the bucket", func(t *testing.T) {
		h := apptest.Start(t, func(c *app.Config) { c.Storage = storage })
		for at, want := range pictures {
			if got := h.Get(at).Want(http.StatusOK); !bytes.Equal(got.Body, want) {
				t.Errorf("%s: got %d bytes, want %d", at, len(got.Body), len(want))
			}
		}
	})
	back := storage
	back.DataDir = t.TempDir()
	if copied, err := back.CopyPictures(t.Context(), app.InS3, app.OnDisk, func(string, blob.CopyResult) {}); err != nil ||
		copied.Files < 12 || copied.Damaged != 0 {
		t.Errorf("back to a disk: got %+v, %v", copied, err)
	}
	// A folder of another installation is refused.
	other := apptest.Start(t)
	foreign := storage
	foreign.DataDir = other.Config.DataDir
	if _, err := foreign.CopyPictures(t.Context(), app.OnDisk, app.InS3, func(string, blob.CopyResult) {}); err == nil ||
		!strings.Contains(err.Error(), "another installation") {
		t.Errorf("pictures of another installation: got %v", err)
	}
}

// TestConfig_bucket checks a configuration with a bucket: one that can be used, one that isn't there, and wrong keys.
func TestConfig_bucket(t *testing.T) {
	t.Parallel()
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	serving := apptest.Start(t, onS3(bucket)).Config
	for want, change := range map[string]func(*s3.Config){
		"can be used":                    func(*s3.Config) {},
		"MASTHEAD_S3_BUCKET":             func(c *s3.Config) { c.Bucket = "another-bucket" },
		"refuses MASTHEAD_S3_ACCESS_KEY": func(c *s3.Config) { c.SecretKey = "wrong" },
		"MASTHEAD_S3_ENDPOINT":           func(c *s3.Config) { c.Endpoint = "http://127.0.0.1:1" },
	} {
		cfg := serving
		change(&cfg.S3)
		cfg.Server.BaseURL = "http://localhost:8080"
		for _, c := range cfg.Check(t.Context(), time.Time{}) {
			if c.Part == "pictures" && (!strings.Contains(c.Says, want) || (c.State == app.Passed) != (want == "can be used")) {
				t.Errorf("got %s, %s, want %s", c.State, c.Says, want)
			}
		}
		if want == "can be used" {
			continue
		}
		if _, err := app.Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("open: got %v, want %s", err, want)
		}
	}
}

// TestScale_headersForTheCDN compares the headers that docs/scale.md tells a CDN to add with those of GET /cdn.
func TestScale_headersForTheCDN(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	h := apptest.StartSignedIn(t)
	got := h.Get(h.Generate("/page/cdn", nil).Want(http.StatusOK).Path("imageUrl")).Want(http.StatusOK)
	rows := regexp.MustCompile("(?m)^\\| `([A-Z][A-Za-z-]+)` \\| `(.+)` \\|$").FindAllStringSubmatch(string(page), -1)
	for _, row := range rows {
		if value := got.Header.Get(row[1]); value != row[2] {
			t.Errorf("%s: the page says %q, and GET /cdn sends %q", row[1], row[2], value)
		}
	}
	if len(rows) != 3 {
		t.Errorf("the page has %d headers", len(rows))
	}
}
