package fetch_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"masthead/pkg/fetch"
)

func TestCollectors_tellOutcomesAndRefusals(t *testing.T) {
	addr := serve(t, func(http.ResponseWriter, *http.Request) {})
	addr, names := offLoopback(t, addr)
	c := client(t, fetch.Config{
		AllowHosts: []string{addr}, Resolver: names, Limits: fetch.Limits{HostRate: 0.01, HostBurst: 2},
	})
	for range 3 {
		_, _ = get(t, c, "http://"+addr+"/", fetch.Page) // the third is too much for the host's rate
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c.Collectors()...)
	want := `
		# HELP masthead_fetch_exchanges_total Requests sent, by outcome.
		# TYPE masthead_fetch_exchanges_total counter
		masthead_fetch_exchanges_total{outcome="answered"} 2
		# HELP masthead_fetch_places_in_use Running exchanges.
		# TYPE masthead_fetch_places_in_use gauge
		masthead_fetch_places_in_use 0
		# HELP masthead_fetch_refused_total Requests not sent, by reason.
		# TYPE masthead_fetch_refused_total counter
		masthead_fetch_refused_total{reason="rate"} 1
	`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "masthead_fetch_exchanges_total",
		"masthead_fetch_places_in_use", "masthead_fetch_refused_total"); err != nil {
		t.Error(err)
	}
}
