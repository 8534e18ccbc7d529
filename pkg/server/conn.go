package server

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"masthead/pkg/monotonic"
)

// This file is one connection: its slot, and the limits for clients that read slowly.

// Limits of sending a response.
const (
	// stallTime is how long a client may read nothing once the kernel's buffer is full, with a precision of stallStep,
	// since the deadline is moved no more often.
	stallTime = 20 * time.Second
	stallStep = time.Second
	// writeTime is how long every client may take that reads at all; after that, only clients that have read minRate bytes
	// per second continue.
	writeTime = 60 * time.Second
	minRate   = 1 << 10
)

// conn is a connection with a slot.
type conn struct {
	net.Conn
	places  *connections
	metrics *metrics
	address netip.Prefix // that it counts for; none for a proxy's

	// Guarded by places.mu; spare only changes from true to false.
	spare, released bool

	serving atomic.Bool
	began   atomic.Int64 // when the current request was read, as monotonic.Now says
	sent    atomic.Int64 // bytes since then
	stalled time.Time    // the write deadline unless data is read; used by the writer only

	// answered means that the response was written, or failed, past net/http, whose own response is discarded until the
	// request is over; used by the writer only.
	answered bool
	failed   error
}

// begin starts the time limit of a response.
func (c *conn) begin() {
	c.began.Store(int64(monotonic.Now()))
	c.sent.Store(0)
}

// Write writes all of p, however slowly the client reads.
func (c *conn) Write(p []byte) (written int, err error) {
	if c.answered {
		if c.failed != nil {
			return 0, c.failed
		}
		return len(p), nil
	}
	sent, err := c.push(func() (n int64, more bool, err error) {
		taken, err := c.Conn.Write(p)
		p = p[taken:]
		return int64(taken), false, err
	})
	return int(sent), err
}

// maxPiece is the maximum number of bytes of a file per system call, so that the deadline follows the progress.
const maxPiece = 256 << 10

// ReadFrom has the kernel send a part of a file, as net/http requests; anything else goes through Write.
func (c *conn) ReadFrom(r io.Reader) (sent int64, err error) {
	to, isTCP := c.Conn.(*net.TCPConn)
	part, isPart := r.(*io.LimitedReader)
	if !isTCP || !isPart {
		return io.Copy(onlyWriter{c}, r)
	}
	if _, isFile := part.R.(*os.File); !isFile {
		return io.Copy(onlyWriter{c}, r)
	}
	return c.push(func() (n int64, more bool, err error) {
		n, err = to.ReadFrom(&io.LimitedReader{R: part.R, N: min(part.N, maxPiece)})
		part.N -= n
		return n, n > 0 && part.N > 0, err // n is 0 if the file has shrunk
	})
}

// onlyWriter hides a connection's ability to send files.
type onlyWriter struct{ io.Writer }

// push calls step until it is done, however slowly the client reads: its time limit restarts whenever the client reads
// something, including data that the kernel already held.
func (c *conn) push(step func() (n int64, more bool, err error)) (sent int64, err error) {
	held, known := 0, false // bytes in the kernel's buffer when the time limit restarted
	for {
		now := time.Now()
		if c.tooSlow() {
			c.metrics.cut.WithLabelValues("slow").Inc()
			return sent, os.ErrDeadlineExceeded
		}
		if end := now.Add(stallTime); end.Sub(c.stalled) > stallStep {
			if err := c.Conn.SetWriteDeadline(end); err != nil {
				return sent, err
			}
			c.stalled = end
		}
		n, more, err := step()
		sent += n
		c.sent.Add(n)
		if err == nil {
			if !more {
				return sent, nil
			}
			held, known = 0, false
			continue
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return sent, err
		}
		before, knew := held, known
		held, known = c.untaken()
		if n == 0 && (!known || knew && held >= before) {
			c.metrics.cut.WithLabelValues("stalled").Inc()
			return sent, err
		}
	}
}

// untaken is how many bytes in the kernel's buffer the client hasn't read; known is false if the kernel doesn't tell.
func (c *conn) untaken() (bytes int, known bool) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return untaken(tcp)
	}
	return 0, false
}

// SetWriteDeadline does nothing, because the connection manages its own write deadline: see push. net/http would clear
// it after each request.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// tooSlow reports whether the response takes longer than writeTime, and its client has read too little.
func (c *conn) tooSlow() bool {
	began := c.began.Load()
	if began == 0 {
		return false
	}
	took := monotonic.Now() - time.Duration(began)
	return took > writeTime && float64(c.sent.Load()) < took.Seconds()*minRate
}

// Close closes the connection and releases its slot.
func (c *conn) Close() error {
	c.places.mu.Lock()
	c.places.forget(c)
	c.places.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets the server end a response so that a client that is still sending reads it.
func (c *conn) CloseWrite() error {
	if inner, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return inner.CloseWrite()
	}
	return nil
}
