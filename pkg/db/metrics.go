package db

import "github.com/prometheus/client_golang/prometheus"

// Collectors returns the package's metrics.
func (d *DB) Collectors() []prometheus.Collector {
	list := d.write.gate.collectors()
	if d.read != d.write {
		list = append(list, d.read.gate.collectors()...)
	}
	return list
}

func (g *gate) collectors() []prometheus.Collector {
	labels := prometheus.Labels{"pool": g.name}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: "masthead_db_" + name, Help: help, ConstLabels: labels}, value)
	}
	counter := func(name, help string, value func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(
			prometheus.CounterOpts{Name: "masthead_db_" + name, Help: help, ConstLabels: labels},
			func() float64 { return float64(value()) })
	}
	work := func(from string, value func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "masthead_db_work_total", Help: "Statements and transactions, by whether a caller waits for them.",
			ConstLabels: prometheus.Labels{"pool": g.name, "for": from},
		}, func() float64 { return float64(value()) })
	}
	return []prometheus.Collector{
		gauge("breaker_open", "1 while the database doesn't respond and the breaker is open.", func() float64 {
			if g.isOpen.Load() {
				return 1
			}
			return 0
		}),
		gauge("places_used", "Connections in use.", func() float64 { return float64(len(g.places)) }),
		gauge("waiting", "Callers waiting for a connection.", func() float64 { return float64(g.waiting.Load()) }),
		work("callers", g.asked.Load), work("background", g.behind.Load),
		counter("refused_total", "Callers refused by the open breaker or a full queue.", g.refused.Load),
		counter("faults_total", "Statements and transactions without a response from the database.", g.faults.Load),
	}
}
