package app

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics registers the collectors of this program with those of the process. The registry is of one App: two in one
// process, as in tests, count apart.
func (a *App) metrics() (*prometheus.Registry, error) {
	registry := prometheus.NewRegistry()
	all := slices.Concat(a.collectors(), a.server.Collectors(), []prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	})
	var faults []error
	for _, c := range all {
		if err := registry.Register(c); err != nil {
			faults = append(faults, fmt.Errorf("register a metric: %w", err))
		}
	}
	return registry, errors.Join(faults...)
}
