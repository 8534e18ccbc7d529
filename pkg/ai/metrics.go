package ai

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the provider's metrics. A nil *metrics counts nothing.
type metrics struct {
	pictures *prometheus.HistogramVec
	texts    *prometheus.HistogramVec
}

func newMetrics() *metrics {
	return &metrics{
		pictures: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "masthead_ai_picture_seconds", Help: "Time of the provider for a picture, by what came of it.",
			Buckets: []float64{.1, .25, .5, 1, 2, 3, 5, 8, 12, 18, 25},
		}, []string{"model", "result"}), // ok, policy, timeout, ceiling, provider, busy, cancelled
		texts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "masthead_ai_text_seconds", Help: "Time of the provider for a text, by what came of it.",
			Buckets: []float64{.1, .25, .5, 1, 2, 3, 5, 8, 12, 20},
		}, []string{"result"}), // ok, policy, timeout, ceiling, provider, cancelled
	}
}

// Collectors returns the package's metrics, or none if AI is off.
func (c *Client) Collectors() []prometheus.Collector {
	if c == nil {
		return nil
	}
	all := []prometheus.Collector{c.metrics.pictures, c.metrics.texts, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "masthead_ai_pictures_waiting", Help: "Pictures that wait for their turn to be asked for.",
	}, func() float64 { return float64(c.turns.Waiting()) })}
	if c.spending != nil {
		all = append(all, c.spending.spent)
	}
	return all
}

// asked counts a picture whose request was sent at began.
func (m *metrics) asked(model Model, began time.Time, err error) {
	if m != nil {
		m.pictures.WithLabelValues(string(model), resultOf(err)).Observe(time.Since(began).Seconds())
	}
}

// wrote counts a text whose request was sent at began.
func (m *metrics) wrote(began time.Time, err error) {
	if m != nil {
		m.texts.WithLabelValues(resultOf(err)).Observe(time.Since(began).Seconds())
	}
}

func resultOf(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrPolicy):
		return "policy"
	case errors.Is(err, ErrTimeout):
		return "timeout"
	case errors.Is(err, ErrBusy):
		return "busy"
	case errors.Is(err, ErrCeiling):
		return "ceiling"
	case errors.Is(err, ErrProvider):
		return "provider"
	}
	return "cancelled"
}
