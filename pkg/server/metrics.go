package server

import (
	"cmp"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the metrics of requests and connections.
type metrics struct {
	requests *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	cut      *prometheus.CounterVec
	logged   *prometheus.CounterVec
	limited  *prometheus.CounterVec
	errors   *prometheus.CounterVec
	// kept are looked up in advance, by operation and whether the status is 200 or 304.
	kept map[string]map[bool]prometheus.Observer
}

func newMetrics() *metrics {
	counter := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	}
	m := &metrics{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "masthead_server_request_seconds",
			Help: "Time of requests, by operation of the document (\"other\" for all else) and class of status.",
			Buckets: []float64{
				.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25, 60,
			},
		}, []string{"operation", "status"}),
		refused: counter("masthead_server_connections_refused_total",
			"Connections closed, or answered with 503 in a spare slot, because of the limit per address or node.",
			"reason"),
		cut: counter("masthead_server_responses_cut_total",
			"Responses aborted because their client read nothing for long, or too slowly.", "reason"),
		limited: counter("masthead_server_limited_total",
			"Requests answered with 429, by limit: of an account, of an address, of its breaker, of its rejected credentials.",
			"cause"),
		errors: counter("masthead_server_errors_total", "Responses that are errors, by their code.", "code"),
		logged: counter("masthead_server_http_messages_total",
			"Messages of the HTTP server. They may contain untrusted data and aren't logged.", "kind"),
		kept: map[string]map[bool]prometheus.Observer{},
	}
	for _, operation := range []string{fileOperation, publicOperation} {
		m.kept[operation] = map[bool]prometheus.Observer{
			true: m.requests.WithLabelValues(operation, "2xx"), false: m.requests.WithLabelValues(operation, "3xx"),
		}
	}
	return m
}

// Collectors returns the package's metrics.
func (s *Server) Collectors() []prometheus.Collector {
	held := func(place string, count func(*connections) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_server_connections", Help: "Open connections, by kind of slot.",
			ConstLabels: prometheus.Labels{"place": place},
		}, func() float64 {
			if l := s.connections.Load(); l != nil {
				return float64(count(l))
			}
			return 0
		})
	}
	m := s.metrics
	return []prometheus.Collector{
		m.requests, m.refused, m.cut, m.logged, m.limited, m.errors,
		held("common", func(l *connections) int { held, _ := l.counts(); return held }),
		held("spare", func(l *connections) int { _, spare := l.counts(); return spare }),
	}
}

// otherOperation is the label of requests that match no operation of the document.
const otherOperation = "other"

// operations are the IDs of the document's operations, by route and method.
type operations map[string]map[string]string

func operationsOf(document *openapi3.T) operations {
	all := operations{}
	for path, item := range document.Paths.Map() {
		for _, prefix := range prefixes {
			route := prefix + echoPath(path)
			all[route] = map[string]string{}
			for method, op := range item.Operations() {
				all[route][method] = op.OperationID
			}
		}
	}
	return all
}

// classes are the labels of statuses by their first digit.
var classes = [...]string{1: "1xx", 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx"}

// observe counts an answered request.
func (s *Server) observe(c echo.Context, took time.Duration) {
	operation := cmp.Or(s.operations[c.Path()][c.Request().Method], otherOperation)
	status := c.Response().Status
	if status < http.StatusContinue || status > 599 {
		status = http.StatusInternalServerError
	}
	s.metrics.requests.WithLabelValues(operation, classes[status/100]).Observe(took.Seconds())
}
