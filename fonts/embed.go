// Package fonts owns the embedded faces: the six families of style.font, and the fallbacks for scripts that those lack.
// Each file is a static TrueType face, cut to the characters that README.md lists, under the SIL Open Font License (its
// text stands beside it as FAMILY.OFL.txt).
//
// A face is parsed when it is first asked for, once, and then shared: a parsed font is safe for concurrent use, what a
// shaper makes of it (font.Face, harfbuzz.Font) is not and belongs to render/text.
//
// To add a family or a weight: a line in families.json, its package in .ci/tools/fonts/package.json, `task fonts`.
// Tests say what else has to know of it: the enum of style.font in openapi.yaml, and the traits or the fallback list of
// render/text.
package fonts

import (
	"embed"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// files holds the faces. They are read where they lie, in the program's read-only pages: embed.FS.ReadFile would copy
// them.
//
//go:embed *.ttf
var files embed.FS

// Face is one embedded face. It is safe for concurrent use.
type Face struct {
	// Family is the slug, as in style.font: "inter", "noto-sans-arabic".
	Family string
	// Weight is 400, 600, 700 or 800.
	Weight int
	Italic bool

	index int
	once  sync.Once
	font  *font.Font
}

// Name returns the name of the face's file without its ending: "inter-700", "instrument-serif-400-italic".
func (f *Face) Name() string {
	name := fmt.Sprintf("%s-%d", f.Family, f.Weight)
	if f.Italic {
		name += "-italic"
	}
	return name
}

// Font returns the parsed face. The first call parses it, which takes 1 to 3 ms for the largest.
//
// It panics when there is no such file or it is no font: that is a broken build, which the test of this package
// catches.
func (f *Face) Font() *font.Font {
	f.once.Do(func() {
		var err error
		if f.font, err = parse(f.Name()); err != nil {
			panic(fmt.Sprintf("fonts: embedded face %s: %v", f.Name(), err))
		}
	})
	return f.font
}

// parse reads an embedded face.
func parse(name string) (*font.Font, error) {
	file, err := files.Open(name + ".ttf")
	if err != nil {
		return nil, err
	}
	loader, err := opentype.NewLoader(file.(opentype.Resource)) // as embed.FS promises; closing it does nothing
	if err != nil {
		return nil, err
	}
	return font.NewFont(loader)
}

// Index returns the place of f in [All]: a small number by which caches can key.
func (f *Face) Index() int { return f.index }

// All returns every embedded face, in the order of families.json. The slice is shared: do not change it.
func All() []*Face { return faces }

// Find returns the face of a family that is nearest to a weight, or nil for a family that is not embedded.
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
