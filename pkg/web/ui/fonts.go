package ui

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

//go:embed fonts/*.woff2
var faceFiles embed.FS

// FacePath is where the faces are served; after it come the name and the digest of one.
const FacePath = "/faces/"

// face is one of the faces of the pages.
type face struct {
	file, family, style string
	weight              int
}

var faces = []face{
	{"instrument-serif-400", "Instrument Serif", "normal", 400},
	{"instrument-serif-400-italic", "Instrument Serif", "italic", 400},
	{"inter-400", "Inter", "normal", 400},
	{"inter-600", "Inter", "normal", 600},
	{"jetbrains-mono-400", "JetBrains Mono", "normal", 400},
}

// fallbacks stand in until the faces are there, as wide and as high as they are, so that no line moves. Measured: the
// mean widths of letters and spaces as often as English has them, of the face and of the one that stands in; the
// vertical metrics are the face's own, divided by that.
const fallbacks = `@font-face{font-family:"Serif Fallback";src:local("Times New Roman"),local("Liberation Serif");` +
	`size-adjust:85%;ascent-override:116%;descent-override:36.5%;line-gap-override:0%}` +
	`@font-face{font-family:"Sans Fallback";src:local("Arial"),local("Liberation Sans");` +
	`size-adjust:107%;ascent-override:90.5%;descent-override:22.5%;line-gap-override:0%}`

// Faces returns the files of the faces by the part of their addresses after [FacePath]. A file never changes under its
// address.
func Faces() map[string][]byte {
	all := map[string][]byte{}
	for _, f := range faces {
		all[strings.TrimPrefix(FaceURL(f.file), FacePath)] = faceBytes(f.file)
	}
	return all
}

// FaceURL returns the address of a face by its file's name without its ending.
func FaceURL(name string) string {
	sum := sha256.Sum256(faceBytes(name))
	return FacePath + name + "." + hex.EncodeToString(sum[:6]) + ".woff2"
}

// faceData returns a face as an address that holds it.
func faceData(name string) string {
	return "data:font/woff2;base64," + base64.StdEncoding.EncodeToString(faceBytes(name))
}

func faceBytes(name string) []byte {
	data, err := faceFiles.ReadFile("fonts/" + name + ".woff2")
	if err != nil {
		panic("ui: " + err.Error())
	}
	return data
}

// faceRules returns the rules that name the faces, at the addresses that at gives.
func faceRules(at func(name string) string) string {
	var rules strings.Builder
	for _, f := range faces {
		fmt.Fprintf(&rules, `@font-face{font-family:"%s";font-style:%s;font-weight:%d;font-display:swap;`+
			`src:url(%s)format("woff2")}`, f.family, f.style, f.weight, at(f.file))
	}
	return rules.String() + fallbacks
}
