package fetch

import "github.com/prometheus/client_golang/prometheus"

// metrics are what the operator sees of the fetching.
type metrics struct {
	outcomes *prometheus.CounterVec
	refused  *prometheus.CounterVec
	opened   *prometheus.CounterVec
	messages prometheus.Counter
	gauges   []prometheus.Collector
}

// Why a request was not sent.
const (
	refusedPlaces  = "places"  // there was none in time, or too many waited
	refusedTurns   = "turns"   // too many wait for hosts
	refusedTooFast = "rate"    // the host's turn would not have come in time
	refusedBreaker = "breaker" // the host did not answer of late
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
		outcomes: counter("masthead_fetch_exchanges_total", "Requests sent, by what came of each.", "outcome"),
		refused:  counter("masthead_fetch_refused_total", "Requests that were not sent, by the reason.", "reason"),
		opened: counter("masthead_fetch_breakers_opened_total",
			"Exchanges after which their host was closed, by to whom.", "to"),
		messages: prometheus.NewCounter(prometheus.CounterOpts{Name: "masthead_fetch_http_messages_total",
			Help: "Messages of net/http about connections, which may hold what strangers sent and are not logged."}),
		gauges: []prometheus.Collector{
			gauge("masthead_fetch_places_in_use", "Exchanges under way.", c.places.InUse),
			gauge("masthead_fetch_places_waiting", "Requests that wait for a place.", c.places.Waiting),
			gauge("masthead_fetch_turns_waiting", "Requests that wait for their host's turn.", c.hostLimit.all),
			gauge("masthead_fetch_hosts_busy", "Hosts that are asked or waited for.", c.hostLimit.hosts),
			gauge("masthead_fetch_breakers", "Hosts with a breaker, open or not.", c.breakers.known),
		},
	}
}

// Collectors are the metrics of the package.
func (c *Client) Collectors() []prometheus.Collector {
	m := c.metrics
	return append([]prometheus.Collector{m.outcomes, m.refused, m.opened, m.messages}, m.gauges...)
}
