package server

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
)

// This file compresses pages. Three quarters of one are its style, which is the same on each request, so it is
// compressed once. The stream of a page then consists of the bytes before the style as they are, the compressed
// style, and the rest, each a sequence of whole blocks. Source: RFC 1951, 3.2; RFC 1952, 2.3.

// maxStyles is the maximum number of styles that are kept compressed, more than there are pages.
const maxStyles = 128

// pageLevel is the level at which the rest of a page is compressed: with the style out of the way the higher ones save
// next to nothing.
const pageLevel = flate.BestSpeed

// minStyle is the size below which a style isn't worth two more blocks.
const minStyle = 1 << 10

// gzipHead begins a gzip stream, without a time or a name.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// pageCompressor compresses pages. It may be used concurrently.
type pageCompressor struct {
	writers, buffers sync.Pool

	mu     sync.Mutex
	styles map[string][]byte // by style
}

func newPageCompressor() *pageCompressor { return &pageCompressor{styles: map[string][]byte{}} }

// compress writes a page as a gzip stream.
func (p *pageCompressor) compress(to *bytes.Buffer, page []byte) error {
	to.Write(gzipHead)
	rest := page
	if before, style, after, ok := cutStyle(page); ok {
		compressed, err := p.style(style)
		if err != nil {
			return err
		}
		writeStored(to, before)
		to.Write(compressed)
		rest = after
	}
	if err := p.deflate(to, rest); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(page))
	to.Write(binary.LittleEndian.AppendUint32(end, uint32(len(page)))) // modulo 2^32
	return nil
}

// cutStyle cuts a page at the content of its first style element. ok is false if it has none worth cutting, or the part
// before it is too large for a stored block.
func cutStyle(page []byte) (before, style, after []byte, ok bool) {
	start := bytes.Index(page, []byte("<style"))
	if start < 0 {
		return nil, nil, nil, false
	}
	opened := bytes.IndexByte(page[start:], '>')
	if opened < 0 {
		return nil, nil, nil, false
	}
	start += opened + 1
	size := bytes.Index(page[start:], []byte("</style>"))
	if size < minStyle || start > 0xffff {
		return nil, nil, nil, false
	}
	return page[:start], page[start : start+size], page[start+size:], true
}

// writeStored writes at most 65 535 bytes as a block without compression, which isn't the last one.
func writeStored(to *bytes.Buffer, b []byte) {
	size := uint16(len(b))
	to.WriteByte(0)
	to.Write(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, size), ^size))
	to.Write(b)
}

// style returns a style as blocks of which none is the last one, and that end with a byte.
func (p *pageCompressor) style(style []byte) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.styles[string(style)]; ok {
		return known, nil
	}
	var to bytes.Buffer
	w, err := flate.NewWriter(&to, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a style: %w", err)
	}
	if _, err := w.Write(style); err != nil {
		return nil, fmt.Errorf("compress a style: %w", err)
	}
	if err := w.Flush(); err != nil {
		return nil, fmt.Errorf("compress a style: %w", err)
	}
	if len(p.styles) < maxStyles {
		p.styles[string(style)] = to.Bytes()
	}
	return to.Bytes(), nil
}

// deflate writes b as blocks of which the last one ends the stream.
func (p *pageCompressor) deflate(to io.Writer, b []byte) error {
	w, ok := p.writers.Get().(*flate.Writer)
	if ok {
		w.Reset(to)
	} else {
		var err error
		if w, err = flate.NewWriter(to, pageLevel); err != nil {
			return fmt.Errorf("compress a page: %w", err)
		}
	}
	defer p.writers.Put(w)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("compress a page: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("compress a page: %w", err)
	}
	return nil
}

// buffer returns an empty buffer, to be put back.
func (p *pageCompressor) buffer() *bytes.Buffer {
	b, ok := p.buffers.Get().(*bytes.Buffer)
	if !ok {
		return &bytes.Buffer{}
	}
	b.Reset()
	return b
}

// middleware compresses complete pages for clients that accept gzip.
func (p *pageCompressor) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !isWholePage(c) {
			return next(c)
		}
		r := c.Response()
		r.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if !acceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
			return next(c)
		}
		held := &heldPage{ResponseWriter: r.Writer, body: p.buffer()}
		defer p.buffers.Put(held.body)
		r.Writer = held
		err := next(c)
		r.Writer = held.ResponseWriter
		if held.status == 0 {
			return err // which is answered outside
		}
		body := held.body.Bytes()
		if len(body) >= minGzip && r.Header().Get(echo.HeaderContentEncoding) == "" &&
			!strings.HasPrefix(r.Header().Get(echo.HeaderContentType), "image/") {
			to := p.buffer()
			defer p.buffers.Put(to)
			if err := p.compress(to, body); err != nil {
				return err
			}
			body = to.Bytes()
			r.Header().Set(echo.HeaderContentEncoding, "gzip")
		}
		if len(body) > 0 { // there is none with the status 304
			r.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
		}
		r.Writer.WriteHeader(held.status)
		if _, failed := r.Writer.Write(body); failed != nil && err == nil {
			err = fmt.Errorf("write a page: %w", failed)
		}
		return err
	}
}

// heldPage keeps a response in memory.
type heldPage struct {
	http.ResponseWriter

	status int // 0 before there is one
	body   *bytes.Buffer
}

// WriteHeader implements [http.ResponseWriter].
func (h *heldPage) WriteHeader(status int) { h.status = status }

// Write implements [http.ResponseWriter].
func (h *heldPage) Write(b []byte) (int, error) {
	if h.status == 0 {
		h.status = http.StatusOK
	}
	return h.body.Write(b) //nolint:wrapcheck // never fails
}
