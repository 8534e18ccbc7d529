package design

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	document "masthead/render/html"
)

// This file reads which sizes a document is made for: <meta name="card-sizes" content="1200x630, 1080x1080">.

const (
	// SizesName is the name of the meta element that lists the sizes of a document.
	SizesName = "card-sizes"
	// MaxSizes is how many sizes it lists at most.
	MaxSizes = 6
	// MinSide is the minimum side of a card in pixels.
	MinSide = 200
	// MaxSide is its maximum side.
	MaxSide = document.MaxSide
	// MaxPixels is how many pixels it has at most.
	MaxPixels = document.MaxPixels
)

// SizeName returns a size in pixels as it is written: “1080x1350”.
func SizeName(size image.Point) string { return fmt.Sprintf("%dx%d", size.X, size.Y) }

// ParseSize reads a size such as “1080x1350”; ok is false for one that a card can't have.
func ParseSize(text string) (size image.Point, ok bool) {
	w, h, ok := strings.Cut(text, "x")
	if !ok || len(w) > 4 || len(h) > 4 {
		return size, false
	}
	width, err := strconv.ParseUint(w, 10, 16)
	height, err2 := strconv.ParseUint(h, 10, 16)
	size = image.Pt(int(width), int(height))
	return size, err == nil && err2 == nil && ValidSize(size)
}

// ValidSize reports whether a card can have a size.
func ValidSize(size image.Point) bool {
	return min(size.X, size.Y) >= MinSide && max(size.X, size.Y) <= MaxSide && size.X*size.Y <= MaxPixels
}

// SizeLimits says which sizes a card can have.
var SizeLimits = fmt.Sprintf("sides of %d to %d pixels, and at most %d pixels together", MinSide, MaxSide, MaxPixels)

// ParseSizes reads a list of sizes with commas or spaces between them, each once. Its error is a sentence without its
// end.
func ParseSizes(list string) (sizes []image.Point, err error) {
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		size, ok := ParseSize(name)
		if !ok {
			return nil, fmt.Errorf("%.20q isn't a size such as 1080x1350, with %s", name, SizeLimits)
		}
		if !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
		if len(sizes) > MaxSizes {
			return nil, fmt.Errorf("there are more than %d sizes", MaxSizes)
		}
	}
	if len(sizes) == 0 {
		return nil, fmt.Errorf("there is no size, such as 1080x1350")
	}
	return sizes, nil
}

// SizesOf returns the sizes that a document lists, or nil if it lists none. Its errors are an *[Error].
func SizesOf(source string) ([]image.Point, error) {
	if !strings.Contains(strings.ToLower(source), SizesName) {
		return nil, nil
	}
	reader := html.NewTokenizer(strings.NewReader(source))
	for at := 0; ; at += len(reader.Raw()) {
		switch reader.Next() {
		case html.ErrorToken:
			return nil, nil // the end: the source is in memory
		case html.StartTagToken, html.SelfClosingTagToken:
			token := reader.Token()
			if token.Data != "meta" || !strings.EqualFold(valueOf(token, "name"), SizesName) {
				continue
			}
			sizes, err := ParseSizes(valueOf(token, "content"))
			if err != nil {
				line, column := placeOf(source, at)
				return nil, &Error{line, column, "The meta element " + SizesName + " is wrong: " + err.Error() + "."}
			}
			return sizes, nil
		}
	}
}

// valueOf returns the value of an attribute, or "".
func valueOf(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}
