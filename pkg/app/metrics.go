package app

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"masthead/pkg/admin"
)

// Collectors returns the collectors of this program and those of the process.
func (a *App) Collectors() []prometheus.Collector {
	return slices.Concat(a.collectors(), a.server.Collectors(), []prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	})
}

// drawn reads the times of drawing from the metric that counts them.
func (m *modules) drawn() (h admin.Histogram) {
	registry := prometheus.NewRegistry()
	for _, c := range m.Images.Collectors() {
		registry.MustRegister(c) // which App.metrics does, too
	}
	families, err := registry.Gather()
	if err != nil {
		slog.Error("read a metric", "err", err)
	}
	for _, f := range families {
		if f.GetName() != "masthead_images_render_seconds" {
			continue
		}
		of := f.GetMetric()[0].GetHistogram()
		h.Count = of.GetSampleCount()
		for _, b := range of.GetBucket() {
			h.Bounds, h.Counts = append(h.Bounds, b.GetUpperBound()), append(h.Counts, b.GetCumulativeCount())
		}
	}
	return h
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
