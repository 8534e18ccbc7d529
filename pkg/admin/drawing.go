package admin

import "time"

// Histogram counts drawings by the seconds that they took, as a metric does.
type Histogram struct {
	// Bounds are the upper bounds of the buckets in seconds, in order, and Counts how many took at most that.
	Bounds []float64
	Counts []uint64
	// Count is how many there were.
	Count uint64
}

// Times are how long pictures took.
type Times struct {
	Count       uint64
	Median, P99 time.Duration
}

// timesOf estimates the times of a histogram.
func timesOf(h Histogram) Times {
	return Times{Count: h.Count, Median: h.quantile(0.5), P99: h.quantile(0.99)}
}

// quantile estimates what a part of the drawings didn't exceed. Within a bucket they count as spread evenly, as in
// Prometheus' histogram_quantile; those beyond the last bound count as the last bound.
func (h Histogram) quantile(part float64) time.Duration {
	rank := part * float64(h.Count)
	var low float64
	var below uint64
	for i, high := range h.Bounds {
		if up := h.Counts[i]; up > below && float64(up) >= rank {
			seconds := low + (high-low)*(rank-float64(below))/float64(up-below)
			return time.Duration(seconds * float64(time.Second))
		}
		low, below = high, h.Counts[i]
	}
	return time.Duration(low * float64(time.Second))
}
