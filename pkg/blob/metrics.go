package blob

import "github.com/prometheus/client_golang/prometheus"

// metrics are what the operator sees of the store.
type metrics struct {
	refused prometheus.Counter
	free    prometheus.GaugeFunc
}

func newMetrics(store string, free func() float64) *metrics {
	of := prometheus.Labels{"store": store}
	return &metrics{
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_blob_refused_total", Help: "Files that were not written, for there is too little free disk.",
			ConstLabels: of,
		}),
		free: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "masthead_blob_free_bytes", Help: "Free disk where pictures are kept.", ConstLabels: of,
		}, free),
	}
}

// Collectors are the metrics of the store.
func (d *Disk) Collectors() []prometheus.Collector {
	return []prometheus.Collector{d.room.metrics.refused, d.room.metrics.free}
}
