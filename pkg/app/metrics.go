package app

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Collectors returns the collectors of this program and those of the process.
func (a *App) Collectors() []prometheus.Collector {
	return slices.Concat(a.collectors(), a.server.Collectors(), []prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	})
}

// metrics registers the collectors. The registry is of one App: two in one process, as in tests, count apart.
func (a *App) metrics() (*prometheus.Registry, error) {
	registry := prometheus.NewRegistry()
	var faults []error
	for _, c := range a.Collectors() {
		if err := registry.Register(c); err != nil {
			faults = append(faults, fmt.Errorf("register a metric: %w", err))
		}
	}
	return registry, errors.Join(faults...)
}
