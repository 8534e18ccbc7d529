package app_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/worker"
)

// TestHang_pictureOfAPage_isRefusedAndOthersGoOn has a sample, the cards of a report and the pictures of the
// front page not finish.
func TestHang_pictureOfAPage_isRefusedAndOthersGoOn(t *testing.T) {
	t.Parallel()
	spins := apptest.NewSpinner(t)
	s := apptest.Start(t, func(c *app.Config) {
		c.Images.Workers = 16
		c.Drawing = worker.Config{Deadline: 5 * time.Second, Begin: spins.Begin}
	})
	s.Get("/templates/launch/sample").Want(http.StatusOK) // the first drawing of a process takes longest
	for stage, paths := range map[string][2]string{
		"sample":         {"/templates/editorial/sample", "/templates/minimal/sample"},
		"report card":    {"/audit/example/masthead-card", "/templates/poster/sample"},
		"report verdict": {"/audit/example/card.png", "/templates/mesh/sample"},
		"own pictures":   {"/", "/templates/split/sample"},
	} {
		before := spins.Spinning() // those of the stages before go on
		spins.Arm(stage, 1)
		hung := make(chan *apptest.Response, 1)
		go func() { hung <- s.Get(paths[0]) }()
		apptest.WaitFor(t, stage+" to spin", func() bool { return spins.Spinning() > before })
		s.Get(paths[1]).Want(http.StatusOK)
		for _, r := range []*apptest.Response{<-hung, s.Get(paths[0])} {
			if r.Want(http.StatusServiceUnavailable); !strings.Contains(string(r.Body), "did not finish") {
				t.Errorf("%s: got %s, want an explanation", stage, r.Body)
			}
		}
		if got := spins.Begun(stage); stage != "sample" && got != 1 {
			t.Errorf("%s: %d began, want 1", stage, got)
		}
	}
}

// TestHang_example_isGivenUp has the drawing of the example's pictures not finish: its request and the end of the
// service don't wait for it.
func TestHang_example_isGivenUp(t *testing.T) {
	t.Parallel()
	spins := apptest.NewSpinner(t)
	s := apptest.Start(t, func(c *app.Config) {
		c.Images.Workers, c.Drawing = 4, worker.Config{Deadline: 3 * time.Second, Begin: spins.Begin}
	})
	spins.Arm("example", 1)
	for range 2 {
		s.Get("/audit/example").Want(http.StatusServiceUnavailable)
	}
	if got := spins.Begun("example"); got != 1 {
		t.Errorf("%d began, want 1", got)
	}
	s.Get("/").Want(http.StatusOK)
}

// TestHang_readingOfAPage_isGivenUpForWhoeverAsked has the reading of a page compute without end, for each operation
// that reads one. Every node refuses that page from then on, whoever asks, and reads the others.
func TestHang_readingOfAPage_isGivenUpForWhoeverAsked(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		spins := apptest.NewSpinner(t)
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Images.Workers = 16
			c.Drawing = worker.Config{Deadline: 2 * time.Second, Begin: spins.Begin}
			c.Fetch.Limits.JobTime = time.Second
		})
		other := s.StartNode()
		ask := func(s *apptest.Service, operation, page string) *apptest.Response {
			body := map[string]any{"url": s.Site.At("/page/" + page)}
			options := []apptest.RequestOption{apptest.Bearer(s.Session.Access)}
			switch operation {
			case "anonymous":
				operation, options = "/audits", nil
			case "/images/generate":
				return s.Generate("/page/"+page, nil)
			}
			return s.Post(operation, body, options...)
		}
		operations := []string{"/audits", "anonymous", "/audits/preview", "/pages/analyze", "/images/generate"}
		for i, operation := range operations {
			page := "hangs" + strconv.Itoa(i)
			spins.Arm("read", 1)
			hung := make(chan *apptest.Response, 1)
			go func() { hung <- ask(s, operation, page) }()
			apptest.WaitFor(t, operation+" to spin", func() bool { return spins.Spinning() == i+1 })
			if got := ask(s, operation, "other"+strconv.Itoa(i)); got.Status >= 300 {
				t.Errorf("%s, another page: got %d %s", operation, got.Status, got.Body)
			}
			first := <-hung
			begun := spins.Begun("read")
			all := []*apptest.Response{first}
			for _, operation := range operations {
				all = append(all, ask(s, operation, page), ask(other, operation, page))
			}
			for _, r := range all {
				r.WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
				if detail := r.Text("detail"); !strings.HasPrefix(detail, "Reading this page did not finish") {
					t.Errorf("%s: got %q, want an explanation", operation, detail)
				}
			}
			if got := spins.Begun("read"); got != begun {
				t.Errorf("%s: what hung was read %d times again", operation, got-begun)
			}
		}
		s.Get("/readyz").Want(http.StatusOK)
	})
}

// TestHang_decode_isRefusedByAllNodes has the decode of an icon compute without end.
func TestHang_decode_isRefusedByAllNodes(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		spins := apptest.NewSpinner(t)
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Picture.Begin, c.Picture.Deadline = spins.Begin, time.Second
		})
		other := s.StartNode()
		spins.Arm("decode", 1)
		s.Generate("/page/one", nil).Want(http.StatusOK) // without the icon
		if got := spins.Begun("decode"); got != 1 {
			t.Fatalf("%d decodes began, want that of the icon", got)
		}
		other.Generate("/page/two", nil).Want(http.StatusOK)
		s.Generate("/page/three", nil).Want(http.StatusOK)
		if got := spins.Begun("decode"); got != 1 {
			t.Errorf("%d more decodes of the icon began, want none", got-1)
		}
		if _, err := s.App.DB.Exec(t.Context(), `DELETE FROM hung_work WHERE stage = 'decode'`); err != nil {
			t.Fatal(err)
		}
		other.Generate("/page/four", nil).Want(http.StatusOK)
		if got := spins.Begun("decode"); got != 2 {
			t.Errorf("%d decodes began, want that of the icon again, since nothing refuses it now", got)
		}
	})
}
