package picture

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// This file reads the root element of an SVG.

// maxProlog is the maximum number of comments, instructions and declarations before an SVG's root element.
const maxProlog = 64

// svgRoot returns the attributes of the root element if that is svg, with or without a prefix, cut where data ends.
// HTML pages that contain an svg element don't count: the first element decides.
func svgRoot(data []byte) (attributes []byte, ok bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for range maxProlog {
		data = bytes.TrimLeft(data, " \t\r\n")
		switch {
		case bytes.HasPrefix(data, []byte("<?")):
			data, ok = after(data, "?>")
		case bytes.HasPrefix(data, []byte("<!--")):
			data, ok = after(data[4:], "-->")
		case len(data) >= 9 && bytes.EqualFold(data[:9], []byte("<!DOCTYPE")):
			data, ok = afterDoctype(data)
		default:
			return rootAttributes(data)
		}
		if !ok {
			return nil, false
		}
	}
	return nil, false
}

func after(data []byte, end string) ([]byte, bool) {
	_, rest, ok := bytes.Cut(data, []byte(end))
	return rest, ok
}

// afterDoctype skips a declaration with or without an internal subset in brackets, whose strings and comments may
// contain brackets, too.
func afterDoctype(data []byte) ([]byte, bool) {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"' || c == '\'':
			end := bytes.IndexByte(data[i+1:], c)
			if end < 0 {
				return nil, false
			}
			i += 1 + end
		case c == '<' && bytes.HasPrefix(data[i:], []byte("<!--")):
			end := bytes.Index(data[i:], []byte("-->"))
			if end < 0 {
				return nil, false
			}
			i += end + 2
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			return data[i+1:], true
		}
	}
	return nil, false
}

// rootAttributes returns the text between the name svg and the end of the tag at the start of data.
func rootAttributes(data []byte) ([]byte, bool) {
	if len(data) < 5 || data[0] != '<' {
		return nil, false
	}
	name := data[1:]
	end := bytes.IndexAny(name[:min(len(name), 64)], " \t\r\n/>")
	if end < 0 {
		return nil, false
	}
	attributes := name[end:]
	name = name[:end]
	if colon := bytes.IndexByte(name, ':'); colon > 0 {
		name = name[colon+1:]
	}
	if string(name) != "svg" {
		return nil, false
	}
	quote := byte(0)
	for i, c := range attributes {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return attributes[:i], true
		}
	}
	return attributes, true
}

// svgAttribute returns the value of the attribute with that name and no prefix, or "".
func svgAttribute(attributes []byte, name string) string {
	rest := attributes
	for len(rest) > 0 {
		equals := bytes.IndexByte(rest, '=')
		if equals < 0 {
			return ""
		}
		found := strings.TrimLeft(string(bytes.TrimSpace(rest[:equals])), "/")
		value := bytes.TrimLeft(rest[equals+1:], " \t\r\n")
		if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
			return ""
		}
		end := bytes.IndexByte(value[1:], value[0])
		if end < 0 {
			return ""
		}
		if found == name {
			return string(value[1 : 1+end])
		}
		rest = value[end+2:]
	}
	return ""
}

// inspectSVG returns the size declared by the root element: width and height, one of which may be derived from the
// viewBox, otherwise the size of the viewBox. Percentages and font-relative lengths are ignored.
func inspectSVG(data []byte) (Facts, error) {
	root, _ := svgRoot(data)
	w, h := svgLength(svgAttribute(root, "width")), svgLength(svgAttribute(root, "height"))
	box := strings.FieldsFunc(svgAttribute(root, "viewBox"),
		func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	if len(box) == 4 {
		bw, bh := svgLength(box[2]), svgLength(box[3])
		switch {
		case bw == 0 || bh == 0:
		case w == 0 && h == 0:
			w, h = bw, bh
		case w == 0:
			w = h * bw / bh
		case h == 0:
			h = w * bh / bw
		}
	}
	if w == 0 || h == 0 {
		w, h = 0, 0
	}
	return displayed(svgPixels(w), svgPixels(h), 1, Unsure, Yes), nil
}

// svgUnits are the absolute units in CSS pixels. Source: CSS Values and Units 4, 6.2.
var svgUnits = []struct {
	suffix string
	px     float64
}{{"px", 1}, {"pt", 96.0 / 72}, {"pc", 16}, {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"in", 96}}

// svgLength returns a length in CSS pixels, or 0 if it is invalid.
func svgLength(s string) float64 {
	s = strings.TrimSpace(s)
	factor := 1.0
	for _, unit := range svgUnits {
		if number, ok := strings.CutSuffix(s, unit.suffix); ok {
			s, factor = number, unit.px
			break
		}
	}
	if len(s) > 32 {
		return 0
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || n <= 0 {
		return 0
	}
	return min(n*factor, 1<<30)
}

// svgPixels rounds to whole pixels; any visible size is at least one.
func svgPixels(v float64) int {
	if v <= 0 || math.IsNaN(v) {
		return 0
	}
	return int(min(max(math.Round(v), 1), 1<<30))
}
