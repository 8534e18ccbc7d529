package fetch

import (
	"io"

	"github.com/prometheus/client_golang/prometheus"
)

// messages is a log that counts what is written to it and keeps nothing.
type messages struct{ counted prometheus.Counter }

// Write implements [io.Writer]: it takes one message.
func (m messages) Write(message []byte) (int, error) {
	m.counted.Inc()
	return len(message), nil
}

// Messages is where the log of package log belongs while c is in use: net/http has no other for what it says of the
// connections that it keeps, and repeats in it what strangers sent. The messages are counted and dropped.
func (c *Client) Messages() io.Writer { return messages{c.metrics.messages} }
