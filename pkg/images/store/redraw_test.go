package store

import (
	"testing"
	"time"
)

// TestRedraw_pausesGrowToADay compares the pauses after failed attempts.
func TestRedraw_pausesGrowToADay(t *testing.T) {
	t.Parallel()
	now, known := time.UnixMilli(1_790_000_000_000), Redraw{}
	for i, want := range []time.Duration{
		5 * time.Minute, 20 * time.Minute, 80 * time.Minute, 320 * time.Minute, 1280 * time.Minute, 24 * time.Hour,
		24 * time.Hour,
	} {
		if known = known.Next(now); time.UnixMilli(known.After).Sub(now) != want {
			t.Errorf("after attempt %d: got a pause of %v, want %v", i+1, time.UnixMilli(known.After).Sub(now), want)
		}
	}
}
