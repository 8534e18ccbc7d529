package s3

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/blob"
)

// metrics are the store's metrics.
type metrics struct{ took *prometheus.HistogramVec }

func newMetrics(store string) *metrics {
	return &metrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "masthead_s3_seconds", Help: "How long calls to the S3 store took, with all tries.",
		ConstLabels: prometheus.Labels{"store": store}, Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, 1, 4, 16},
	}, []string{"operation", "result"})} // get, put, stat, delete, list; ok, missing, error
}

func (m *metrics) observe(operation string, err error, took time.Duration) {
	result := "ok"
	switch {
	case errors.Is(err, blob.ErrNotFound):
		result = "missing"
	case err != nil:
		result = "error"
	}
	m.took.WithLabelValues(operation, result).Observe(took.Seconds())
}

// Collectors returns the store's metrics.
func (s *Store) Collectors() []prometheus.Collector { return []prometheus.Collector{s.metrics.took} }
