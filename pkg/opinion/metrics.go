package opinion

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/ai"
)

// metrics are the package's metrics.
type metrics struct {
	results   *prometheus.CounterVec
	fallbacks prometheus.Counter
}

func newMetrics() *metrics {
	return &metrics{
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_analysis_results_total", Help: "Analyses of audits that ended, by what came of them.",
		}, []string{"result"}), // ready, policy, timeout, ceiling, provider, answer, other
		fallbacks: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_analysis_fallbacks_total",
			Help: "Fields of models' answers that did not pass the check and were filled in by the rules.",
		}),
	}
}

func (m *metrics) ready(fellBack int) {
	m.results.WithLabelValues("ready").Inc()
	m.fallbacks.Add(float64(fellBack))
}

func (m *metrics) failed(cause error) {
	result := "other"
	for _, of := range []struct {
		err  error
		name string
	}{
		{ai.ErrPolicy, "policy"}, {ai.ErrTimeout, "timeout"}, {ai.ErrCeiling, "ceiling"}, {ai.ErrProvider, "provider"},
		{errAnswer, "answer"},
	} {
		if errors.Is(cause, of.err) {
			result = of.name
			break
		}
	}
	m.results.WithLabelValues(result).Inc()
}
