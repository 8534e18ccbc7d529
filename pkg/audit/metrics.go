package audit

import (
	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/apperr"
)

// metrics are the package's metrics.
type metrics struct {
	reports  *prometheus.CounterVec
	stage    *prometheus.HistogramVec
	pictures *prometheus.GaugeVec
	swept    *prometheus.CounterVec
}

// whose are the label values of pictures, as the store returns them.
var whose = [...]string{"accounts", "nobody"}

func newMetrics() *metrics {
	m := &metrics{
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_audit_reports_total",
			Help: "Audits requested: made, refused (the address), unread (the page), or failed here.",
		}, []string{"result"}),
		stage: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "masthead_audit_stage_seconds",
			Help:    "Time of the stages of a report: of its page, of everything else that it needs, of judging it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25},
		}, []string{"stage"}),
		pictures: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "masthead_audit_pictures_bytes",
			Help: "Disk space of reports' pictures at the last sweep, over all nodes.",
		}, []string{"of"}),
		swept: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_audit_swept_total", Help: "Reports deleted for their age, and pictures deleted to save disk space.",
		}, []string{"what"}),
	}
	for _, of := range whose {
		m.pictures.WithLabelValues(of).Set(0)
	}
	return m
}

// examined counts an audit. r is nil if there is no report, because of err.
func (m *metrics) examined(r *Report, err error) {
	switch {
	case err == nil:
		m.reports.WithLabelValues("made").Inc()
		m.stage.WithLabelValues("page").Observe(r.Timings.Read.Seconds())
		m.stage.WithLabelValues("rest").Observe((r.Timings.Fetched - r.Timings.Read).Seconds())
		m.stage.WithLabelValues("judge").Observe((r.Timings.Total - r.Timings.Fetched).Seconds())
	case apperr.CodeOf(err) == apperr.BadRequest:
		m.reports.WithLabelValues("refused").Inc()
	case apperr.CodeOf(err) == apperr.UpstreamFailed:
		m.reports.WithLabelValues("unread").Inc()
	default:
		m.reports.WithLabelValues("failed").Inc()
	}
}

// Collectors returns the package's metrics.
func (s *Service) Collectors() []prometheus.Collector {
	m := s.metrics
	return []prometheus.Collector{m.reports, m.stage, m.pictures, m.swept}
}
