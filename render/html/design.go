package html

import (
	"context"
	"fmt"
	"image"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"

	"masthead/render/encode"
	"masthead/render/html/css"
	"masthead/render/html/mustache"
)

// Design is a document with tags of Mustache. It is compiled once, and drawn with the values of any page:
//
//	design, err := html.Compile(source)
//	filled, err := design.Fill(map[string]any{"title": "Hello"})
//	picture, warnings, err := filled.Encode(ctx, html.Options{Width: 1200, Height: 630}, encode.OG)
//
// The document is parsed, and its styles computed, once for each combination of sections that are shown: a page whose
// texts alone differ from an earlier one parses nothing. A Design is safe for concurrent use.
type Design struct {
	template *mustache.Template
	lines    []int // offsets of the lines of the source
	whole    bool  // no values are left out: something in the source depends on them

	mu       sync.Mutex
	outlines []outline // the newest first
	parsed   int       // how many documents were parsed
}

// outline is a document without its texts.
type outline struct {
	text     string
	doc      *Document
	pictures []string
}

const (
	// maxOutlines is for how many combinations of sections a design keeps documents, beside the last one of at most
	// maxOutlineBytes together.
	maxOutlines     = 16
	maxOutlineBytes = 64 << 10
	// perByte is about the memory of a parsed document for each byte of its text, and of its styles for a size.
	perByte = 50
)

// Size returns about how much memory the design takes now, in bytes.
func (d *Design) Size() (bytes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.outlines {
		bytes += len(o.text)*perByte*(1+o.doc.styledCount()) + o.doc.kept.Size()
	}
	return bytes
}

// Names returns the names of all tags of the design.
func (d *Design) Names() map[string]bool { return d.template.Names() }

// Uses reports whether the design has a tag with this name.
func (d *Design) Uses(name string) bool { return d.template.Names()[name] }

// FilledDesign is a design with the values of a page. It is safe for concurrent use.
type FilledDesign struct {
	outline

	values []string
}

// Fill returns the design with the values of data: what encoding/json reads into an any. It fails for values that may
// not stand where their tags do, and for a document that is beyond the limits with them.
func (d *Design) Fill(data any) (*FilledDesign, error) {
	o, values, err := d.document(data)
	if err != nil {
		return nil, err
	}
	return &FilledDesign{o, values}, nil
}

// Pictures are the addresses of the pictures that the document names, each once, at most 12: relative and absolute
// ones, and data URLs.
func (f *FilledDesign) Pictures() []string { return f.pictures }

// Draw draws the design. It is as if the document with the values was parsed and drawn; warnings have the lines of the
// design.
func (f *FilledDesign) Draw(ctx context.Context, opts Options) (image.Image, []Warning, error) {
	return f.doc.drawWith(ctx, opts, f.values)
}

// Encode draws the design and encodes the picture: Draw and encode.Encode in one, without a copy of the pixels.
func (f *FilledDesign) Encode(ctx context.Context, opts Options, limits encode.Limits) (encode.File, []Warning, error) {
	return f.doc.encodeWith(ctx, opts, f.values, limits)
}

// dependent matches what may depend on the text of a document: its direction, its first letter.
var dependent = regexp.MustCompile(`(?i)dir\s*=\s*["']?\s*auto|:first-letter`)

// Compile reads a design. It fails for tags that can't be read, and for a document beyond the limits (ErrTooLarge). A
// fault of a tag is a *mustache.Error.
func Compile(source string) (*Design, error) {
	if len(source) > MaxBytes {
		return nil, fmt.Errorf("%w: it has more than %d KB", ErrTooLarge, MaxBytes>>10)
	}
	template, err := mustache.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("read the design: %w", err)
	}
	d := &Design{template: template, lines: []int{0}}
	for i := range len(source) {
		if source[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	ofValues := func(c rune) bool { return c >= mustache.FirstValue }
	d.whole = dependent.MatchString(source) || strings.IndexFunc(source, ofValues) >= 0
	if _, _, err := d.document(map[string]any{}); err != nil {
		return nil, err
	}
	return d, nil
}

// Draw is Fill and [FilledDesign.Draw].
func (d *Design) Draw(ctx context.Context, data any, opts Options) (image.Image, []Warning, error) {
	f, err := d.Fill(data)
	if err != nil {
		return nil, nil, err
	}
	return f.Draw(ctx, opts)
}

// Encode is Fill and [FilledDesign.Encode].
func (d *Design) Encode(
	ctx context.Context, data any, opts Options, limits encode.Limits,
) (encode.File, []Warning, error) {
	f, err := d.Fill(data)
	if err != nil {
		return encode.File{}, nil, err
	}
	return f.Encode(ctx, opts, limits)
}

// document returns the parsed document for data, and the values to be put into it.
func (d *Design) document(data any) (o outline, values []string, err error) {
	filled, err := d.template.Outline(data)
	if err != nil {
		return o, nil, fmt.Errorf("fill in the design: %w", err)
	}
	if d.whole {
		if filled.Text, err = d.template.Render(data); err != nil {
			return o, nil, fmt.Errorf("fill in the design: %w", err)
		}
		filled.Values, filled.Origins = nil, nil
	}
	size := len(filled.Text)
	for _, v := range filled.Values {
		size += len(v)
	}
	if size > MaxBytes {
		return o, nil, fmt.Errorf("%w: with its values it has more than %d KB", ErrTooLarge, MaxBytes>>10)
	}
	if o, ok := d.kept(filled.Text); ok {
		return o, filled.Values, nil
	}
	doc, err := parse(filled.Text, d.origin(filled.Origins))
	if err != nil {
		return o, nil, err
	}
	return d.keep(outline{filled.Text, doc, picturesIn(filled.Text)}), filled.Values, nil
}

// kept returns the outline with this text, if there is one, and makes it the newest.
func (d *Design) kept(text string) (o outline, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.newest(text)
}

// newest is kept for a caller that holds the lock.
func (d *Design) newest(text string) (o outline, ok bool) {
	i := slices.IndexFunc(d.outlines, func(o outline) bool { return o.text == text })
	if i < 0 {
		return o, false
	}
	o = d.outlines[i]
	d.outlines = slices.Insert(slices.Delete(d.outlines, i, i+1), 0, o)
	return o, true
}

// keep adds an outline that was parsed just now, and forgets those that are too many. It returns the outline to be
// drawn: that of another card with the same text, if it was parsed in the meantime.
func (d *Design) keep(o outline) outline {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parsed++
	if other, ok := d.newest(o.text); ok {
		return other
	}
	d.outlines = slices.Insert(d.outlines, 0, o)
	kept, bytes := 1, 0
	for kept < min(len(d.outlines), maxOutlines) {
		if bytes += len(d.outlines[kept].text); bytes > maxOutlineBytes {
			break
		}
		kept++
	}
	clear(d.outlines[kept:])
	d.outlines = d.outlines[:kept]
	return o
}

// origin returns where in the design an offset of a filled document is from; nil if that isn't known.
func (d *Design) origin(list []mustache.Origin) func(offset int) (line, column int) {
	if len(list) == 0 {
		return nil
	}
	return func(offset int) (line, column int) {
		i := sort.Search(len(list), func(i int) bool { return list[i].Out > offset }) - 1
		at := 0
		if i >= 0 {
			at = list[i].Source + offset - list[i].Out
		}
		k := sort.SearchInts(d.lines, at+1) - 1
		return k + 1, at - d.lines[k] + 1
	}
}

// isValue reports whether a text may have values that were left out.
func isValue(s string) bool {
	return strings.Contains(s, "\xf4") // the first byte of all characters from FirstValue on
}

// put puts values into a text.
func put(s string, values []string, escape bool) string {
	if !isValue(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		i := int(c) - mustache.FirstValue
		if i < 0 || i >= len(values) {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		s = s[n:]
		if escape {
			b.WriteString(html.EscapeString(values[i]))
		} else {
			b.WriteString(values[i])
		}
	}
	return b.String()
}

// rawText are the elements whose text a parser takes as it is, with its escapes.
var rawText = map[string]bool{
	"iframe": true, "noembed": true, "noframes": true, "noscript": true, "plaintext": true, "xmp": true,
}

// withValues returns a copy of a styled tree with values in its texts.
func withValues(n, parent *css.Node, values []string) *css.Node {
	c := *n
	c.Parent = parent
	switch n.Kind {
	case css.TextNode:
		c.Data = put(n.Data, values, parent != nil && rawText[parent.Tag])
	case css.DrawingNode:
		c.Source = put(n.Source, values, true)
	}
	if len(n.Children) > 0 {
		c.Children = make([]*css.Node, len(n.Children))
		for i, k := range n.Children {
			c.Children[i] = withValues(k, &c, values)
		}
	}
	return &c
}
