package fetch

import "github.com/prometheus/client_golang/prometheus"

// metrics are the package's metrics.
type metrics struct {
	outcomes *prometheus.CounterVec
	refused  *prometheus.CounterVec
	opened   *prometheus.CounterVec
	messages prometheus.Counter
	gauges   []prometheus.Collector
}

// Reasons for not sending a request.
const (
	refusedPlaces  = "places"  // none was free in time, or too many wait
	refusedTurns   = "turns"   // too many requests wait for hosts
	refusedTooFast = "rate"    // the host's turn would come too late
	refusedBreaker = "breaker" // the host didn't respond recently
)

func newMetrics(c *Client) *metrics {
	counter := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	}
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value()) })
	}
	return &metrics{
		outcomes: counter("masthead_fetch_exchanges_total", "Requests sent, by outcome.", "outcome"),
		refused:  counter("masthead_fetch_refused_total", "Requests not sent, by reason.", "reason"),
		opened: counter("masthead_fetch_breakers_opened_total",
			"Exchanges that opened a circuit breaker, by whom it blocks.", "to"),
		messages: prometheus.NewCounter(prometheus.CounterOpts{Name: "masthead_fetch_http_messages_total",
			Help: "Messages of net/http about connections. They may contain untrusted data and aren't logged."}),
		gauges: []prometheus.Collector{
			gauge("masthead_fetch_places_in_use", "Running exchanges.", c.places.InUse),
			gauge("masthead_fetch_places_waiting", "Requests waiting for a slot.", c.places.Waiting),
			gauge("masthead_fetch_turns_waiting", "Requests waiting for their host's turn.", c.hostLimit.all),
			gauge("masthead_fetch_hosts_busy", "Hosts with running or waiting requests.", c.hostLimit.hosts),
			gauge("masthead_fetch_breakers", "Hosts with a circuit breaker, open or not.", c.breakers.known),
		},
	}
}

// Collectors returns the package's metrics.
func (c *Client) Collectors() []prometheus.Collector {
	m := c.metrics
	return append([]prometheus.Collector{m.outcomes, m.refused, m.opened, m.messages}, m.gauges...)
}
