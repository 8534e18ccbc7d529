package fetch

import (
	"io"

	"github.com/prometheus/client_golang/prometheus"
)

// messages is a log that counts the messages written to it and drops them.
type messages struct{ counted prometheus.Counter }

// Write implements [io.Writer]. Each call is one message.
func (m messages) Write(message []byte) (int, error) {
	m.counted.Inc()
	return len(message), nil
}

// Messages is the destination for the log of package log while c is in use: net/http logs messages about idle
// connections only there, and quotes untrusted data in them. The messages are counted and dropped.
func (c *Client) Messages() io.Writer { return messages{c.metrics.messages} }
