package auth

import "github.com/prometheus/client_golang/prometheus"

// Collectors are the metrics of the package: how busy the hashing of passwords is.
func (s *Service) Collectors() []prometheus.Collector {
	hashes := func(state string, count func() int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_auth_hashes", Help: "Passwords that are being hashed, or wait for it.",
			ConstLabels: prometheus.Labels{"state": state},
		}, func() float64 { return float64(count()) })
	}
	return []prometheus.Collector{
		hashes("running", func() int64 { return int64(len(s.hasher.slots)) }),
		hashes("waiting", s.hasher.waiting.Load),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "masthead_auth_hashes_refused_total", Help: "Passwords that were not hashed, for too many wait.",
		}, func() float64 { return float64(s.hasher.refused.Load()) }),
	}
}
