// Package design draws designs of users: HTML documents with tags of Mustache, filled in with the facts of a page.
//
//	d, err := design.Compile(source)                  // once for a version
//	doc, err := d.Fill(facts, design.Properties(theme, secondary))
//	picture, err := doc.Draw(ctx, design.Options{Width: 1200, Height: 630, Images: pictures})
//
// Faults of the document and of values in it are of type *[Error], with their line and column. Nothing is fetched:
// [Document.Pictures] lists the addresses that the caller has to get.
package design

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"masthead/render/html"
	"masthead/render/html/mustache"
	"masthead/render/palette"
)

const (
	// MaxBytes is the maximum size of a document.
	MaxBytes = html.MaxBytes
	// MaxData is the maximum size of the data of a request, as JSON.
	MaxData = 32 << 10
	// maxDataDepth is how deep data may be nested.
	maxDataDepth = 16
)

// Error is a fault of a document or of a value in it. Line and Column are its place, from 1; 0 means that it has none.
type Error struct {
	Line, Column int
	Message      string // a sentence
}

// Error says where the fault is, and what it is.
func (e *Error) Error() string { return Place(e.Line, e.Column) + e.Message }

// Place returns the beginning of a sentence about a place in a document: "Line 3, column 5: ", or "" for none.
func Place(line, column int) string {
	switch {
	case line < 1:
		return ""
	case column < 1:
		return fmt.Sprintf("Line %d: ", line)
	}
	return fmt.Sprintf("Line %d, column %d: ", line, column)
}

// Design is a compiled design. It is safe for concurrent use.
type Design struct {
	digest   string
	lower    string // the source in lower case
	sizes    []image.Point
	compiled *html.Design
}

// Digest returns the SHA-256 of a document in hexadecimal, by which its pictures are known.
func Digest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:])
}

// Compile parses a design and checks that it stays within the limits, both without any fact and with those of sample.
func Compile(source string, sample map[string]any) (*Design, error) {
	if len(source) > MaxBytes {
		return nil, &Error{Message: fmt.Sprintf("The document has %d bytes, and at most %d KB are allowed. "+
			"Pictures belong into assets, not into the document.", len(source), MaxBytes>>10)}
	}
	if at := invalidAt(source); at >= 0 {
		line, column := placeOf(source, at)
		return nil, &Error{line, column, "This isn't valid UTF-8."}
	}
	if strings.TrimSpace(source) == "" {
		return nil, &Error{Message: "The document is empty."}
	}
	compiled, err := html.Compile(source) // without any fact
	if err != nil {
		return nil, explain(err)
	}
	sizes, err := SizesOf(source)
	if err != nil {
		return nil, err
	}
	d := &Design{digest: Digest(source), lower: strings.ToLower(source), sizes: sizes, compiled: compiled}
	if _, err := d.Fill(sample, nil); err != nil {
		return nil, err
	}
	return d, nil
}

// invalidAt returns the position of the first byte that isn't UTF-8, or NUL; -1 if there is none.
func invalidAt(source string) int {
	for i, r := range source {
		if r == utf8.RuneError && !strings.HasPrefix(source[i:], "\uFFFD") || r == 0 {
			return i
		}
	}
	return -1
}

func placeOf(source string, at int) (line, column int) {
	before := source[:at]
	return 1 + strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n')
}

// Digest is that of the design's source.
func (d *Design) Digest() string { return d.digest }

// Sizes returns the sizes in pixels that the document says it is made for, or nil if it says none: see [SizesName].
func (d *Design) Sizes() []image.Point { return slices.Clone(d.sizes) }

// Uses reports whether the design has a tag of this fact.
func (d *Design) Uses(fact string) bool { return d.compiled.Uses(fact) }

// Names returns the names of all tags of the design.
func (d *Design) Names() map[string]bool { return d.compiled.Names() }

// Size returns about how much memory the design takes now, in bytes: it keeps parsed documents.
func (d *Design) Size() (bytes int) { return d.compiled.Size() + len(d.lower) }

// Mentions reports whether the source has a word, such as the family of a font, in any case.
func (d *Design) Mentions(word string) bool { return strings.Contains(d.lower, strings.ToLower(word)) }

// Document is a design filled in with facts. It is safe for concurrent use.
type Document struct {
	filled     *html.FilledDesign
	properties map[string]string
}

// Fill fills in the facts of a page, and the custom properties of its root element. It parses only what no earlier page
// had: see [html.Design].
func (d *Design) Fill(facts map[string]any, properties map[string]string) (*Document, error) {
	filled, err := d.compiled.Fill(facts)
	if err != nil {
		return nil, explain(err)
	}
	return &Document{filled, properties}, nil
}

// explain returns an error of the packages below as one of this package.
func explain(err error) error {
	var value *mustache.Error
	var limit *html.LimitError
	switch {
	case errors.As(err, &value):
		return &Error{Line: value.Line, Message: value.Message}
	case errors.As(err, &limit):
		return &Error{limit.Line, limit.Column, "The document is too large: " + limit.Limit + "."}
	case errors.Is(err, html.ErrTooLarge):
		return &Error{Message: fmt.Sprintf("With its values, the document has more than %d KB.", MaxBytes>>10)}
	}
	return err
}

// ParseData reads the data of a request: an object in JSON, for the tag data. It returns it with its canonical form.
func ParseData(raw []byte) (data map[string]any, canonical []byte, err error) {
	if len(raw) > MaxData {
		return nil, nil, &Error{Message: fmt.Sprintf("data has %d bytes, and at most %d KB are allowed.",
			len(raw), MaxData>>10)}
	}
	reader := json.NewDecoder(bytes.NewReader(raw))
	reader.UseNumber()
	if err := reader.Decode(&data); err != nil || reader.More() {
		return nil, nil, &Error{Message: "data must be an object in JSON."}
	}
	if len(data) == 0 {
		return nil, nil, nil
	}
	if depthOf(data) > maxDataDepth {
		return nil, nil, &Error{Message: fmt.Sprintf("data is nested more than %d deep.", maxDataDepth)}
	}
	canonical, err = json.Marshal(data) // its keys are sorted
	return data, canonical, err
}

// depthOf returns how deep a value of JSON is nested, at least until it is too deep.
func depthOf(v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, 1+depthOf(item))
		}
	case []any:
		for _, item := range v {
			deepest = max(deepest, 1+depthOf(item))
		}
	}
	return deepest
}

// Properties returns the custom properties that a document has of the colors of a card. Texts in --text and --muted
// have a contrast of at least 4.5 on --background, --surface and --surface-2; --accent and --secondary have it on
// --background, and --on-accent, --on-secondary and --on-brand on the color that they are named after. --brand is the
// accent as it is, moved only as far as --on-brand needs.
func Properties(theme palette.Theme, secondary color.NRGBA) map[string]string {
	second := palette.New(secondary, theme.Dark)
	other := second.AccentTextOn(theme.BG)
	scheme := "light"
	if theme.Dark {
		scheme = "dark"
	}
	return map[string]string{
		"--accent": palette.Hex(theme.AccentText), "--on-accent": palette.Hex(inkOn(theme.AccentText, theme)),
		"--secondary": palette.Hex(other), "--on-secondary": palette.Hex(inkOn(other, theme)),
		"--brand": palette.Hex(theme.Background), "--on-brand": palette.Hex(theme.OnBackground),
		"--background": palette.Hex(theme.BG), "--surface": palette.Hex(theme.Surface1),
		"--surface-2": palette.Hex(theme.Surface2), "--line": palette.Hex(theme.Line),
		"--text": palette.Hex(theme.Text), "--muted": palette.Hex(theme.Muted), "--scheme": scheme,
	}
}

// inkOn returns the color of text on a color: the canvas of the card if that can be read, otherwise white or black.
func inkOn(c color.NRGBA, theme palette.Theme) color.NRGBA {
	white, black := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}
	best := black
	if palette.Contrast(white, c) > palette.Contrast(black, c) {
		best = white
	}
	if palette.Contrast(theme.BG, c) >= palette.MinText {
		return theme.BG
	}
	return best
}
