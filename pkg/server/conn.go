package server

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"
)

// This file is one connection: its place among the others, and how slowly a client may take what it asked for.

// Bounds of a response on its way. Source: security requirements, "Staying up", for writeTime.
const (
	// stallTime is how long a client may take nothing at all, once the kernel has no room for more; give or take
	// stallStep: so often at most its end is moved.
	stallTime = 20 * time.Second
	stallStep = time.Second
	// writeTime is how long every client may take that takes something; after it, only one that has taken minRate
	// bytes a second goes on.
	writeTime = 60 * time.Second
	minRate   = 1 << 10
)

// conn is a connection with a place.
type conn struct {
	net.Conn
	places  *connections
	metrics *metrics
	address netip.Prefix // that it counts for; none for a proxy's

	// Guarded by places.mu; spare only changes from true to false.
	spare, released bool

	serving atomic.Bool
	began   atomic.Int64 // when the present request was read, in nanoseconds of Unix time
	sent    atomic.Int64 // bytes since then
	stalled time.Time    // when writing ends unless something is taken; the writer's own

	// answered says that the response was written past net/http, whose own is thrown away until the request is over, or
	// failed to be; both are the writer's own.
	answered bool
	failed   error
}

// begin starts the time of a response.
func (c *conn) begin(now time.Time) {
	c.began.Store(now.UnixNano())
	c.sent.Store(0)
}

// Write writes all of p, however slowly the client takes it.
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

// maxPiece is how many bytes of a file the kernel is given at once, so that the time moves with what is taken of it.
const maxPiece = 256 << 10

// ReadFrom has the kernel send a part of a file, as net/http asks for it; anything else goes through Write.
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
		return n, n > 0 && part.N > 0, err // n is 0 when the file has shrunk
	})
}

// onlyWriter hides that a connection can send files.
type onlyWriter struct{ io.Writer }

// push calls step until there is no more, however slowly the client takes it: its time begins anew whenever some of it
// is taken, be it of what the kernel held already.
func (c *conn) push(step func() (n int64, more bool, err error)) (sent int64, err error) {
	held, known := 0, false // how much the kernel held when the time began anew
	for {
		now := time.Now()
		if c.tooSlow(now) {
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

// untaken is how many bytes the kernel holds that the client has not taken; known is false where it does not tell.
func (c *conn) untaken() (bytes int, known bool) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return untaken(tcp)
	}
	return 0, false
}

// SetWriteDeadline leaves the end of writing as it is, which is the connection's own matter: see push. net/http would
// lift it after each request.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// tooSlow says whether the response takes longer than every client may, and its client has taken less than it must.
func (c *conn) tooSlow(now time.Time) bool {
	began := c.began.Load()
	if began == 0 {
		return false
	}
	took := now.Sub(time.Unix(0, began))
	return took > writeTime && float64(c.sent.Load()) < took.Seconds()*minRate
}

// Close gives the place back.
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
