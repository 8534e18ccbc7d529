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

// wireSlack is how much longer than its content a compressed body may be, so that input which unpacks to nothing has
// an end.
const wireSlack = 64 << 10

// firstBuffer bounds what is set aside because of a Content-Length alone.
const firstBuffer = 512 << 10

var (
	errEncoding = errors.New("content encoding that was not asked for")
	errTooLarge = errors.New("body too large")

	unpackers sync.Pool // of *unpacker
)

// content is a body as far as it was read.
type content struct {
	body      []byte
	size      int64 // bytes counted; of a body that was not read to its end, at least this many
	sized     bool  // of a truncated body: the other side gave the size of the whole
	truncated bool
	broken    bool // the rest did not come
	stopped   bool // the rest was not wanted
}

// meter counts the bytes of a body as they come from the other side, and ends it when no more are to be read.
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

// readContent reads the body of resp, decoded, within the limits of r. It does not close it.
//
// When r has a use for a beginning, a body that is too long, breaks off or cannot be decoded further counts as
// truncated, as long as something came; the end of ctx is an error all the same.
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
			return content{}, nil // no body at all: an error page or a 204 may say gzip and send nothing
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

// damaged reports whether err is about gzip that came as it was sent: another request would bring the same.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt)
}

// take reads up to r.keep bytes, and looks whether there are more unless declared, the length that the other side gave,
// says so already. It stops where r.enough says so.
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

// looks are the lengths, in bytes, at which a beginning is looked at. Source: ours; the headers of most pictures are
// within the first, those behind a color profile and a thumbnail within the second, and nothing looks beyond the last.
var looks = [...]int64{16 << 10, 64 << 10, measuredBytes}

// takeUntil reads up to r.keep bytes into buf. It stops, and says so, when the beginning is enough; where that could
// have been, it reads no further either when the whole would not be kept.
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

// isPacked reports whether the body is gzip. Anything but one gzip layer, or none, is an error.
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

// unpacker is a gzip reader with the bounded stretch of wire that it reads.
type unpacker struct {
	gzip.Reader
	wire io.LimitedReader
}

// unpack returns a reader from the pool for at most most bytes of source.
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

// release gives u back to the pool, where it holds on to no connection.
func (u *unpacker) release() {
	u.wire.R = nil
	unpackers.Put(u)
}
