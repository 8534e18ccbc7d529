package fonts

import (
	"bytes"
	_ "embed" // families.json
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
)

// Default is the family of style.font when a request names none.
const Default = "inter"

// familyList is families.json: the one list of what is embedded, which .ci/tools/fonts/subset.mjs cuts faces by.
//
//go:embed families.json
var familyList []byte

// family is an entry of families.json.
type family struct {
	Slug string
	// Style tells that a request may name the family as style.font. Others stand in for scripts that those lack.
	Style   bool
	Weights []int
	Italics []int // weights that have an italic too
	// Large tells that the faces are left out of programs that are built with the tag smallfonts.
	Large bool
	// Characters names the set of characters in subset.mjs that the faces are cut to, Coverage says it for people.
	Characters, Coverage string
}

var families, faces = readFamilies(familyList)

// readFamilies returns the entries of the list and a face for each weight of each. It panics where the list is none:
// that is a broken build.
func readFamilies(list []byte) (families []family, faces []*Face) {
	decoder := json.NewDecoder(bytes.NewReader(list))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&families); err != nil {
		panic(fmt.Sprintf("fonts: families.json: %v", err))
	}
	add := func(f family, weights []int, italic bool) {
		for _, weight := range weights {
			face := newFace(f.Slug, weight, italic, files, "")
			face.embedded = true
			if face.file = face.Name() + ".ttf"; f.Large {
				face.from, face.file = largeFiles, "large/"+face.file
			}
			if _, err := fs.Stat(face.from, face.file); f.Large && err != nil {
				continue // a program without them
			}
			face.index = len(faces)
			faces = append(faces, face)
		}
	}
	for _, f := range families {
		add(f, f.Weights, false)
		add(f, f.Italics, true)
	}
	return families, faces
}

// Fallbacks returns the slugs of the embedded families that stand in for scripts and signs which those of [Families]
// lack, in the order of families.json, without those that this program was built without. The slice is the caller's.
func Fallbacks() []string {
	var out []string
	for _, f := range families {
		if !f.Style && !slices.Contains(out, f.Slug) && Find(f.Slug, 400, false) != nil {
			out = append(out, f.Slug)
		}
	}
	return out
}

// Families returns the slugs that a request may name as style.font, [Default] first. The slice is the caller's.
func Families() []string {
	var out []string
	for _, f := range families {
		if f.Style {
			out = append(out, f.Slug)
		}
	}
	return out
}
