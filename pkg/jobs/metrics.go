package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// measureEvery is how often the jobs are counted for the metrics.
const measureEvery = 15 * time.Second

// metrics are what the operator sees of the jobs. They count the database's jobs, so every node reports the same: take
// the maximum over nodes, not the sum.
type metrics struct{ waiting, overdue, givenUp *prometheus.GaugeVec }

func newMetrics() *metrics {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"kind"})
	}
	return &metrics{
		waiting: gauge("masthead_jobs_waiting_jobs", "Background jobs in the database that are waiting or running."),
		overdue: gauge("masthead_jobs_overdue_seconds", "How long the oldest due job has been waiting to start."),
		givenUp: gauge("masthead_jobs_given_up_jobs", "Background jobs that were given up in the last 7 days."),
	}
}

// add makes the gauges of a kind.
func (m *metrics) add(kind string) {
	for _, gauge := range []*prometheus.GaugeVec{m.waiting, m.overdue, m.givenUp} {
		gauge.WithLabelValues(kind).Set(0)
	}
}

// Collectors are the metrics of the package.
func (w *Worker) Collectors() []prometheus.Collector {
	return []prometheus.Collector{w.metrics.waiting, w.metrics.overdue, w.metrics.givenUp}
}

// measure counts the jobs until ctx ends or the worker drains.
func (w *Worker) measure(ctx context.Context) {
	failing := false
	for {
		err := w.count(ctx)
		if failed := err != nil && ctx.Err() == nil; failed != failing {
			failing = failed
			if failed {
				slog.WarnContext(ctx, "jobs aren't counted for now", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-w.draining:
			return
		case <-time.After(measureEvery):
		}
	}
}

// count sets the gauges.
func (w *Worker) count(ctx context.Context) error {
	var rows []struct {
		Kind    string `db:"kind"`
		Waiting int64  `db:"waiting"`
		Oldest  *int64 `db:"oldest"`
		GivenUp int64  `db:"given_up"`
	}
	err := w.db.Select(ctx, &rows, `SELECT kind, COUNT(*) - COUNT(given_up_at) AS waiting, COUNT(given_up_at) AS given_up,
		MIN(CASE WHEN given_up_at IS NULL THEN due_at END) AS oldest FROM jobs GROUP BY kind`)
	if err != nil {
		return err
	}
	for name := range w.kinds {
		w.metrics.add(name) // those without jobs have no row
	}
	now := w.now().UnixMilli()
	for _, r := range rows {
		if w.kinds[r.Kind] == nil {
			continue // of another version of the program
		}
		w.metrics.waiting.WithLabelValues(r.Kind).Set(float64(r.Waiting))
		w.metrics.givenUp.WithLabelValues(r.Kind).Set(float64(r.GivenUp))
		if r.Oldest != nil {
			w.metrics.overdue.WithLabelValues(r.Kind).Set(max(0, float64(now-*r.Oldest)/1000))
		}
	}
	return nil
}
