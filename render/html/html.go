// Package html draws HTML documents with CSS, as a browser draws them: custom designs of cards.
//
// A document is parsed once and drawn at any size:
//
//	doc, err := html.Parse(source)
//	img, warnings, err := doc.Draw(ctx, html.Options{Width: 1200, Height: 630, Images: images})
//
// The packages are one pipeline: css (style sheets and computed styles), layout (boxes to fragments), draw (fragments
// to pixels). Nothing is fetched: pictures are passed in by their address. Scripts aren't run, and there is no clock.
// What isn't drawn as a browser does is told as a [Warning] with its line and column; docs/html.md lists what is drawn.
package html

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"masthead/render/encode"
	"masthead/render/html/css"
	"masthead/render/html/css/media"
	"masthead/render/html/css/sheet"
	"masthead/render/html/draw"
	"masthead/render/html/layout"
	"masthead/render/html/layout/fragment"
	"masthead/render/text"
)

// Limits of a document.
const (
	MaxBytes    = 256 << 10
	MaxElements = 5000
	MaxDepth    = 64
	MaxSide     = 2048
	MaxPixels   = 4 << 20
)

// ErrTooLarge says that a document exceeds a limit, which the message names.
var ErrTooLarge = errors.New("the document is too large")

// Image is a picture that a document shows.
type Image = draw.Image

// Warning is something that isn't drawn as in a browser. Line and Column are where it is in the document, from 1; 0 if
// it is nowhere.
type Warning = css.Warning

// Document is a parsed document. It is safe for concurrent use.
type Document struct {
	styles   *css.Document
	warnings []Warning  // of parsing, beside those of styles
	size     int        // of its text
	kept     draw.Cache // of earlier pictures

	mu     sync.Mutex
	styled []styledDocument // of the last sizes, the newest first
}

// styledDocument is a document with its styles for one size.
type styledDocument struct {
	view     media.Viewport
	given    map[string]string
	sizes    map[int]css.ContainerSize
	byFaces  bool // lengths are in ch
	fonts    *text.Fonts
	root     *css.Node
	warnings []Warning
}

// maxStyled is for how many sizes and sets of properties a document keeps its styles; large ones for fewer.
const (
	maxStyled      = 8
	maxStyledBytes = 2 * MaxBytes
)

func (d *Document) styledCount() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.styled)
}

// style returns the document with its styles for a size, properties and sizes of containers, computed once for each.
func (d *Document) style(
	ctx context.Context, opts Options, engine *text.Engine, sizes map[int]css.ContainerSize,
) (*css.Node, []Warning, error) {
	view := media.Viewport{Width: float64(opts.Width), Height: float64(opts.Height), Dark: opts.Dark}
	d.mu.Lock()
	i := slices.IndexFunc(d.styled, func(s styledDocument) bool {
		return s.view == view && maps.Equal(s.given, opts.Properties) && (s.sizes == nil) == (sizes == nil) &&
			maps.Equal(s.sizes, sizes) && (!s.byFaces || s.fonts == opts.Fonts)
	})
	if i >= 0 {
		s := d.styled[i]
		d.styled = slices.Insert(slices.Delete(d.styled, i, i+1), 0, s)
		d.mu.Unlock()
		return s.root, slices.Clone(s.warnings), nil
	}
	d.mu.Unlock()
	byFaces := false
	root, warnings, err := d.styles.Style(ctx, css.Options{
		View: view, Properties: opts.Properties, Containers: sizes,
		Zero: func(t *css.Text) float64 {
			byFaces = true
			return layout.Zero(engine, t)
		},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("compute the styles: %w", err)
	}
	warnings = append(slices.Clone(d.warnings), warnings...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.styled = slices.Insert(d.styled, 0, styledDocument{
		view, maps.Clone(opts.Properties), sizes, byFaces, opts.Fonts, root, slices.Clone(warnings),
	})
	kept := min(len(d.styled), maxStyled, max(maxStyledBytes/max(d.size, 1), 1))
	clear(d.styled[kept:])
	d.styled = d.styled[:kept]
	return root, warnings, nil
}

// Options of drawing.
type Options struct {
	// Width and Height are the size of the picture in px: 1 to MaxSide each, at most MaxPixels together.
	Width, Height int
	// Images returns the picture for an address as the document names it (an asset, a data URL); nil if there is none. It
	// must be safe for concurrent use if the document is drawn concurrently.
	Images func(url string) Image
	// SVG draws an SVG document on w×h pixels; nil means that inline drawings are left out.
	SVG func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// Properties are custom properties that the document inherits, such as --accent.
	Properties map[string]string
	// Fonts are used beside those of the program, by their families; nil for none.
	Fonts *text.Fonts
	// Dark is what @media (prefers-color-scheme) and light-dark() choose by.
	Dark bool
}

// Parse parses a document. Errors match ErrTooLarge, and those that have a place are a *[LimitError].
func Parse(source string) (*Document, error) {
	if len(source) > MaxBytes {
		return nil, fmt.Errorf("%w: it has more than %d KB", ErrTooLarge, MaxBytes>>10)
	}
	return parse(source, nil)
}

// parse is Parse of a document whose places are those that origin returns for its offsets, unless it is nil.
func parse(source string, origin func(offset int) (line, column int)) (*Document, error) {
	if at, over := reopens(source); over {
		line, column := 1+strings.Count(source[:at], "\n"), at-strings.LastIndexByte(source[:at], '\n')
		if origin != nil {
			line, column = origin(at)
		}
		return nil, &LimitError{line, column, "too many elements such as <b> are opened again, since they aren't closed"}
	}
	marked, places := mark(source, origin)
	root, err := html.Parse(strings.NewReader(marked))
	if err != nil {
		return nil, fmt.Errorf("parse the document: %w", err)
	}
	at := locations(root, places)
	var top *html.Node
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			top = c
		}
	}
	if top == nil {
		return nil, errors.New("the document has no element")
	}
	if err := measure(top, at); err != nil {
		return nil, err
	}
	styles := css.NewSheet()
	utilities := utilitiesOf(top, at)
	styles.Parse(utilities.before, 0, 0)
	locate := func(n *html.Node) (line, column int) { p := at[n]; return p.line, p.column }
	addSheets(styles, top, at)
	if line, column, over := styles.Over(); over {
		return nil, &LimitError{line, column, fmt.Sprintf("it has more than %d style rules", sheet.MaxRules)}
	}
	styles.Parse(utilities.after, 0, 0)
	return &Document{styles: css.NewDocument(top, styles, locate), warnings: utilities.warnings, size: len(source)}, nil
}

// LimitError is an [ErrTooLarge] with its place in the document, from 1; 0 if it is unknown.
type LimitError struct {
	Line, Column int
	Limit        string // what the document exceeds
}

// Error says which limit the document exceeds.
func (e *LimitError) Error() string { return ErrTooLarge.Error() + ": " + e.Limit }

// Unwrap returns ErrTooLarge.
func (e *LimitError) Unwrap() error { return ErrTooLarge }

// measure counts elements and their depth.
func measure(top *html.Node, at map[*html.Node]place) error {
	count := 0
	var walk func(n *html.Node, depth int) error
	walk = func(n *html.Node, depth int) error {
		if n.Type == html.ElementNode {
			p := at[n]
			if count++; count > MaxElements {
				return &LimitError{p.line, p.column, fmt.Sprintf("it has more than %d elements", MaxElements)}
			}
			if depth > MaxDepth {
				return &LimitError{p.line, p.column, fmt.Sprintf("elements are nested more than %d deep", MaxDepth)}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if err := walk(c, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(top, 1)
}

// addSheets parses the style elements of a document in their order.
func addSheets(styles *sheet.Sheet, n *html.Node, at map[*html.Node]place) {
	if n.Type == html.ElementNode && n.Data == "style" && n.FirstChild != nil {
		p := at[n]
		styles.Parse(withoutTailwind(n.FirstChild.Data), p.line, p.column+p.length)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		addSheets(styles, c, at)
	}
}

// Draw draws the document: as an opaque *image.RGBA, or as an *image.Paletted if it has few colors. It fails for a size
// beyond the limits, for a layout beyond its bounds, and if ctx ends.
func (d *Document) Draw(ctx context.Context, opts Options) (image.Image, []Warning, error) {
	return d.drawWith(ctx, opts, nil)
}

// Encode draws the document and encodes the picture: Draw and encode.Encode in one, without a copy of the pixels.
func (d *Document) Encode(
	ctx context.Context, opts Options, limits encode.Limits,
) (encode.File, []Warning, error) {
	return d.encodeWith(ctx, opts, nil, limits)
}

// drawWith is Draw with the values of a design.
func (d *Document) drawWith(ctx context.Context, opts Options, values []string) (image.Image, []Warning, error) {
	drawn, warnings, err := d.draw(ctx, opts, values)
	if err != nil {
		return nil, nil, err
	}
	defer drawn.Release()
	return drawn.Clone(), warnings, nil
}

func (d *Document) encodeWith(
	ctx context.Context, opts Options, values []string, limits encode.Limits,
) (encode.File, []Warning, error) {
	drawn, warnings, err := d.draw(ctx, opts, values)
	if err != nil {
		return encode.File{}, nil, err
	}
	defer drawn.Release()
	picture, err := encode.Encode(drawn.Image, limits)
	if err != nil {
		return encode.File{}, nil, fmt.Errorf("encode the document: %w", err)
	}
	return picture, warnings, nil
}

// checkSize returns an error for a picture that is too small or too large.
func checkSize(w, h int) error {
	if min(w, h) < 1 || max(w, h) > MaxSide || w*h > MaxPixels {
		return fmt.Errorf("draw the document: %dx%d is not a size from 1 to %d a side", w, h, MaxSide)
	}
	return nil
}

func (d *Document) draw(ctx context.Context, opts Options, values []string) (*draw.Bitmap, []Warning, error) {
	if err := checkSize(opts.Width, opts.Height); err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("draw the document: %w", err)
	}
	engine := opts.Fonts.Get()
	drawn, warnings, err := d.drawBy(ctx, opts, engine, values)
	text.Put(engine)
	return drawn, warnings, err
}

func (d *Document) drawBy(
	ctx context.Context, opts Options, engine *text.Engine, values []string,
) (*draw.Bitmap, []Warning, error) {
	_, input, warnings, err := d.laidOut(ctx, opts, engine, values)
	if err != nil {
		return nil, nil, err
	}
	drawn, err := draw.Draw(ctx, input)
	if err != nil {
		return nil, nil, fmt.Errorf("draw the document: %w", err)
	}
	return drawn, *warnings, nil
}

// maxQueries is how often a document is styled again for the sizes of its containers. Each time, those of one more
// level are final.
const maxQueries = 6

// laidOut returns the fragment of the root element, and what draws it. Drawing adds to the warnings. The styles of a
// document with containers depend on their sizes in the layout, which don't depend on what is in them.
func (d *Document) laidOut(
	ctx context.Context, opts Options, engine *text.Engine, values []string,
) (root *fragment.Fragment, input draw.Input, warned *[]Warning, err error) {
	root, input, warned, err = d.layOut(ctx, opts, engine, values, nil)
	if err != nil || !d.styles.HasContainers() {
		return root, input, warned, err
	}
	var sizes map[int]css.ContainerSize
	for n := 0; ; n++ {
		now := map[int]css.ContainerSize{}
		containerSizes(root, now)
		if sizes != nil && maps.Equal(now, sizes) {
			break
		}
		if n == maxQueries {
			*warned = append(*warned, Warning{Message: "Containers whose sizes depend on others are nested too deep: " +
				"rules of @container may not match."})
			break
		}
		sizes = now
		if root, input, warned, err = d.layOut(ctx, opts, engine, values, sizes); err != nil {
			break
		}
	}
	return root, input, warned, err
}

// containerSizes collects the sizes of the containers in a fragment.
func containerSizes(f *fragment.Fragment, into map[int]css.ContainerSize) {
	if f == nil {
		return
	}
	if f.Kind == fragment.Box && !f.Anonymous && f.Node != nil && f.Node.Container > 0 {
		if _, seen := into[f.Node.Container]; !seen { // others are of its pseudo-elements
			in := f.Content()
			into[f.Node.Container] = css.ContainerSize{Width: in.W, Height: in.H}
		}
	}
	for _, c := range f.Children {
		containerSizes(c, into)
	}
}

// layOut is laidOut with the sizes of containers.
func (d *Document) layOut(
	ctx context.Context, opts Options, engine *text.Engine, values []string, sizes map[int]css.ContainerSize,
) (root *fragment.Fragment, input draw.Input, warned *[]Warning, err error) {
	styled, warnings, err := d.style(ctx, opts, engine, sizes)
	if err != nil {
		return nil, input, nil, err
	}
	if len(values) > 0 {
		styled = withValues(styled, nil, values)
	}
	told := map[string]bool{}
	warn := func(n *css.Node, message string) {
		w := Warning{Message: message}
		if n != nil {
			w.Line, w.Column = n.Line, n.Column
		}
		key := fmt.Sprint(w)
		const most = 400
		if !told[key] && len(warnings) < most {
			told[key] = true
			warnings = append(warnings, w)
		}
	}
	pictures := func(src string) (w, h, ratio float64, ok bool) {
		if opts.Images == nil {
			return 0, 0, 0, false
		}
		img := opts.Images(src)
		if img == nil {
			return 0, 0, 0, false
		}
		w, h, ratio = img.Size()
		return w, h, ratio, true
	}
	root, problems, err := layout.Layout(ctx, layout.Input{
		Root: styled, Width: float64(opts.Width), Height: float64(opts.Height), Images: pictures, Engine: engine,
	})
	if err != nil {
		return nil, input, nil, fmt.Errorf("lay out the document: %w", err)
	}
	for _, w := range problems {
		warn(w.Node, w.Message)
	}
	return root, draw.Input{
		Root: root, Width: opts.Width, Height: opts.Height, Engine: engine,
		Images: opts.Images, SVG: opts.SVG, Warn: warn, Kept: &d.kept,
	}, &warnings, nil
}

// Raster returns an Image of pixels.
func Raster(img *image.NRGBA) Image { return raster{img} }

type raster struct{ img *image.NRGBA }

func (r raster) Size() (w, h, ratio float64) {
	w, h = float64(r.img.Rect.Dx()), float64(r.img.Rect.Dy())
	return w, h, w / math.Max(h, 1)
}

func (r raster) Pixels(int, int) (*image.NRGBA, error) { return r.img, nil }

// SVG returns an SVG file as a picture. ok is false if it isn't SVG, or has what isn't drawn here: text, style sheets,
// patterns, markers.
func SVG(document string) (img Image, ok bool) { return draw.NewSVG(document) }
