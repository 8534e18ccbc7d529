package moduletest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/users"
	"masthead/pkg/webhooks"
)

// BenchmarkSend delivers 100 events to each of 100 endpoints, five of which never answer, and reports how many a second
// the others got, until the last one had all, and the heap at the end.
func BenchmarkSend(b *testing.B) {
	dbtest.Bench(b, func(b *testing.B, d *db.DB) {
		n := newNode(b, d)
		const endpoints, dead, each = 100, 5, 100
		var arrived atomic.Int64
		release := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/dead" {
				select {
				case <-release:
				case <-r.Context().Done():
				}
				return
			}
			arrived.Add(1)
		}))
		var owners []string
		for i := range endpoints {
			user, err := n.users.Create(b.Context(),
				users.NewUser{Email: fmt.Sprintf("%d@example.com", i), PasswordHash: "-"})
			if err != nil {
				b.Fatal(err)
			}
			path := "/good"
			if i < dead {
				path = "/dead"
			}
			_, _, err = n.hooks.Create(b.Context(), identity.Caller{UserID: user.ID},
				webhooks.New{URL: server.URL + path})
			if err != nil {
				b.Fatal(err)
			}
			owners = append(owners, user.ID)
		}
		began := time.Now()
		for _, owner := range owners {
			err := d.InTx(b.Context(), func(tx *db.Tx) error {
				for i := range each {
					if err := events.ImageCreated.Publish(b.Context(), tx, n.bus, owner, webhooksImage(i)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(time.Since(began).Seconds(), "s-to-publish")
		began = time.Now()
		n.runUntil(b, func() bool { return arrived.Load() == (endpoints-dead)*each })
		took := time.Since(began)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64((endpoints-dead)*each)/took.Seconds(), "events/s")
		b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
		close(release)
		server.Close()
	})
}

// TestSend_deadEndpoints_delayNoOther delivers 20 events to each of 20 endpoints, three of which don't answer until the
// others have everything. Source: docs/webhooks.md.
func TestSend_deadEndpoints_delayNoOther(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		n := newNode(t, d)
		const endpoints, dead, each = 20, 3, 20
		var arrived, held atomic.Int64
		release := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/dead" {
				held.Add(1)
				defer held.Add(-1)
				select {
				case <-release:
				case <-r.Context().Done():
				}
				return
			}
			arrived.Add(1)
		}))
		defer server.Close()
		defer close(release)
		for i := range endpoints {
			user, err := n.users.Create(t.Context(),
				users.NewUser{Email: fmt.Sprintf("%d@example.com", i), PasswordHash: "-"})
			if err != nil {
				t.Fatal(err)
			}
			path := "/good"
			if i < dead {
				path = "/dead"
			}
			_, _, err = n.hooks.Create(t.Context(), identity.Caller{UserID: user.ID},
				webhooks.New{URL: server.URL + path})
			if err != nil {
				t.Fatal(err)
			}
			err = d.InTx(t.Context(), func(tx *db.Tx) error {
				for event := range each {
					if err := events.ImageCreated.Publish(t.Context(), tx, n.bus, user.ID,
						webhooksImage(event)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		most := int64(0)
		n.runUntil(t, func() bool {
			most = max(most, held.Load())
			return arrived.Load() == (endpoints-dead)*each
		})
		if most == 0 || most > dead*4 {
			t.Errorf("%d requests to dead endpoints waited at once, want some, and four each at most", most)
		}
	})
}
