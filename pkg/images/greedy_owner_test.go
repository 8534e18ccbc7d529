package images_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// TestGenerate_greedyOwner_refusesNobodyElse has one owner ask for new pages on 300 connections, more than wait to be
// drawn, while another asks for one after the other: those are all drawn.
func TestGenerate_greedyOwner_refusesNobodyElse(t *testing.T) {
	testenv.FullSpeed(t)
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		const connections, modest = 300, 10
		other := s.Register()
		project := s.NewProject(other)
		key := s.NewKey(other, project)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var page, drawn, refused atomic.Int64
		var flood sync.WaitGroup
		for range connections {
			flood.Go(func() {
				for ctx.Err() == nil {
					r := s.Generate(fmt.Sprintf("/page/greedy-%d", page.Add(1)), map[string]any{"template": "minimal"})
					if r.Status == http.StatusOK {
						drawn.Add(1)
						continue
					}
					r.WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
					if refused.Add(1); r.Header.Get("Retry-After") == "" {
						t.Error("a refusal does not say when to come again")
					}
					time.Sleep(time.Second / 10) // less than it was told
				}
			})
		}
		apptest.WaitFor(t, "the greedy one to be refused", func() bool { return refused.Load() > 0 })
		for i := range modest {
			body := map[string]any{"url": s.Site.At(fmt.Sprintf("/page/modest-%d", i)), "projectId": project}
			r := s.Post("/images/generate", body, apptest.Bearer(key))
			for r.Status != http.StatusOK && strings.Contains(r.Text("detail"), "storage") {
				time.Sleep(time.Second) // a database that others load too is not what is tried here
				r = s.Post("/images/generate", body, apptest.Bearer(key))
			}
			r.Want(http.StatusOK)
		}
		stop()
		flood.Wait()
		t.Logf("of the greedy one %d were drawn and %d refused", drawn.Load(), refused.Load())
		if drawn.Load() == 0 {
			t.Error("of the greedy one none were drawn")
		}
	})
}
