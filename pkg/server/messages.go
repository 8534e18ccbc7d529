package server

import (
	"bytes"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// messages is the log of the HTTP server. Its messages quote what clients sent, and anyone can cause any number of
// them, so they are only counted, by kind. Those about faults of ours are logged.
type messages struct {
	counted *prometheus.CounterVec

	mu   sync.Mutex
	told time.Time // when a failing listener was last logged
}

// kinds are the beginnings of messages by kind; others are "other".
var kinds = []struct {
	name  string
	begin []byte
}{
	{"panic", []byte("http: panic serving")},
	{"accept", []byte("http: Accept error")},
	{"superfluous", []byte("http: superfluous response.WriteHeader")},
	{"handler", []byte("http: ")},
}

// Write implements [io.Writer]. Each call is one message.
func (m *messages) Write(message []byte) (int, error) {
	kind := "other"
	for _, k := range kinds {
		if bytes.HasPrefix(message, k.begin) {
			kind = k.name
			break
		}
	}
	m.counted.WithLabelValues(kind).Inc()
	switch {
	case kind == "panic":
		slog.Error("panic outside of a request's handling", "err", string(message))
	case kind == "accept" && m.due():
		slog.Error("connections can't be accepted", "err", string(message))
	}
	return len(message), nil
}

// due reports whether to log the listener's failure again.
func (m *messages) due() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Sub(m.told) < warnEvery {
		return false
	}
	m.told = now
	return true
}
