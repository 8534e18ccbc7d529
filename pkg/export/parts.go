package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// This file stores a zip as parts in the blob store, which all nodes share: an export may be much larger than what a
// store takes at once. The row of a part is written before its bytes, and deleted after them. Each attempt to write an
// export has its own parts; those of the attempt that finished are the zip.

const (
	partBytes   = 8 << 20
	sweptAtOnce = 500
)

// part is a row of export_parts.
type part struct {
	ExportID string `db:"export_id"`
	Attempt  string `db:"attempt"`
	Number   int    `db:"number"` // from 1
	Digest   string `db:"digest"` // SHA-256 of its bytes
}

// name is unique among all parts, so that no two exports share a file.
func (p part) name() blob.Name {
	return blob.Name{Digest: p.Digest, File: fmt.Sprintf("%s-%d.part", strings.ToLower(p.Attempt), p.Number)}
}

// partWriter stores what is written to it, until it is closed.
type partWriter struct {
	ctx               context.Context
	s                 *Service
	exportID, attempt string
	buffer            bytes.Buffer
	parts             int
	written           int64 // in bytes
}

func (w *partWriter) Write(data []byte) (n int, err error) {
	for len(data) > 0 {
		fits := min(len(data), w.s.partBytes-w.buffer.Len())
		w.buffer.Write(data[:fits])
		n, data = n+fits, data[fits:]
		if w.buffer.Len() == w.s.partBytes {
			if err := w.store(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func (w *partWriter) Close() error {
	if w.buffer.Len() == 0 {
		return nil
	}
	return w.store()
}

// store stores the buffer as the next part.
func (w *partWriter) store() error {
	w.parts++
	sum := sha256.Sum256(w.buffer.Bytes())
	p := part{w.exportID, w.attempt, w.parts, hex.EncodeToString(sum[:])}
	_, err := w.s.deps.DB.Exec(w.ctx, `INSERT INTO export_parts (export_id, attempt, number, digest, written_at)
		VALUES (?, ?, ?, ?, ?)`, p.ExportID, p.Attempt, p.Number, p.Digest, db.Millis{Time: w.s.now()})
	if err == nil {
		err = w.s.deps.Files.Put(w.ctx, p.name(), w.buffer.Bytes())
	}
	if err != nil {
		return fmt.Errorf("store part %d: %w", p.Number, err)
	}
	w.written += int64(w.buffer.Len())
	w.buffer.Reset()
	return nil
}

// partReader reads parts one after another, each of which is in memory while it is read.
type partReader struct {
	ctx   context.Context
	s     *Service
	parts []part // that are still to be read
	open  bytes.Reader
}

// openParts opens the zip of an export. The error is [blob.ErrNotFound] or [blob.ErrDamaged] if its first part is gone.
func (s *Service) openParts(ctx context.Context, exportID string) (io.ReadCloser, error) {
	r := &partReader{ctx: ctx, s: s}
	err := s.deps.DB.Select(ctx, &r.parts, `SELECT p.export_id, p.attempt, p.number, p.digest FROM exports e
		JOIN export_parts p ON p.export_id = e.id AND p.attempt = e.attempt WHERE e.id = ? ORDER BY p.number`, exportID)
	if err != nil {
		return nil, err
	}
	if len(r.parts) == 0 { // an earlier version wrote it, to a file of its own node
		return nil, blob.ErrNotFound
	}
	return r, r.next()
}

// next reads the next part.
func (r *partReader) next() error {
	p := r.parts[0]
	r.parts = r.parts[1:]
	data, err := r.s.deps.Files.Get(r.ctx, p.name())
	if err != nil {
		return fmt.Errorf("read part %d: %w", p.Number, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.Digest {
		return fmt.Errorf("read part %d: %w", p.Number, blob.ErrDamaged)
	}
	r.open.Reset(data)
	return nil
}

// Read implements [io.Reader].
func (r *partReader) Read(to []byte) (n int, err error) {
	for r.open.Len() == 0 && len(r.parts) > 0 {
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	return r.open.Read(to)
}

// Close implements [io.Closer].
func (r *partReader) Close() error {
	r.parts = nil
	r.open.Reset(nil)
	return nil
}

// sweepParts deletes parts that belong to no export, but none that an attempt may still be writing.
func (s *Service) sweepParts(ctx context.Context) error {
	written := s.now().Add(-2 * writeTime)
	for {
		var left []part
		err := s.deps.DB.Select(ctx, &left, `SELECT export_id, attempt, number, digest FROM export_parts WHERE written_at < ?
			AND NOT EXISTS (SELECT 1 FROM exports e WHERE e.id = export_parts.export_id AND e.attempt = export_parts.attempt)
			ORDER BY written_at LIMIT ?`, db.Millis{Time: written}, sweptAtOnce)
		if err != nil {
			return fmt.Errorf("find parts of exports that are gone: %w", err)
		}
		for _, p := range left {
			if err := s.deps.Files.Delete(ctx, p.name()); err != nil {
				return fmt.Errorf("delete a part of export %s: %w", p.ExportID, err)
			}
			if _, err := s.deps.DB.Exec(ctx, `DELETE FROM export_parts WHERE export_id = ? AND attempt = ? AND number = ?`,
				p.ExportID, p.Attempt, p.Number); err != nil {
				return fmt.Errorf("delete a part of export %s: %w", p.ExportID, err)
			}
		}
		if len(left) < sweptAtOnce {
			return nil
		}
	}
}
