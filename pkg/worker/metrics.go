package worker

import "github.com/prometheus/client_golang/prometheus"

// newHung returns the counter of work that did not finish in a pool.
func newHung(pool string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "masthead_worker_hung_total", Help: "Work that did not finish by its deadline, by what was being done.",
		ConstLabels: prometheus.Labels{"pool": pool},
	}, []string{"stage"})
}

// Collectors are the metrics of a pool.
func (p *Pool) Collectors() []prometheus.Collector {
	labels := prometheus.Labels{"pool": p.name}
	return []prometheus.Collector{
		p.hung,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_worker_lost_workers", Help: "Workers in work past its deadline.", ConstLabels: labels,
		}, func() float64 { return float64(p.lost.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_worker_lost_max_workers", Help: "At how many lost workers the pool refuses all work.",
			ConstLabels: labels,
		}, func() float64 { return float64(p.most) }),
	}
}
