package admin

import (
	"testing"
	"time"
)

func TestHistogram_quantile(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	bounds := []float64{.001, .005, .01, .1}
	for name, c := range map[string]struct {
		counts      []uint64
		count       uint64
		median, p99 time.Duration
	}{
		"none":                      {[]uint64{0, 0, 0, 0}, 0, 100 * ms, 100 * ms},
		"one bucket":                {[]uint64{0, 0, 100, 100}, 100, 7500 * time.Microsecond, 9950 * time.Microsecond},
		"two buckets":               {[]uint64{0, 50, 50, 100}, 100, 5 * ms, 98200 * time.Microsecond},
		"the first bucket":          {[]uint64{100, 100, 100, 100}, 100, 500 * time.Microsecond, 990 * time.Microsecond},
		"one that takes very long":  {[]uint64{0, 1, 1, 1}, 2, 5 * ms, 100 * ms},
		"all longer than any bound": {[]uint64{0, 0, 0, 0}, 3, 100 * ms, 100 * ms},
	} {
		h := Histogram{Bounds: bounds, Counts: c.counts, Count: c.count}
		if got := timesOf(h); got.Median.Round(time.Microsecond) != c.median || got.P99.Round(time.Microsecond) != c.p99 {
			t.Errorf("%s: got %v and %v, want %v and %v", name, got.Median, got.P99, c.median, c.p99)
		}
	}
}
