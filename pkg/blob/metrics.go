package blob

import "github.com/prometheus/client_golang/prometheus"

// metrics are the store's metrics.
type metrics struct {
	refused prometheus.Counter
	free    prometheus.GaugeFunc
}

func newMetrics(store string, free func() float64) *metrics {
	of := prometheus.Labels{"store": store}
	return &metrics{
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_blob_refused_total", Help: "Files not written because of too little free disk space.",
			ConstLabels: of,
		}),
		free: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_blob_free_bytes", Help: "Free disk space for pictures.", ConstLabels: of,
		}, free),
	}
}

// Collectors returns the store's metrics.
func (d *Disk) Collectors() []prometheus.Collector {
	return []prometheus.Collector{d.room.metrics.refused, d.room.metrics.free}
}
