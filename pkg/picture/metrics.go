package picture

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// results are the labels of failed decodes by kind.
var results = []struct {
	label string
	kind  error
}{
	{"unknown", ErrUnknown}, {"unsupported", ErrUnsupported}, {"too_large", ErrTooLarge}, {"corrupt", ErrCorrupt},
	{"busy", ErrBusy}, {"timeout", ErrTimeout},
	{"not_ready", ErrNotReady}, {"workers_lost", ErrWorkersLost},
}

// newDecodes returns the counter of decodes by outcome.
func newDecodes() *prometheus.CounterVec {
	decodes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "masthead_picture_decodes_total", Help: "Untrusted pictures decoded, by outcome.",
	}, []string{"result"})
	decodes.WithLabelValues("ok")
	return decodes
}

// resultOf is the label of a decode that ended with err.
func resultOf(err error) string {
	if err == nil {
		return "ok"
	}
	for _, r := range results {
		if errors.Is(err, r.kind) {
			return r.label
		}
	}
	return "given_up" // by the caller
}

// Collectors returns the package's metrics.
func (d *Decoder) Collectors() []prometheus.Collector {
	decoders := func(state string, count func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_picture_decoders", ConstLabels: prometheus.Labels{"state": state},
			Help: "Decodes waiting for a worker, and workers lost in a picture.",
		}, func() float64 { return float64(count()) })
	}
	return append(d.pool.Collectors(), d.decodes,
		decoders("waiting", func() int { return int(d.pool.waiting.Load()) }), decoders("lost", d.pool.Lost))
}
