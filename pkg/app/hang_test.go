package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/worker"
)

// TestHang_pictureOfAPage_isRefusedAndOthersGoOn has a sample and the cards of a report not finish.
func TestHang_pictureOfAPage_isRefusedAndOthersGoOn(t *testing.T) {
	t.Parallel()
	spins := apptest.NewSpinner(t)
	s := apptest.Start(t, func(c *app.Config) {
		c.Images.Workers = 16
		c.Drawing = worker.Config{Deadline: 3 * time.Second, Begin: spins.Begin}
	})
	for stage, paths := range map[string][2]string{
		"sample":         {"/templates/editorial/sample", "/templates/minimal/sample"},
		"report card":    {"/audit/example/masthead-card", "/templates/poster/sample"},
		"report verdict": {"/audit/example/card.png", "/templates/mesh/sample"},
	} {
		spins.Arm(stage, 1)
		hung := make(chan *apptest.Response, 1)
		go func() { hung <- s.Get(paths[0]) }()
		apptest.WaitFor(t, stage+" to spin", func() bool { return spins.Spinning() > 0 && spins.Begun(stage) > 0 })
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
