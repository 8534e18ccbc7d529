package mail

import "github.com/prometheus/client_golang/prometheus"

// newMetrics returns the count of what became of attempts to send a mail.
func newMetrics() *prometheus.CounterVec {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "masthead_mail_attempts_total", Help: "Attempts to send an email, by result. Failed ones are repeated.",
	}, []string{"result"})
	for _, result := range []string{Sent, Refused, failed} {
		attempts.WithLabelValues(result)
	}
	return attempts
}

// failed is the result of an attempt that is repeated.
const failed = "failed"

// Collectors returns the package's metrics.
func (s *Service) Collectors() []prometheus.Collector { return []prometheus.Collector{s.attempts} }

func resultOf(err error, refused bool) string {
	switch {
	case refused:
		return Refused
	case err != nil:
		return failed
	}
	return Sent
}
