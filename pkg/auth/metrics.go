package auth

import "github.com/prometheus/client_golang/prometheus"

// Collectors returns the package's metrics, which show how busy password hashing is.
func (s *Service) Collectors() []prometheus.Collector {
	hashes := func(state string, count func() int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_auth_hashes", Help: "Passwords being hashed or waiting for it.",
			ConstLabels: prometheus.Labels{"state": state},
		}, func() float64 { return float64(count()) })
	}
	return []prometheus.Collector{
		hashes("running", func() int64 { return int64(len(s.hasher.slots)) }),
		hashes("waiting", s.hasher.waiting.Load),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "masthead_auth_hashes_refused_total", Help: "Passwords not hashed because too many were waiting.",
		}, func() float64 { return float64(s.hasher.refused.Load()) }),
	}
}
