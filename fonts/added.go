package fonts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// Bounds on the faces that a deployment adds: they are trusted to be fonts, and may still be too many.
const (
	MaxAddedFaces = 64       // in a folder
	MaxAddedBytes = 64 << 20 // of one file
)

// added are the faces of AddDir.
var added []*Face

// Added returns the faces that were added, in the order of their files' names. The slice is shared: do not change it.
func Added() []*Face { return added }

// AddDir adds the TrueType and OpenType faces of a folder (*.ttf, *.otf; others are passed over), as the first
// fallbacks for characters that the family of a text lacks. The weight and the slant are those that a face tells of
// itself.
//
// Files are read whole and parsed at once: a broken one is an error here, not a card that fails later. It must be
// called before anything is drawn, from one goroutine. Errors tell of all files that cannot be used.
func AddDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read the folder of fonts: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		ending := strings.ToLower(filepath.Ext(e.Name()))
		return e.IsDir() || ending != ".ttf" && ending != ".otf"
	})
	if len(entries) > MaxAddedFaces {
		return fmt.Errorf("%s holds %d fonts, and may hold %d", dir, len(entries), MaxAddedFaces)
	}
	var read []*Face
	var faults []error
	for _, entry := range entries {
		face, err := readAdded(filepath.Join(dir, entry.Name()))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		read = append(read, face)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	for _, face := range read {
		face.index = len(faces)
		faces = append(faces, face)
	}
	added = append(added, read...)
	return nil
}

// memory is a file system of one file, read already.
type memory []byte

// Open returns the file, whatever its name.
func (m memory) Open(string) (fs.File, error) { return memoryFile{Reader: bytes.NewReader(m)}, nil }

// memoryFile is what memory opens.
type memoryFile struct {
	*bytes.Reader
	fs.File // nothing is asked of it
}

// Read reads from memory: both embedded types have the method.
func (f memoryFile) Read(b []byte) (int, error) { return f.Reader.Read(b) }

// readAdded reads and parses the face of a file.
func readAdded(path string) (face *Face, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at font %s: %w", path, err)
	}
	if info.Size() > MaxAddedBytes {
		return nil, fmt.Errorf("font %s has %d bytes, and may have %d", path, info.Size(), MaxAddedBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", path, err)
	}
	defer func() { // the parser trusts a file more than it should
		if p := recover(); p != nil {
			face, err = nil, fmt.Errorf("parse font %s: %v", path, p)
		}
	}()
	name := filepath.Base(path)
	face = newFace(strings.TrimSuffix(name, filepath.Ext(name)), 400, false, memory(data), name)
	parsed, err := face.parse()
	if err != nil {
		return nil, fmt.Errorf("parse font %s: %w", path, err)
	}
	if _, err := face.readChars(); err != nil {
		return nil, fmt.Errorf("read the characters of font %s: %w", path, err)
	}
	loader, err := face.open()
	if err != nil {
		return nil, fmt.Errorf("open font %s: %w", path, err)
	}
	description, _ := font.Describe(loader, nil)
	face.Weight = cmp.Or(int(description.Aspect.Weight), 400)
	face.Italic = description.Aspect.Style == font.StyleItalic
	face.font = parsed
	face.once.Do(func() { face.parsed.Store(true) })
	return face, nil
}

var _ opentype.Resource = memoryFile{}
