package server

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"masthead/pkg/blob"
)

// This file writes the whole response of a picture in memory at once, head and body in one system call. For the head of
// such a response alone, net/http takes more time, by copying and sorting a map, than everything else here.

var headPool = sync.Pool{New: func() any { b := make([]byte, 0, 2<<10); return &b }}

// rawConn is the connection of a request whose response may be written to it directly, or nil if net/http must write
// it, because it isn't a plain GET or the connection ends with it.
func rawConn(r *http.Request, k blob.Response) *conn {
	if r.Method != http.MethodGet || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.Body != http.NoBody ||
		len(r.Header["Connection"]) > 0 || len(k.Bytes) == 0 || k.NotModified {
		return nil
	}
	c, _ := r.Context().Value(connKey{}).(*conn)
	return c
}

// sendRaw is send for a picture in memory. Its bytes are those of net/http except for the order of headers.
func (r *response) sendRaw(c *conn) (sent int64) {
	buffer, _ := headPool.Get().(*[]byte)
	b := append((*buffer)[:0], "HTTP/1.1 200 OK\r\n"...)
	var room [maxFields]field
	for _, f := range r.fields(room[:0]) {
		b = appendField(b, f.name, f.value)
	}
	b = appendField(b, "Date", date(time.Now()))
	b = append(b, "\r\n"...)
	n, _ := c.answer(b, r.kept.Bytes) // on failure the client has left
	*buffer = b
	headPool.Put(buffer)
	return max(0, n-int64(len(b)))
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, '\r', '\n')
}

// dateText is the formatted text of a second.
type dateText struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[dateText]

// date is the Date header for now.
func date(now time.Time) string {
	if last := lastDate.Load(); last != nil && last.second == now.Unix() {
		return last.text
	}
	text := now.UTC().Format(http.TimeFormat)
	lastDate.Store(&dateText{now.Unix(), text})
	return text
}

// answer writes a whole response. net/http's own response to the same request, an empty one, is discarded (see Write).
// After a failure the connection is unusable.
func (c *conn) answer(head, body []byte) (sent int64, err error) {
	c.answered = true
	both := net.Buffers{head, body}
	sent, err = c.push(func() (n int64, more bool, err error) {
		n, err = both.WriteTo(c.Conn)
		return n, false, err
	})
	c.failed = err
	return sent, err
}
