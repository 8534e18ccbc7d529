package images

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are what the operator sees of the making of images.
type metrics struct {
	stage  *prometheus.HistogramVec
	render prometheus.Histogram
	remake *prometheus.CounterVec
	redraw *prometheus.CounterVec
	sent   *prometheus.CounterVec
	read   prometheus.Counter

	memory, kernel prometheus.Counter // of sent
}

func newMetrics() *metrics {
	m := &metrics{
		stage: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "masthead_images_stage_seconds",
			Help: "Time of the stages of making an image, their waiting included; after one that is \"done\" the image was " +
				"found.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25},
		}, []string{"stage", "result"}),
		render: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "masthead_images_render_seconds",
			Help:    "Time of drawing and encoding one picture, without waiting for a place.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}),
		remake: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_images_remade_total", Help: "Pictures whose files were lost or damaged, as they were made again.",
		}, []string{"result"}),
		redraw: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_images_redraws_total", Help: "Attempts to redraw outdated pictures.",
		}, []string{"result"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_images_sent_total", Help: "Kept pictures that were sent at once, from memory or by the kernel.",
		}, []string{"from"}),
		read: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_images_index_reads_total",
			Help: "Images that the index did not know and the database was asked for.",
		}),
	}
	m.memory, m.kernel = m.sent.WithLabelValues("memory"), m.sent.WithLabelValues("file")
	return m
}

// Collectors are the metrics of the package.
func (s *Service) Collectors() []prometheus.Collector {
	drawings := func(state string, count func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_images_drawings", Help: "Pictures that are being drawn, or wait for it.",
			ConstLabels: prometheus.Labels{"state": state},
		}, func() float64 { return float64(count()) })
	}
	m := s.metrics
	return append(s.evictions.Collectors(),
		m.stage, m.render, m.remake, m.redraw, m.sent, m.read,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_images_queue", Help: "Images whose page is read, and that are not kept yet.",
		}, func() float64 { return float64(s.workers.Len()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_images_queue_open", Help: "Below how many of them ahead of it another begins.",
		}, func() float64 { return float64(s.workers.Open()) }),
		drawings("running", s.workers.Drawing.Running),
		drawings("waiting", func() int { return s.workers.Waiting() + s.workers.Drawing.Waiting() }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "masthead_images_drawings_refused_total", Help: "Images that were not made, for too many wait.",
		}, func() float64 { return float64(s.workers.Refusals()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_images_indexed", Help: "Images that are shown without asking the database.",
		}, func() float64 { return float64(s.memory.index.Len()) }),
	)
}

// staged counts a stage that began at began and has ended with err, and whether it had the answer.
func (m *metrics) staged(name string, began time.Time, done bool, err error) {
	result := "ok"
	switch {
	case err != nil:
		result = "error"
	case done:
		result = "done"
	}
	m.stage.WithLabelValues(name, result).Observe(time.Since(began).Seconds())
}

// remade counts a picture that was to be made again.
func (m *metrics) remade(err error) {
	m.remake.WithLabelValues(resultOf(err)).Inc()
}

// redrawn counts an attempt to redraw an outdated picture.
func (m *metrics) redrawn(err error) {
	m.redraw.WithLabelValues(resultOf(err)).Inc()
}

func resultOf(err error) string {
	if err != nil {
		return "error"
	}
	return "ok"
}
