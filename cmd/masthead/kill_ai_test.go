//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/testenv"
)

const (
	killAIRounds  = 3
	killAIOrders  = 16 // a round, on each node
	killAIWorkers = 8
)

// TestServe_killedProcessKeepsTheLedger kills nodes while they draw AI pictures: the ledger has a unit for each picture
// that there is, and no other. It is one node on the embedded database, two on Postgres.
func TestServe_killedProcessKeepsTheLedger(t *testing.T) {
	testenv.FullSpeed(t)
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		dir, site := t.TempDir(), newChangingSite(t)
		nodes, settings := 1, []string{}
		if cfg.URL != "" {
			nodes = 2
			settings = []string{"MASTHEAD_DATABASE_URL=" + cfg.URL, "MASTHEAD_JWT_SECRET=" + base62.Random(43)}
		} else {
			cfg.Dir = dir
		}
		drawn := map[string]bool{} // the images that clients were told of
		for round := range killAIRounds {
			drawAndKill(t, dir, site, nodes, settings, round, drawn)
		}
		// A unit that a killed node had reserved ends with its lease: here at once.
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if _, err := d.Exec(t.Context(), `UPDATE usage_units SET expires_at = 0 WHERE state = 'reserved'`); err != nil {
			t.Fatal(err)
		}
		open(t, dir, site, settings...)
		count := func(query string) (n int) {
			t.Helper()
			if err := d.Get(t.Context(), &n, query); err != nil {
				t.Fatal(err)
			}
			return n
		}
		apptest.WaitFor(t, "the units of the dead to be given back", func() bool {
			return count(`SELECT COUNT(*) FROM usage_units WHERE state = 'reserved'`) == 0
		})
		pictures := count(`SELECT COUNT(*) FROM images WHERE ai LIKE '%"fellBack":false%'`)
		kept := count(`SELECT COUNT(*) FROM usage_units WHERE state = 'kept'`)
		units := count(`SELECT SUM(units) FROM usage_months`)
		if kept != pictures || units != pictures {
			t.Errorf("got %d units kept and %d counted, want %d, as many as there are AI pictures", kept, units, pictures)
		}
		if len(drawn) == 0 || len(drawn) > pictures {
			t.Errorf("clients were told of %d AI pictures, and there are %d", len(drawn), pictures)
		}
		t.Logf("%d AI pictures, of which %d were answered", pictures, len(drawn))
	})
}

// drawAndKill has nodes draw AI pictures, and kills them all in the midst of it.
func drawAndKill(
	t *testing.T, dir string, site *changingSite, nodes int, settings []string, round int, drawn map[string]bool,
) {
	t.Helper()
	var running []*process
	for range nodes {
		running = append(running, open(t, dir, site, settings...))
	}
	var mu sync.Mutex
	var answers, next atomic.Int64
	var killed atomic.Bool
	var workers sync.WaitGroup
	for i := range killAIWorkers {
		workers.Go(func() {
			for !killed.Load() {
				n := next.Add(1)
				if n > killAIOrders {
					return
				}
				wanted := order{
					page: fmt.Sprintf("/page/%d-%d", round, n), title: fmt.Sprintf("Round %d, picture %d", round, n), ai: true,
				}
				k, status, err := running[i%nodes].generate(site, wanted)
				// A slow machine sheds load: who is told to come back does.
				for err == nil && status == http.StatusServiceUnavailable && !killed.Load() {
					time.Sleep(100 * time.Millisecond)
					k, status, err = running[i%nodes].generate(site, wanted)
				}
				mu.Lock()
				switch {
				case err != nil && !killed.Load():
					t.Errorf("picture %d: %v", n, err)
				case err == nil && status != http.StatusOK && status != http.StatusServiceUnavailable:
					t.Errorf("picture %d: got status %d", n, status)
				case err == nil && status == http.StatusOK && !k.AI.FellBack:
					drawn[k.ID] = true
				}
				mu.Unlock()
				answers.Add(1)
			}
		})
	}
	after := rand.Int64N(killAIOrders/2) + 1
	apptest.WaitFor(t, "the answers before the kill", func() bool { return answers.Load() >= after })
	time.Sleep(time.Duration(rand.IntN(100_000)) * time.Microsecond)
	killed.Store(true)
	for _, p := range running {
		p.signal(syscall.SIGKILL)
	}
	for _, p := range running {
		p.wait()
	}
	workers.Wait()
}
