package app

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestSweeps_twoAtATime has nine that take a minute each, and two that hang at first.
func TestSweeps_twoAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var mu sync.Mutex
		var running, most, done int
		add := func(n *int, by int) {
			mu.Lock()
			defer mu.Unlock()
			*n += by
			most = max(most, running)
		}
		sweep := newSweeps()
		var all sync.WaitGroup
		hangs := sweep.hourly("hanging", func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		for range 2 {
			all.Go(func() { hangs(ctx) })
		}
		synctest.Wait()
		for range 9 {
			task := sweep.hourly("minutes", func(context.Context) error {
				add(&running, 1)
				time.Sleep(time.Minute)
				add(&running, -1)
				add(&done, 1)
				return nil
			})
			all.Go(func() { task(ctx) })
		}
		time.Sleep(2*sweepTurn + 10*time.Minute)
		synctest.Wait()
		mu.Lock()
		if most > 2 || done != 9 {
			t.Errorf("%d ran at the same time, want 2 at most; %d are done in time, want 9", most, done)
		}
		mu.Unlock()
		time.Sleep(time.Hour)
		synctest.Wait()
		mu.Lock()
		if done != 18 {
			t.Errorf("%d are done after another hour, want 18", done)
		}
		mu.Unlock()
		stop()
		all.Wait()
	})
}
