package payments

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the package's metrics.
type metrics struct{ requests, events *prometheus.CounterVec }

// What became of an event.
const (
	eventNew      = "new"
	eventRepeated = "repeated"
	eventInvalid  = "invalid" // not signed by Stripe
)

func newMetrics() *metrics {
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"result"})
	}
	m := &metrics{
		requests: counter("masthead_payments_requests_total", "Requests to Stripe, by result. Failed ones are repeated."),
		events:   counter("masthead_payments_events_total", "Events received from Stripe, by result."),
	}
	for _, result := range []string{eventNew, eventRepeated, eventInvalid} {
		m.events.WithLabelValues(result)
	}
	return m
}

// Collectors returns the package's metrics.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.requests, s.metrics.events}
}

// countingTransport counts the requests to Stripe.
type countingTransport struct {
	http.RoundTripper
	requests *prometheus.CounterVec
}

func (c countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.RoundTripper.RoundTrip(r)
	result := "answered"
	switch {
	case err != nil || answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		result = "failed"
	case answer.StatusCode >= 400:
		result = "refused"
	}
	c.requests.WithLabelValues(result).Inc()
	return answer, err
}
