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

// FacePath is the path prefix of the fonts, followed by the name and the digest of one.
const FacePath = "/faces/"

// face is a font of the pages.
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

// fallbacks are used until the fonts are loaded, with the same metrics, so that no line moves. Measured: the mean
// widths of letters and spaces by their frequency in English, of the font and its fallback; the vertical metrics are
// the font's own, divided by that ratio.
const fallbacks = `@font-face{font-family:"Serif Fallback";src:local("Times New Roman"),local("Liberation Serif");` +
	`size-adjust:85%;ascent-override:116%;descent-override:36.5%;line-gap-override:0%}` +
	`@font-face{font-family:"Sans Fallback";src:local("Arial"),local("Liberation Sans");` +
	`size-adjust:107%;ascent-override:90.5%;descent-override:22.5%;line-gap-override:0%}`

// Faces returns the font files by the part of their addresses after [FacePath]. The file at an address never changes.
func Faces() map[string][]byte {
	all := map[string][]byte{}
	for _, f := range faces {
		all[strings.TrimPrefix(FaceURL(f.file), FacePath)] = faceBytes(f.file)
	}
	return all
}

// FaceURL returns the address of a font by its file name without the extension.
func FaceURL(name string) string {
	sum := sha256.Sum256(faceBytes(name))
	return FacePath + name + "." + hex.EncodeToString(sum[:6]) + ".woff2"
}

// faceData returns a font as a data: address.
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

// faceRules returns the @font-face rules, with addresses returned by at.
func faceRules(at func(name string) string) string {
	var rules strings.Builder
	for _, f := range faces {
		fmt.Fprintf(&rules, `@font-face{font-family:"%s";font-style:%s;font-weight:%d;font-display:swap;`+
			`src:url(%s)format("woff2")}`, f.family, f.style, f.weight, at(f.file))
	}
	return rules.String() + fallbacks
}
