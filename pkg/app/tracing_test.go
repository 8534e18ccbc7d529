package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/tracing/tracetest"
)

// traced sends traces of everything to a collector.
func traced(to *tracetest.Collector, sample float64) apptest.Option {
	return func(c *app.Config) { c.Tracing.Endpoint, c.Tracing.Sample = to.URL, sample }
}

// TestTraces_followAnImageAndAJob: stages, fetching, the database and the store are below their request; a job that a
// request enqueued is in its trace. Values of strangers are in none.
func TestTraces_followAnImageAndAJob(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		collector := tracetest.Start(t)
		t.Run("service", func(t *testing.T) { // its end sends what is left
			s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), traced(collector, 1))
			s.Generate("/page/one?token=of-a-stranger", nil).Want(http.StatusOK)
			s.Post(exports, nil, apptest.Bearer(s.Session.Access)).Want(http.StatusAccepted)
			waitFor(t, func() bool {
				return slices.ContainsFunc(collector.Spans(), func(span tracetest.Span) bool { return span.Name == "job export" })
			})
			problem := s.Generate("/data.json", nil)
			problem.Want(http.StatusBadGateway)
			if id := problem.Text("traceId"); len(id) != 32 {
				t.Errorf("the problem has the trace %q", id)
			}
		})
		spans := collector.Spans()
		byID := map[string]tracetest.Span{}
		for _, span := range spans {
			byID[span.ID] = span
		}
		above := func(span tracetest.Span, name string) bool {
			for ok := true; ok; span, ok = byID[span.Parent] {
				if span.Name == name {
					return true
				}
			}
			return false
		}
		for _, want := range []struct{ name, above string }{
			{"image draw", "POST /images/generate"}, {"image read", "POST /images/generate"}, {"read page", "image read"},
			{"fetch", "read page"}, {"store put", "image store"}, {"database statement", "image look up"},
			{"database transaction", "POST /images/generate"}, {"job export", "POST /users/me/export"},
			{"database statement", "job export"},
		} {
			if !slices.ContainsFunc(spans, func(s tracetest.Span) bool { return s.Name == want.name && above(s, want.above) }) {
				t.Errorf("there is no %q below %q", want.name, want.above)
			}
		}
		for _, span := range spans {
			for key, value := range span.Attributes {
				for _, never := range []string{"of-a-stranger", apptest.Password, "og_live_", "Bearer"} {
					if strings.Contains(value, never) {
						t.Errorf("%s of %q has %q", key, span.Name, value)
					}
				}
			}
			if span.Name == "GET /healthz" || strings.Contains(span.Name, "?") {
				t.Errorf("there is a span %q", span.Name)
			}
		}
	})
}

// TestTraces_aCollectorThatIsGone_changesNothing also shows that what isn't sampled has no trace.
func TestTraces_aCollectorThatIsGone_changesNothing(t *testing.T) {
	t.Parallel()
	for _, sample := range []float64{0, 1} {
		gone := &tracetest.Collector{URL: "http://127.0.0.1:1"}
		s := apptest.StartSignedIn(t, traced(gone, sample))
		s.Generate("/page/one", nil).Want(http.StatusOK)
		problem := s.Get("/images/"+apptest.Nobody, apptest.Bearer(s.Session.Access))
		problem.Want(http.StatusNotFound)
		if id := problem.Text("traceId"); (id != "") != (sample == 1) {
			t.Errorf("sampled %v: got the trace %q", sample, id)
		}
	}
}

// waitFor waits until a condition holds, for at most ten seconds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it doesn't happen")
		}
	}
}
