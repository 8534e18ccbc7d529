package server

import (
	"bytes"
	"cmp"
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

// This file compresses pages. Three quarters of one are its style and scripts, which are the same on each request, so
// they are compressed once. The stream of a page then consists of those, and of what is between them, each a sequence
// of whole blocks. Source: RFC 1951, 3.2; RFC 1952, 2.3.

// maxConstants is the maximum number of styles and scripts that are kept compressed, more than there are.
const maxConstants = 128

// pageLevel is the level at which the rest of a page is compressed: with the constants out of the way the higher ones
// save next to nothing.
const pageLevel = flate.BestSpeed

// minConstant is the size below which a style or script isn't worth two more blocks, in bytes.
const minConstant = 1 << 10

// maxStored is the size up to which the bytes before a constant aren't worth compressing, at most 65 535.
const maxStored = 4 << 10

// constants are the elements whose content is the same on each request, in the order of a page.
var constants = []struct{ begin, end []byte }{
	{[]byte("<style"), []byte("</style>")}, {[]byte("<script nonce="), []byte("</script>")},
}

// gzipHead begins a gzip stream, without a time or a name.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// pageCompressor compresses pages. It may be used concurrently.
type pageCompressor struct {
	writers, buffers sync.Pool

	mu   sync.Mutex
	kept map[string][]byte // constants as blocks
}

func newPageCompressor() *pageCompressor { return &pageCompressor{kept: map[string][]byte{}} }

// compress writes a page as a gzip stream.
func (p *pageCompressor) compress(to *bytes.Buffer, page []byte) error {
	to.Write(gzipHead)
	if err := p.part(to, page, true); err != nil {
		return err
	}
	writeEnd(to, crc32.ChecksumIEEE(page), len(page))
	return nil
}

// writeEnd ends the gzip stream of a page.
func writeEnd(to *bytes.Buffer, checksum uint32, size int) {
	end := binary.LittleEndian.AppendUint32(nil, checksum)
	to.Write(binary.LittleEndian.AppendUint32(end, uint32(size))) // modulo 2^32
}

// part writes a part of a page as blocks, see [writeBlocks].
func (p *pageCompressor) part(to *bytes.Buffer, rest []byte, last bool) error {
	for _, element := range constants {
		for {
			before, constant, after, ok := cut(rest, element.begin, element.end)
			if !ok {
				break
			}
			if len(before) <= maxStored {
				writeStored(to, before)
			} else if err := p.deflate(to, before, false); err != nil {
				return err
			}
			blocks, err := p.constant(constant)
			if err != nil {
				return err
			}
			to.Write(blocks)
			rest = after
		}
	}
	return p.deflate(to, rest, last)
}

// cut cuts a page at the content of the first element that is large enough.
func cut(page, begin, end []byte) (before, content, after []byte, ok bool) {
	for start := 0; ; {
		at := bytes.Index(page[start:], begin)
		if at < 0 {
			return nil, nil, nil, false
		}
		start += at
		opened := bytes.IndexByte(page[start:], '>')
		if opened < 0 {
			return nil, nil, nil, false
		}
		start += opened + 1
		size := bytes.Index(page[start:], end)
		if size < 0 {
			return nil, nil, nil, false
		}
		if size >= minConstant {
			return page[:start], page[start : start+size], page[start+size:], true
		}
		start += size
	}
}

// writeStored writes at most 65 535 bytes as a block without compression, which isn't the last one.
func writeStored(to *bytes.Buffer, b []byte) {
	size := uint16(len(b))
	to.WriteByte(0)
	to.Write(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, size), ^size))
	to.Write(b)
}

// constant returns a style or script as blocks of which none is the last one, and that end with a byte.
func (p *pageCompressor) constant(content []byte) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.kept[string(content)]; ok {
		return known, nil
	}
	var to bytes.Buffer
	w, err := flate.NewWriter(&to, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a style: %w", err)
	}
	if err := writeBlocks(w, content, false); err != nil {
		return nil, err
	}
	if len(p.kept) < maxConstants {
		p.kept[string(content)] = to.Bytes()
	}
	return to.Bytes(), nil
}

// writeBlocks writes b as blocks that end with a byte. The last one ends the stream.
func writeBlocks(w *flate.Writer, b []byte, last bool) error {
	_, err := w.Write(b)
	if err == nil && last {
		err = w.Close()
	} else if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return fmt.Errorf("compress a page: %w", err)
	}
	return nil
}

// deflate writes b as blocks, see [writeBlocks].
func (p *pageCompressor) deflate(to io.Writer, b []byte, last bool) error {
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
	return writeBlocks(w, b, last)
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

// middleware compresses pages for clients that accept gzip. Those that aren't flushed before their end have a length.
func (p *pageCompressor) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !isPage(c) {
			return next(c)
		}
		r := c.Response()
		r.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if !acceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
			return next(c)
		}
		held := &heldPage{ResponseWriter: r.Writer, pages: p, body: p.buffer()}
		defer p.buffers.Put(held.body)
		r.Writer = held
		err := next(c)
		r.Writer = held.ResponseWriter
		if held.status == 0 {
			return err // which is answered outside
		}
		if failed := held.end(); failed != nil && err == nil {
			err = failed
		}
		return err
	}
}

// heldPage keeps a response in memory until it is complete, or flushed.
type heldPage struct {
	http.ResponseWriter

	pages  *pageCompressor
	status int // 0 before there is one
	body   *bytes.Buffer
	// sent means that a part was flushed. checksum and size are of all such parts.
	sent     bool
	checksum uint32
	size     int
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

// FlushError sends what was written, as [http.ResponseController] asks for it. The page goes on after it.
func (h *heldPage) FlushError() error {
	to := h.pages.buffer()
	defer h.pages.buffers.Put(to)
	if !h.sent {
		h.sent = true
		h.Header().Set(echo.HeaderContentEncoding, "gzip")
		h.status = cmp.Or(h.status, http.StatusOK) // nothing may be written yet
		h.ResponseWriter.WriteHeader(h.status)
		to.Write(gzipHead)
	}
	if err := h.sendPart(to, false); err != nil {
		return err
	}
	if err := http.NewResponseController(h.ResponseWriter).Flush(); err != nil {
		return fmt.Errorf("flush a part of a page: %w", err)
	}
	return nil
}

// sendPart sends what was written since the last part, after what to has, and the end of the stream after the last one.
func (h *heldPage) sendPart(to *bytes.Buffer, last bool) error {
	h.checksum = crc32.Update(h.checksum, crc32.IEEETable, h.body.Bytes())
	h.size += h.body.Len()
	if err := h.pages.part(to, h.body.Bytes(), last); err != nil {
		return err
	}
	h.body.Reset()
	if last {
		writeEnd(to, h.checksum, h.size)
	}
	return h.send(to.Bytes())
}

// end sends the rest of the response, or all of it.
func (h *heldPage) end() error {
	to, head, body := h.pages.buffer(), h.Header(), h.body.Bytes()
	defer h.pages.buffers.Put(to)
	if h.sent {
		return h.sendPart(to, true)
	}
	if len(body) >= minGzip && head.Get(echo.HeaderContentEncoding) == "" &&
		!strings.HasPrefix(head.Get(echo.HeaderContentType), "image/") {
		if err := h.pages.compress(to, body); err != nil {
			return err
		}
		body = to.Bytes()
		head.Set(echo.HeaderContentEncoding, "gzip")
	}
	if len(body) > 0 { // there is none with the status 304
		head.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	}
	h.ResponseWriter.WriteHeader(h.status)
	return h.send(body)
}

// send sends a part of the response as it is.
func (h *heldPage) send(b []byte) error {
	if _, err := h.ResponseWriter.Write(b); err != nil {
		return fmt.Errorf("write a page: %w", err)
	}
	return nil
}
