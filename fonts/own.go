package fonts

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// This file has fonts that come and go while the program runs: those that people upload.

// maxFaces is how many faces there may be with those of a set: caches key by numbers below it.
const maxFaces = 255

// maxReach is how far from its origin a glyph of an uploaded font is drawn, in em.
const maxReach = 16

// File is a font that package fontfile has checked.
type File struct {
	Family               string
	MinWeight, MaxWeight int // the same, unless it is a variable font
	Italic               bool
	Data                 []byte
}

// Set is fonts beside those of [All]. It is safe for concurrent use.
type Set struct {
	files []File

	mu    sync.Mutex
	faces []*Face
	made  map[setKey]*Face
}

// setKey is a file of a set at a weight.
type setKey struct{ file, weight int }

// NewSet returns a set of files, which are read when they are first needed.
func NewSet(files []File) *Set { return &Set{files: files, made: map[setKey]*Face{}} }

// Bytes returns the size of the files.
func (s *Set) Bytes() (n int) {
	for _, f := range s.files {
		n += len(f.Data)
	}
	return n
}

// Has reports whether the set has a family.
func (s *Set) Has(family string) bool {
	return s != nil && slices.ContainsFunc(s.files, func(f File) bool { return strings.EqualFold(f.Family, family) })
}

// Find returns the face of a family that suits a weight and slant best, or nil if the set has no such family. A
// variable font is drawn at the weight itself, in steps of 100.
func (s *Set) Find(family string, weight int, italic bool) *Face {
	return s.Varied(family, weight, italic, 0)
}

// Varied is Find, but a variable font is drawn at another weight than the one that it is chosen by, unless that is 0.
func (s *Set) Varied(family string, weight int, italic bool, varied int) *Face {
	if s == nil {
		return nil
	}
	best := -1
	for i, f := range s.files {
		if !strings.EqualFold(f.Family, family) {
			continue
		}
		if best < 0 || f.distance(weight, italic) < s.files[best].distance(weight, italic) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	f := &s.files[best]
	if f.MaxWeight > f.MinWeight {
		weight = (cmp.Or(varied, weight) + 50) / 100 * 100
	}
	key := setKey{best, min(max(weight, f.MinWeight), f.MaxWeight)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if face, ok := s.made[key]; ok {
		return face
	}
	if len(faces)+len(s.faces) >= maxFaces { // of a set of many variable fonts in all weights
		return s.faces[0]
	}
	face := newFace(f.Family, key.weight, f.Italic, memory(f.Data), f.Family)
	face.own, face.index = true, len(faces)+len(s.faces)
	// The drawings of glyphs of static TrueType fonts are read one by one, as those of embedded faces.
	face.embedded = f.MinWeight == f.MaxWeight && string(f.Data[:min(4, len(f.Data))]) != "OTTO"
	if !face.embedded && f.MinWeight < f.MaxWeight {
		face.variations = []font.Variation{{Tag: opentype.MustNewTag("wght"), Value: float32(key.weight)}}
	}
	s.faces, s.made[key] = append(s.faces, face), face
	return face
}

// distance says how far a file is from what a style asks for, as CSS orders faces. Source: CSS Fonts 4, 5.2.
func (f *File) distance(weight int, italic bool) int {
	const otherSlant, otherSide = 10000, 2000
	have := min(max(weight, f.MinWeight), f.MaxWeight)
	d := have - weight
	switch {
	case d < 0 && weight > 500, d > 0 && weight < 400, d > 0 && have > 500 && weight <= 500:
		d = max(d, -d) + otherSide // the other side is preferred
	}
	if f.Italic != italic {
		d += otherSlant
	}
	return max(d, -d)
}

// Face returns the face of a number that the set gave it, or that of [All].
func (s *Set) Face(index int) *Face {
	if index < len(faces) {
		return faces[index]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faces[index-len(faces)]
}

// Own reports whether the face is one of a [Set].
func (f *Face) Own() bool { return f.own }

// Check parses the face and returns the fault that Font would panic with.
func (f *Face) Check() error {
	if _, err := f.readChars(); err != nil {
		return err
	}
	_, err := f.parse()
	return err
}

// NewFont returns what a shaper uses: the face at its weight.
func (f *Face) NewFont() *font.Face {
	ft := font.NewFace(f.Font())
	if f.variations != nil {
		ft.SetVariations(f.variations)
	}
	return ft
}

// within reports whether all points of an outline are within reach of its origin.
func within(segments []opentype.Segment, upem float32) bool {
	reach := maxReach * upem
	for i := range segments {
		for _, p := range segments[i].ArgsSlice() {
			if !(math.Abs(float64(p.X)) <= float64(reach) && math.Abs(float64(p.Y)) <= float64(reach)) {
				return false
			}
		}
	}
	return true
}
