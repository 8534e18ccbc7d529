package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestLeave_timesAreBounded(t *testing.T) {
	const forever = time.Hour
	for name, c := range map[string]struct {
		drains, finishes time.Duration // how long the work and the requests would take
		want             time.Duration
		cut              bool // whether the requests are
	}{
		"nothing to do":           {0, 0, 2 * time.Second, false},
		"requests in time":        {0, 20 * time.Second, 22 * time.Second, false},
		"requests without end":    {0, forever, 27 * time.Second, true},
		"work alone":              {40 * time.Second, 0, 40 * time.Second, false},
		"work and its request":    {40 * time.Second, 38500 * time.Millisecond, 40500 * time.Millisecond, false},
		"work, requests too long": {40 * time.Second, forever, 41 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waits := func(d time.Duration) func(context.Context) error {
					return func(ctx context.Context) error {
						select {
						case <-time.After(d):
							return nil
						case <-ctx.Done():
							return ctx.Err()
						}
					}
				}
				start := time.Now()
				drain := func(ctx context.Context) { _ = waits(c.drains)(ctx) }
				err := leave(t.Context(), leavePause, ShutdownLimits{}.withDefaults().Finish, drain, waits(c.finishes))
				if got := time.Since(start); got != c.want || errors.Is(err, context.Canceled) != c.cut {
					t.Errorf("got %v, %v, want %v, cut %v", got, err, c.want, c.cut)
				}
			})
		})
	}
}
