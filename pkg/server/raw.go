package server

import (
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/blob"
	"masthead/pkg/limit"
)

// This file writes the whole response of a picture in memory at once, head and body in one call of the kernel. net/http
// takes more time for the head of such a response, by way of a map that it copies and sorts, than all else here takes.

// fixedHead is the part of the head that all pictures share.
var fixedHead = "HTTP/1.1 200 OK\r\n" +
	"Access-Control-Allow-Origin: *\r\n" +
	"Access-Control-Expose-Headers: " + exposedToAll + "\r\n" +
	"Content-Security-Policy: " + picturePolicy + "\r\n" +
	"Cross-Origin-Resource-Policy: cross-origin\r\n" +
	"X-Content-Type-Options: nosniff\r\n"

var headPool = sync.Pool{New: func() any { b := make([]byte, 0, 2<<10); return &b }}

// rawConn is the connection of a request whose response may be written to it at once; nil when net/http is to write it,
// since it is no plain GET, or the connection is to end with it.
func rawConn(r *http.Request, k blob.Kept) *conn {
	if r.Method != http.MethodGet || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.Body != http.NoBody ||
		len(r.Header["Connection"]) > 0 || len(k.Bytes) == 0 || k.NotModified {
		return nil
	}
	c, _ := r.Context().Value(connKey{}).(*conn)
	return c
}

// sendRaw is send for a picture in memory.
func sendRaw(c *conn, k blob.Kept, told limit.Result, ignored string) (status int, sent int64, id string) {
	id = uuid.Must(uuid.NewV7()).String()
	buffer, _ := headPool.Get().(*[]byte)
	b := append((*buffer)[:0], fixedHead...)
	b = appendField(b, "Cache-Control: ", k.CacheControl[0])
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, k.Size, 10)
	b = appendField(b, "\r\nContent-Type: ", k.ContentType[0])
	b = appendField(b, "Date: ", date(time.Now()))
	b = appendField(b, "Etag: ", k.ETag[0])
	if ignored != "" {
		b = appendField(b, ignoredHeader+": ", ignored)
	}
	b = append(b, "X-Ratelimit-Limit: "...)
	b = strconv.AppendInt(b, told.Limit, 10)
	b = append(b, "\r\nX-Ratelimit-Remaining: "...)
	b = strconv.AppendInt(b, told.Remaining, 10)
	b = append(b, "\r\nX-Ratelimit-Reset: "...)
	b = strconv.AppendInt(b, resetOf(told), 10)
	b = appendField(b, "\r\nX-Request-Id: ", id)
	b = append(b, "\r\n"...)
	n, _ := c.answer(b, k.Bytes) // the client has left
	*buffer = b
	headPool.Put(buffer)
	return http.StatusOK, max(0, n-int64(len(b))), id
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, value...)
	return append(b, '\r', '\n')
}

// written is the text of a second.
type written struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[written]

// date is the Date header of a moment.
func date(now time.Time) string {
	if last := lastDate.Load(); last != nil && last.second == now.Unix() {
		return last.text
	}
	text := now.UTC().Format(http.TimeFormat)
	lastDate.Store(&written{now.Unix(), text})
	return text
}

// answer writes a whole response. What net/http writes for the same request, an empty one, is thrown away (see Write).
// After a failure the connection is of no more use.
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
