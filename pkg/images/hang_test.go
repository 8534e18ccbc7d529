package images_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/worker"
)

// hangDeadline is that of the drawings of these tests: long enough for a real one on a busy machine.
const hangDeadline = 4 * time.Second

// spinning has drawings of a service run in so many workers, before which spins comes.
func spinning(spins *apptest.Spinner, workers int) apptest.Option {
	return func(c *app.Config) {
		c.Images.Workers = workers
		c.Monitor.Addr = "127.0.0.1:0"
		c.Drawing = worker.Config{Deadline: hangDeadline, Begin: spins.Begin}
	}
}

// wantHung checks a response about a drawing that did not finish.
func wantHung(t *testing.T, r *apptest.Response) {
	t.Helper()
	r.WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
	after, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil || after < 3000 || after > 3600 || !strings.Contains(r.Text("detail"), "did not finish") {
		t.Errorf("got Retry-After %q and %q, want an hour and an explanation", r.Header.Get("Retry-After"), r.Text("detail"))
	}
}

// TestGenerate_drawingsThatHang loses workers one by one, until half of them are lost, and gets them back.
func TestGenerate_drawingsThatHang(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		spins := apptest.NewSpinner(t)
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), spinning(spins, 4))
		other := s.StartNode()
		old := s.Generate("/page/one", nil).Want(http.StatusOK)

		spins.Arm("draw", 1)
		hung := make(chan *apptest.Response, 1)
		go func() { hung <- s.Generate("/page/two", nil) }()
		apptest.WaitFor(t, "the drawing to spin", func() bool { return spins.Spinning() == 1 })
		var others sync.WaitGroup
		for i := range 8 {
			others.Go(func() {
				s.Generate("/page/other", map[string]any{"content": map[string]any{"title": strconv.Itoa(i)}}).Want(http.StatusOK)
			})
		}
		others.Wait()
		wantHung(t, <-hung)

		pages, begun := s.Site.Pages.Load(), spins.Begun("draw")
		wantHung(t, s.Generate("/page/two", nil))
		wantHung(t, s.Generate("/page/two", map[string]any{"force": true}))
		wantHung(t, other.Generate("/page/two", nil))
		if s.Site.Pages.Load() != pages || spins.Begun("draw") != begun {
			t.Errorf("what hung was read %d and drawn %d times again", s.Site.Pages.Load()-pages, spins.Begun("draw")-begun)
		}
		s.Generate("/page/two", map[string]any{"template": "poster"}).Want(http.StatusOK)
		s.Get("/readyz").Want(http.StatusOK)

		spins.Arm("draw", 1)
		wantHung(t, s.Generate("/page/three", nil))
		pages, begun = s.Site.Pages.Load(), spins.Begun("draw")
		refused := s.Generate("/page/four", nil).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		if after := refused.Header.Get("Retry-After"); after != "10" || !strings.Contains(refused.Text("detail"), "stuck") {
			t.Errorf("got Retry-After %q and %q, want a node that is stuck", after, refused.Text("detail"))
		}
		if s.Site.Pages.Load() != pages || spins.Begun("draw") != begun {
			t.Error("a page was read, or drawn, though half of the workers are lost")
		}
		ready := s.Get("/readyz").WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
		if !strings.Contains(ready.Text("detail"), "2 workers of this node (draw) are stuck") {
			t.Errorf("readyz: got %q, want the lost workers", ready.Text("detail"))
		}
		for _, path := range []string{"/healthz", old.Path("imageUrl"), old.Path("publicUrl")} {
			s.Get(path).Want(http.StatusOK)
		}
		if kept := s.Generate("/page/one", nil).Want(http.StatusOK); kept.Value("cached") != true {
			t.Errorf("got %s, want the kept image", kept.Body)
		}
		for _, want := range []string{
			`masthead_worker_hung_total{pool="draw",stage="draw"} 2`, `masthead_worker_lost_workers{pool="draw"} 2`,
		} {
			if metrics := s.Metrics(); !strings.Contains(metrics, want) {
				t.Errorf("the metrics lack %s", want)
			}
		}
		other.Get("/readyz").Want(http.StatusOK)
		other.Generate("/page/four", nil).Want(http.StatusOK)

		spins.Release()
		apptest.WaitFor(t, "the workers to come back", func() bool { return s.Get("/readyz").Status == http.StatusOK })
		s.Generate("/page/five", nil).Want(http.StatusOK)
		wantHung(t, s.Generate("/page/two", nil))
		if _, err := s.App.DB.Exec(t.Context(), `UPDATE hung_work SET expires_at = expires_at - 3600000`); err != nil {
			t.Fatal(err)
		}
		s.Generate("/page/two", nil).Want(http.StatusOK)
		other.Generate("/page/three", nil).Want(http.StatusOK)
	})
}

// TestOG_drawingThatHangs asks for pictures of strangers that do not finish.
func TestOG_drawingThatHangs(t *testing.T) {
	t.Parallel()
	spins := apptest.NewSpinner(t)
	s := onDomain(apptest.StartSignedIn(t, spinning(spins, 16)))
	// wantCard checks a card of the page's address.
	wantCard := func(r *apptest.Response) {
		t.Helper()
		r.Want(http.StatusOK)
		if r.Header.Get("X-Masthead-Fallback") != "hung" || r.Header.Get("Cache-Control") != forMinutes || len(r.Body) == 0 {
			t.Errorf("got %v, want a card for some minutes", r.Header)
		}
	}
	one := s.Site.At("/page/one")
	spins.Arm("draw", 1)
	wantCard(s.og(one))
	begun := spins.Begun("draw")
	wantCard(s.og(one))
	wantHung(t, s.Generate("/page/one", nil))
	if got := spins.Begun("draw"); got != begun {
		t.Errorf("%d more were drawn, want none", got-begun)
	}

	two := s.Site.At("/page/two")
	spins.Arm("draw", 2) // the card of the address too
	wantHung(t, s.og(two))
	begun = spins.Begun("draw")
	wantHung(t, s.og(two))
	if got := spins.Begun("draw"); got != begun {
		t.Errorf("%d more were drawn, want none", got-begun)
	}

	old := s.og(s.Site.At("/page/three")).Want(http.StatusOK)
	spins.Arm("draw", 1)
	wantHung(t, s.Generate("/page/three", map[string]any{"force": true}))
	if got := s.og(s.Site.At("/page/three")).Want(http.StatusOK); string(got.Body) != string(old.Body) {
		t.Error("the picture that was there before is another one now")
	}
}

// TestGenerate_readingThatHangs has the reading of a page compute without end.
func TestGenerate_readingThatHangs(t *testing.T) {
	t.Parallel()
	spins := apptest.NewSpinner(t)
	s := apptest.StartSignedIn(t, spinning(spins, 4))
	spins.Arm("read", 1)
	wantHung(t, s.Generate("/page/one", nil))
	begun := spins.Begun("read")
	wantHung(t, s.Generate("/page/one", nil))
	if got := spins.Begun("read"); got != begun {
		t.Errorf("%d more were read, want none", got-begun)
	}
	s.Generate("/page/two", nil).Want(http.StatusOK)
	if metrics := s.Metrics(); !strings.Contains(metrics, `masthead_worker_hung_total{pool="draw",stage="read"} 1`) {
		t.Error("the metrics do not name the stage")
	}
}
