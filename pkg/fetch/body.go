package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// wireSlack is how much longer than its content a compressed body may be, so that input which decompresses to nothing
// is bounded.
const wireSlack = 64 << 10

// firstBuffer is the maximum buffer allocated because of a Content-Length alone.
const firstBuffer = 512 << 10

var (
	errEncoding = errors.New("unrequested content encoding")
	errTooLarge = errors.New("body too large")

	unpackers sync.Pool // of *unpacker
)

// content is the part of a body that was read.
type content struct {
	body      []byte
	size      int64 // bytes counted; a lower bound unless the body was read completely
	sized     bool  // of a truncated body: the server gave its full size
	truncated bool
	broken    bool // the rest didn't arrive
	stopped   bool // the rest wasn't needed
}

// meter counts the bytes of a body as they arrive, and ends the body when no more may be read.
type meter struct {
	io.ReadCloser
	spend func(int) error
}

// Read implements [io.Reader].
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if n > 0 {
		if over := m.spend(n); over != nil && err == nil {
			err = over
		}
	}
	return n, err
}

// readContent reads the body of resp, decoded, within the limits of r. It doesn't close it.
//
// If r can use a partial body, one that is too long, breaks off or can't be decoded further counts as truncated, as
// long as something arrived; the end of ctx is still an error.
func readContent(ctx context.Context, resp *http.Response, r rule) (content, error) {
	packed, err := isPacked(resp.Header)
	if err != nil {
		return content{}, err
	}
	declared := resp.ContentLength // -1 when unknown
	if !packed && !r.partial && declared > r.count {
		return content{}, errTooLarge
	}
	var source io.Reader = resp.Body
	if packed {
		unpacker, err := unpack(resp.Body, r.count+wireSlack)
		if errors.Is(err, io.EOF) {
			return content{}, nil // no body: an error page or a 204 may declare gzip and send nothing
		}
		if err != nil {
			return content{}, fmt.Errorf("unpack: %w", err)
		}
		defer unpacker.release()
		source, declared = unpacker, -1
	}
	c, err := take(source, r, declared)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return content{}, ctx.Err()
	case errors.Is(err, ErrTooOften):
		return content{}, err
	case r.partial && len(c.body) > 0:
		c.truncated, c.broken = true, !damaged(err)
	default:
		return content{}, fmt.Errorf("read body: %w", err)
	}
	if c.truncated && !r.partial && !c.stopped {
		return content{}, errTooLarge
	}
	if c.truncated {
		c.size, c.sized = max(c.size, declared), declared >= 0
	}
	return c, nil
}

// damaged reports whether err means that the gzip data was sent damaged: another request would return the same.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt)
}

// take reads up to r.keep bytes, and checks for more unless declared, the length given by the server, already tells. It
// stops when r.enough returns true.
func take(source io.Reader, r rule, declared int64) (content, error) {
	var buf bytes.Buffer
	if declared > 0 {
		buf.Grow(int(min(declared, int64(r.keep), firstBuffer)) + bytes.MinRead)
	}
	stopped, err := takeUntil(&buf, source, r, declared)
	c := content{body: buf.Bytes(), size: int64(buf.Len()), stopped: stopped}
	if err == nil && (stopped || declared > r.count) {
		c.truncated = true
		return c, nil
	}
	if err != nil || buf.Len() < r.keep {
		return c, err
	}
	beyond, err := io.Copy(io.Discard, io.LimitReader(source, max(r.count-c.size, 1)))
	c.size += beyond
	c.truncated = beyond > 0
	return c, err
}

// looks are the lengths, in bytes, at which a beginning is checked: the headers of most pictures are within the first,
// those after a color profile and a thumbnail within the second, and nothing reads beyond the last.
var looks = [...]int64{16 << 10, 64 << 10, measuredBytes}

// takeUntil reads up to r.keep bytes into buf. It stops, and returns true, when the beginning is enough. If the body is
// too long to keep whole, it stops at the last check.
func takeUntil(buf *bytes.Buffer, source io.Reader, r rule, declared int64) (stopped bool, err error) {
	if r.enough != nil {
		for _, length := range looks {
			_, err := buf.ReadFrom(io.LimitReader(source, min(length, int64(r.keep))-int64(buf.Len())))
			ended := int64(buf.Len()) < length || int64(buf.Len()) == declared
			if err != nil || ended {
				return false, err
			}
			if r.enough(buf.Bytes()) {
				return true, nil
			}
		}
		if declared > r.count {
			return false, nil
		}
	}
	_, err = buf.ReadFrom(io.LimitReader(source, int64(r.keep-buf.Len())))
	return false, err
}

// isPacked reports whether the body is gzip. Anything but zero or one layer of gzip is an error.
func isPacked(h http.Header) (bool, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ","))); encoding {
	case "", "identity":
		return false, nil
	case "gzip", "x-gzip":
		return true, nil
	default:
		return false, errEncoding
	}
}

// unpacker is a gzip reader and the bounded part of the body that it reads.
type unpacker struct {
	gzip.Reader
	wire io.LimitedReader
}

// unpack returns a pooled reader of at most most bytes of source.
func unpack(source io.Reader, most int64) (*unpacker, error) {
	u, ok := unpackers.Get().(*unpacker)
	if !ok {
		u = new(unpacker)
	}
	u.wire = io.LimitedReader{R: source, N: most}
	if err := u.Reset(&u.wire); err != nil {
		u.release()
		return nil, err
	}
	return u, nil
}

// release returns u to the pool without a reference to its connection.
func (u *unpacker) release() {
	u.wire.R = nil
	unpackers.Put(u)
}
