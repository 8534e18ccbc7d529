package server

import (
	"bytes"
	"log"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestMessages_ofClientsAreCountedAlone also holds that of a failing listener the log is told once a minute.
func TestMessages_ofClientsAreCountedAlone(t *testing.T) {
	var told bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&told, nil)))
	m := newMetrics()
	to := log.New(&messages{counted: m.logged}, "", 0)
	for _, message := range []string{
		"http: TLS handshake error from 192.0.2.1:1: what the client sent",
		"http: response.Write on hijacked connection from what the client sent",
		"what the client sent\nlevel=ERROR msg=forged",
		"http: superfluous response.WriteHeader call from x",
		"http: Accept error: accept tcp 127.0.0.1:1: accept4: too many open files; retrying in 5ms",
		"http: Accept error: accept tcp 127.0.0.1:1: accept4: too many open files; retrying in 10ms",
		"http: panic serving 192.0.2.1:1: a fault of ours\ngoroutine 1 [running]:",
	} {
		to.Print(message)
	}
	for kind, want := range map[string]float64{"handler": 2, "other": 1, "superfluous": 1, "accept": 2, "panic": 1} {
		if got := testutil.ToFloat64(m.logged.WithLabelValues(kind)); got != want {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
	if got := told.String(); strings.Contains(got, "what the client sent") || strings.Contains(got, "forged") ||
		strings.Count(got, "too many open files") != 1 || strings.Count(got, "a fault of ours") != 1 ||
		strings.Count(got, "\n") != 2 {
		t.Errorf("the log has %s", got)
	}
}
