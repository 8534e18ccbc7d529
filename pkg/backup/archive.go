package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"regexp"
	"time"
)

// formatVersion is the version of the archive's format: docs/backup.md#format.
const formatVersion = 1

// The entries, in their order.
const (
	manifestName  = "manifest.json"
	secretsFolder = "secrets/"
	databaseName  = "masthead.db" // SQLite
	tablesFolder  = "tables/"     // Postgres
	endName       = "end.json"
	checksum      = "MASTHEAD.sha256" // a PAX record of every entry
)

// Bounds of an archive.
const (
	maxManifest = 1 << 20
	maxSecret   = 64 << 10
	maxFile     = 64 << 20 // a picture, or a part of a table
	partSize    = 4 << 20  // of the parts that tables are written in
	maxEntries  = 1 << 32
)

// Manifest is the first entry of an archive.
type Manifest struct {
	Format    int       `json:"format"`
	Masthead  string    `json:"masthead"` // version of the program
	CreatedAt time.Time `json:"createdAt"`
	Database  string    `json:"database"` // sqlite or postgres
	Schema    []int64   `json:"schema"`   // its migrations
	// Installation is the ID of the installation; "" before its first start.
	Installation string `json:"installation"`
	// Files is how many files the database lists. Some of them may not exist yet.
	Files int64 `json:"files"`
}

// ending is the last entry. An archive without it is incomplete.
type ending struct {
	Entries int64  `json:"entries"` // before this one
	SHA256  string `json:"sha256"`  // of the lines "checksum  name" of the entries
	Lost    int64  `json:"lost"`
}

// writer writes an archive.
type writer struct {
	tar     *tar.Writer
	sums    hash.Hash
	entries int64
	written int64
}

func newWriter(w io.Writer) *writer { return &writer{tar: tar.NewWriter(w), sums: sha256.New()} }

func (w *writer) bytes(name string, data []byte) error {
	sum := sha256.Sum256(data)
	return w.entry(name, int64(len(data)), hex.EncodeToString(sum[:]), bytes.NewReader(data))
}

func (w *writer) json(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return w.bytes(name, data)
}

// entry writes an entry of a known length and checksum.
func (w *writer) entry(name string, size int64, sum string, content io.Reader) error {
	err := w.tar.WriteHeader(&tar.Header{
		Name: name, Size: size, Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		PAXRecords: map[string]string{checksum: sum},
	})
	if err != nil {
		return err
	}
	copied, err := io.Copy(w.tar, content)
	if err != nil {
		return err
	}
	if copied != size {
		return fmt.Errorf("%s changed while it was copied", name)
	}
	w.entries++
	w.written += size
	fmt.Fprintf(w.sums, "%s  %s\n", sum, name)
	return nil
}

// end writes the last entry.
func (w *writer) end(lost int64) error {
	end := ending{Entries: w.entries, SHA256: hex.EncodeToString(w.sums.Sum(nil)), Lost: lost}
	if err := w.json(endName, end); err != nil {
		return err
	}
	return w.tar.Close()
}

// damageError is an archive that isn't what [Write] wrote.
type damageError struct{ what string }

func (e damageError) Error() string {
	return "this backup is damaged or incomplete: " + e.what
}

func damaged(format string, args ...any) error { return damageError{fmt.Sprintf(format, args...)} }

// entry is an entry of an archive. Its content must be read completely.
type entry struct {
	name string
	kind entryKind
	// table, and folder and file are parts of the name.
	table, folder, digest, file string

	size    int64
	content io.Reader
}

type entryKind int

// The kinds of entries, in their order.
const (
	manifestEntry entryKind = iota
	secretEntry
	databaseEntry
	tableEntry
	fileEntry
	endEntry
)

var (
	secretForm = regexp.MustCompile(`^secrets/([a-z][a-z-]{0,31})$`)
	tableForm  = regexp.MustCompile(`^tables/([a-z][a-z0-9_]{0,62})/([0-9]{8})\.jsonl$`)
	fileForm   = regexp.MustCompile(
		`^([a-z]{1,16})/([0-9a-f]{2})/([0-9a-f]{64})\.([a-z0-9][a-z0-9-]{0,63}\.[a-z0-9]{1,12})$`)
	sumForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// reader reads an archive. Everything in it is untrusted until its checksum was compared.
type reader struct {
	tar     *tar.Reader
	sums    hash.Hash
	entries int64
	read    int64
	at      entryKind
	current *checksumReader
	end     *ending
}

func newReader(r io.Reader) *reader {
	return &reader{tar: tar.NewReader(r), sums: sha256.New(), at: -1}
}

// manifest reads the first entry.
func (r *reader) manifest() (m Manifest, err error) {
	e, err := r.next()
	if err == nil && (e == nil || e.kind != manifestEntry) {
		err = damaged("it doesn't begin with %s", manifestName)
	}
	if err != nil {
		return m, err
	}
	text, err := e.whole()
	if err != nil {
		return m, err
	}
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return m, damaged("%s: %v", manifestName, err)
	}
	if format.Format != formatVersion {
		return m, fmt.Errorf("this backup has format %d and this program reads %d: run the version of masthead that "+
			"wrote it", format.Format, formatVersion)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, damaged("%s: %v", manifestName, err)
	}
	return m, nil
}

// next returns the next entry, or nil at the end of a complete archive.
func (r *reader) next() (*entry, error) {
	if r.current != nil && !r.current.done {
		return nil, errors.New("the entry before wasn't read") // a mistake of this package
	}
	if r.end != nil {
		if _, err := r.tar.Next(); !errors.Is(err, io.EOF) {
			return nil, damaged("it continues after its end")
		}
		return nil, nil //nolint:nilnil // the end
	}
	h, err := r.tar.Next()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, damaged("it ends too early")
	}
	if err != nil {
		return nil, readFault(err)
	}
	e, err := r.describe(h)
	if err != nil {
		return nil, err
	}
	if e.kind < r.at || e.kind == r.at && (e.kind == manifestEntry || e.kind == databaseEntry) {
		return nil, damaged("%q is in the wrong place", e.name)
	}
	if r.entries++; r.entries > maxEntries {
		return nil, damaged("it has too many entries")
	}
	r.at = e.kind
	r.current = &checksumReader{of: e.name, from: r.tar, left: e.size, want: h.PAXRecords[checksum], sum: sha256.New()}
	e.content = r.current
	if e.kind == endEntry {
		return nil, r.finish(e)
	}
	fmt.Fprintf(r.sums, "%s  %s\n", h.PAXRecords[checksum], e.name)
	r.read += e.size
	return e, nil
}

// describe checks the header of an entry.
func (r *reader) describe(h *tar.Header) (*entry, error) {
	if h.Typeflag != tar.TypeReg || h.Size < 0 {
		return nil, damaged("%q isn't a plain file", h.Name)
	}
	for name := range h.PAXRecords {
		switch name {
		case checksum, "path", "size":
		default: // such as those of sparse files
			return nil, damaged("%q has the attribute %q", h.Name, name)
		}
	}
	if !sumForm.MatchString(h.PAXRecords[checksum]) {
		return nil, damaged("%q has no checksum", h.Name)
	}
	e := &entry{name: h.Name, size: h.Size}
	most := int64(maxFile)
	switch h.Name {
	case manifestName:
		e.kind, most = manifestEntry, maxManifest
	case endName:
		e.kind, most = endEntry, maxManifest
	case databaseName:
		e.kind, most = databaseEntry, h.Size // bounded by the disk
	default:
		if m := secretForm.FindStringSubmatch(h.Name); m != nil {
			e.kind, e.file, most = secretEntry, m[1], maxSecret
		} else if m := tableForm.FindStringSubmatch(h.Name); m != nil {
			e.kind, e.table = tableEntry, m[1]
		} else if m := fileForm.FindStringSubmatch(h.Name); m != nil && m[3][:2] == m[2] {
			e.kind, e.folder, e.digest, e.file = fileEntry, m[1], m[3], m[4]
		} else {
			return nil, damaged("it has a file %q", h.Name)
		}
	}
	if e.size > most {
		return nil, damaged("%q is too large: %d bytes", h.Name, e.size)
	}
	return e, nil
}

// finish compares the last entry with what was read.
func (r *reader) finish(e *entry) error {
	text, err := e.whole()
	if err != nil {
		return err
	}
	var end ending
	if err := json.Unmarshal(text, &end); err != nil {
		return damaged("%s: %v", endName, err)
	}
	if end.Entries != r.entries-1 || end.SHA256 != hex.EncodeToString(r.sums.Sum(nil)) {
		return damaged("entries are missing")
	}
	r.end = &end
	_, err = r.next()
	return err
}

// whole reads the content of an entry.
func (e *entry) whole() ([]byte, error) {
	data, err := io.ReadAll(e.content)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// checksumReader reads an entry and compares its checksum at its end.
type checksumReader struct {
	of   string
	from io.Reader
	left int64
	want string
	sum  hash.Hash
	done bool
}

func (c *checksumReader) Read(p []byte) (int, error) {
	if c.done {
		return 0, io.EOF
	}
	n, err := c.from.Read(p)
	c.sum.Write(p[:n])
	c.left -= int64(n)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, damaged("it ends in the middle of %q", c.of)
	case !errors.Is(err, io.EOF):
		return n, readFault(err)
	}
	if c.left != 0 || hex.EncodeToString(c.sum.Sum(nil)) != c.want {
		return n, damaged("%q isn't what was backed up", c.of)
	}
	c.done = true
	return n, io.EOF
}
