package tickets

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are what operators see of the playground.
type metrics struct {
	reads  *prometheus.CounterVec
	proofs *prometheus.CounterVec
	took   prometheus.Histogram
}

func newMetrics() *metrics {
	return &metrics{
		reads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_tickets_reads_total", Help: "Pages read for the playground: ready, or failed.",
		}, []string{"result"}),
		proofs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_tickets_proofs_total",
			Help: "Proofs requested: drawn, from memory, over the limit, busy (the queue is full), or failed.",
		}, []string{"result"}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "masthead_tickets_proof_seconds",
			Help:    "Time of drawing and encoding a proof, without waiting.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}),
	}
}

// Collectors returns the package's metrics.
func (s *Service) Collectors() []prometheus.Collector {
	m := s.metrics
	return slices.Concat([]prometheus.Collector{m.reads, m.proofs, m.took}, s.workers.Collectors())
}
