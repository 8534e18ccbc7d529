package fetch_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"masthead/pkg/fetch"
)

// TestGetUntil_beginningIsEnough_readsNoFurther asks for bodies of some lengths until a number of bytes is there.
func TestGetUntil_beginningIsEnough_readsNoFurther(t *testing.T) {
	var requests atomic.Int32
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		length, _ := strconv.Atoi(r.URL.Query().Get("length"))
		if r.URL.Path == "/sized" {
			w.Header().Set("Content-Length", strconv.Itoa(length))
		} else {
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(bytes.Repeat([]byte("a"), length)) // the client may have left
	})
	const never, kib, mib = 1 << 30, 1 << 10, 1 << 20
	for _, c := range []struct {
		name             string
		resource         fetch.Resource
		path             string
		length, enough   int
		looks            []int
		body, size       int
		truncated, sized bool
	}{
		{"at once", fetch.ShownImage, "/sized", 2 * mib, 1, []int{16 * kib}, 16 * kib, 2 * mib, true, true},
		{"at once, of unknown length", fetch.ShownImage, "/", 2 * mib, 1, []int{16 * kib}, 16 * kib, 16 * kib, true, false},
		{"later", fetch.ShownImage, "/sized", 2 * mib, 17 * kib, []int{16 * kib, 64 * kib}, 64 * kib, 2 * mib, true, true},
		{"never", fetch.ShownImage, "/", 2 * mib, never, []int{16 * kib, 64 * kib, 256 * kib}, 2 * mib, 2 * mib, false,
			false},
		{"shorter than a look", fetch.ShownImage, "/", kib, 1, nil, kib, kib, false, false},
		{"just as long as a look", fetch.ShownImage, "/sized", 16 * kib, 1, nil, 16 * kib, 16 * kib, false, false},
		{"too large to be kept", fetch.ShownImage, "/sized", 6 * mib, never, []int{16 * kib, 64 * kib, 256 * kib}, 256 * kib,
			6 * mib, true, true},
		{"an icon", fetch.Icon, "/sized", mib / 2, 1, []int{16 * kib}, 16 * kib, mib / 2, true, true},
		{"only measured", fetch.AuditImage, "/sized", mib, never, []int{16 * kib, 64 * kib, 256 * kib}, 256 * kib, mib, true,
			true},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := requests.Load()
			job, cancel := client(t, fetch.Config{}, addr).NewJob(t.Context())
			defer cancel()
			var looks []int
			got, err := job.GetUntil(t.Context(), mustURL(t, fmt.Sprintf("http://%s%s?length=%d", addr, c.path, c.length)),
				c.resource, func(beginning []byte) bool {
					if !slices.Contains(looks, len(beginning)) {
						looks = append(looks, len(beginning))
					}
					return len(beginning) >= c.enough
				})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Body) != c.body || got.Size != int64(c.size) || got.Truncated != c.truncated || got.Sized != c.sized ||
				!slices.Equal(looks, c.looks) {
				t.Errorf("got %d bytes of %d, truncated %t, sized %t, looks %v; want %d of %d, %t, %t, %v", len(got.Body),
					got.Size, got.Truncated, got.Sized, looks, c.body, c.size, c.truncated, c.sized, c.looks)
			}
			if n := requests.Load() - before; n != 1 {
				t.Errorf("got %d requests, want 1", n)
			}
		})
	}
}

// TestGetUntil_keptBeginning_isNoWholeForAnother keeps what a run reads: a beginning that was enough for one page is
// taken for another where it is enough there too, and read whole where it is not.
func TestGetUntil_keptBeginning_isNoWholeForAnother(t *testing.T) {
	var requests atomic.Int32
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write(make([]byte, 100<<10)) // the client may have left
	})
	c := client(t, fetch.Config{Kept: fetch.NewKept()}, addr)
	for i, want := range []struct {
		enough   bool
		body     int
		requests int32
	}{{true, 16 << 10, 1}, {true, 16 << 10, 1}, {false, 100 << 10, 2}} {
		job, cancel := c.NewJob(t.Context())
		defer cancel()
		got, err := job.GetUntil(t.Context(), mustURL(t, "http://"+addr+"/a.png"), fetch.ShownImage,
			func([]byte) bool { return want.enough })
		if err != nil || len(got.Body) != want.body || requests.Load() != want.requests {
			t.Errorf("%d: got %v and %d requests, want %d bytes and %d", i, err, requests.Load(), want.body, want.requests)
		}
	}
}
