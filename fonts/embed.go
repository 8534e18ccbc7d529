// Package fonts owns the faces: the six families of style.font, and the fallbacks for scripts and signs that those
// lack, all embedded; and those that a deployment adds (see [AddDir]). Each embedded file is a static TrueType face,
// cut to the characters that README.md lists, under the SIL Open Font License (its text stands beside it as
// FAMILY.OFL.txt).
//
// A face is parsed when it is first asked for, once, and then shared: a parsed font is safe for concurrent use, what a
// shaper makes of it (font.Face, harfbuzz.Font) is not and belongs to render/text. Whether a face has a character is
// read from its character map alone ([Face.Has]), so that looking for one parses no outlines.
//
// The large faces, of Chinese, Japanese, Korean and Tibetan, are left out of a program that is built with the tag
// smallfonts.
//
// To add a family or a weight: a line in families.json, its package in .ci/tools/fonts/package.json, `task fonts`.
// Tests say what else has to know of it: the enum of style.font in openapi.yaml, and the traits or the fallback list of
// render/text.
package fonts

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// files holds the faces. They are read where they lie, in the program's read-only pages: embed.FS.ReadFile would copy
// them.
//
//go:embed *.ttf
var files embed.FS

// Face is one face. It is safe for concurrent use.
type Face struct {
	// Family is the slug, as in style.font: "inter", "noto-sans-arabic".
	Family string
	// Weight is 400, 600, 700 or 800 of an embedded face, any of one that was added.
	Weight int
	Italic bool

	index int
	file  string // in folder
	from  fs.FS
	once  sync.Once
	font  *font.Font
	chars func() font.Cmap

	embedded bool    // its drawings are read one by one
	glyphs   *glyphs // of such a face that is parsed

	own        bool // of a [Set]
	variations []font.Variation

	parsed atomic.Bool
}

// Name returns the name of the face's file without its ending: "inter-700", "instrument-serif-400-italic".
func (f *Face) Name() string {
	name := fmt.Sprintf("%s-%d", f.Family, f.Weight)
	if f.Italic {
		name += "-italic"
	}
	return name
}

// Font returns the parsed face. The first call parses it, which takes a millisecond for the largest letter faces. The
// drawings of glyphs come from [Face.Outline]: of an embedded face, the font itself has none.
//
// It panics when there is no such file or it is no font: that is a broken build, which the test of this package
// catches. A face that was added was parsed once before.
func (f *Face) Font() *font.Font {
	f.once.Do(func() {
		f.parsed.Store(true)
		var err error
		if f.font, err = f.parse(); err != nil {
			panic(fmt.Sprintf("fonts: face %s: %v", f.Name(), err))
		}
	})
	return f.font
}

// Parsed reports whether the face is in memory: somebody called Font.
func (f *Face) Parsed() bool { return f.parsed.Load() }

// Has reports whether the face has a glyph for r. The first call reads its character map and nothing else.
func (f *Face) Has(r rune) bool {
	gid, ok := f.chars().Lookup(r)
	return ok && gid != 0 // a map may name the box of missing glyphs
}

// open returns the tables of the face's file.
func (f *Face) open() (*opentype.Loader, error) {
	file, err := f.from.Open(f.file)
	if err != nil {
		return nil, err
	}
	// What embed.FS opens is read in place, and closing it does nothing; so is a file that was added.
	return opentype.NewLoader(file.(opentype.Resource))
}

// parse reads all of the face, and of an embedded one all but the drawings of its glyphs.
func (f *Face) parse() (*font.Font, error) {
	if !f.embedded {
		return f.parseWhole()
	}
	file, err := f.from.Open(f.file)
	if err != nil {
		return nil, err
	}
	drawings, rest, err := readGlyphs(file.(io.ReaderAt))
	if err != nil {
		return nil, err
	}
	loader, err := opentype.NewLoader(rest)
	if err != nil {
		return nil, err
	}
	f.glyphs = drawings
	return font.NewFont(loader)
}

// parseWhole reads all of the face.
func (f *Face) parseWhole() (*font.Font, error) {
	loader, err := f.open()
	if err != nil {
		return nil, err
	}
	return font.NewFont(loader)
}

// readChars reads the character map.
func (f *Face) readChars() (font.Cmap, error) {
	loader, err := f.open()
	if err != nil {
		return nil, err
	}
	raw, err := loader.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, err
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil, err
	}
	chars, _, err := font.ProcessCmap(table, tables.FPNone)
	return chars, err
}

// newFace returns a face of a file, whose character map is read when it is first asked for.
func newFace(family string, weight int, italic bool, from fs.FS, file string) *Face {
	f := &Face{Family: family, Weight: weight, Italic: italic, from: from, file: file}
	f.chars = sync.OnceValue(func() font.Cmap {
		chars, err := f.readChars()
		if err != nil {
			panic(fmt.Sprintf("fonts: character map of %s: %v", f.Name(), err))
		}
		return chars
	})
	return f
}

// Index returns the place of f in [All]: a small number by which caches can key.
func (f *Face) Index() int { return f.index }

// All returns every face: those embedded, in the order of families.json, then those that were added. The slice is
// shared: do not change it.
func All() []*Face { return faces }

// Find returns the face of a family that is nearest to a weight, or nil for a family that there is not.
//
// An italic is returned only when it was asked for and the family has one; there is no faux italic and no faux bold.
// 500 is drawn as 400 (templates set their second weight at 600); a tie goes to the lighter face.
func Find(family string, weight int, italic bool) *Face {
	if weight == 500 {
		weight = 400
	}
	var best *Face
	for _, f := range faces {
		if f.Family == family && (best == nil || f.distance(weight, italic) < best.distance(weight, italic)) {
			best = f
		}
	}
	return best
}

// distance says how far f is from what was asked for; a wrong slant weighs more than any weight.
func (f *Face) distance(weight int, italic bool) int {
	d := f.Weight - weight
	if d < 0 {
		d = -d
	}
	if f.Italic != italic {
		d += 10000
	}
	return d
}
