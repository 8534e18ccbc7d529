package server

import (
	"bytes"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// messages is the log of the HTTP server. Its messages repeat what clients sent, and anybody can cause as many as he
// likes: they are counted, by kind. Only those that tell of a fault of ours are logged.
type messages struct {
	counted *prometheus.CounterVec

	mu   sync.Mutex
	told time.Time // when the log last told of a failing listener
}

// kinds are how messages begin that are not "other".
var kinds = []struct {
	name  string
	begin []byte
}{
	{"panic", []byte("http: panic serving")},
	{"accept", []byte("http: Accept error")},
	{"superfluous", []byte("http: superfluous response.WriteHeader")},
	{"handler", []byte("http: ")},
}

// Write implements [io.Writer]: it takes one message.
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
		slog.Error("connections cannot be accepted", "err", string(message))
	}
	return len(message), nil
}

// due says whether the log is to tell of the listener again.
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
