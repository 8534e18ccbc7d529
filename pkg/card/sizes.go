package card

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"masthead/pkg/apperr"
	"masthead/render"
	"masthead/render/design"
)

// This file has the sizes of a request: that of its picture, and those of further files with the same page in the same
// design.

// Limits of sizes in pixels. Source: openapi.yaml.
const (
	MinSide   = design.MinSide
	MaxSide   = design.MaxSide
	MaxPixels = design.MaxPixels
	// MaxSizes is how many sizes a request may list.
	MaxSizes = design.MaxSizes
)

// OGSize is the size of the kind [OG]. A picture in it represents those in other sizes, since it is what platforms show
// of a page.
var OGSize = image.Pt(1200, 630)

// SizeName returns a size in pixels as it is written: “1080x1350”.
func SizeName(size image.Point) string { return design.SizeName(size) }

// normalizeSizes checks the sizes of a request, and brings them into one order: the picture's own first, that of
// [OG] if it is among them, then the others from narrow to wide. A design of the user's own lists sizes for requests
// that name none.
func (r *Request) normalizeSizes(at func(pointer string, err error)) {
	r.parsed.size, r.parsed.further = image.Point{}, nil
	r.Open &^= OpenSizes
	listed := r.listedSizes()
	switch {
	case r.Kind != Custom && r.Size != image.Point{}:
		at("/size", apperr.New(apperr.BadRequest, "size is for kind custom. The other kinds have sizes of their own."))
		return
	case r.Kind != Custom && r.Kind != OG && len(r.Sizes) > 0:
		at("/sizes", apperr.New(apperr.BadRequest, "sizes are for the kinds og and custom."))
		return
	case r.Kind == Custom && r.Size == image.Point{} && len(r.Sizes)+len(listed) == 0,
		r.Kind == Custom && r.Size != image.Point{} && !design.ValidSize(r.Size):
		at("/size", apperr.New(apperr.BadRequest, "kind custom needs a size with "+design.SizeLimits+"."))
		return
	case len(r.Sizes) > MaxSizes:
		at("/sizes", apperr.New(apperr.BadRequest, fmt.Sprintf("There are more than %d sizes.", MaxSizes)))
		return
	}
	for i, size := range r.Sizes {
		if !design.ValidSize(size) {
			at(fmt.Sprintf("/sizes/%d", i), apperr.New(apperr.BadRequest, "A size has "+design.SizeLimits+"."))
			return
		}
	}
	named := r.Size != image.Point{} || len(r.Sizes) > 0
	all := slices.Clone(r.Sizes)
	if !named {
		all = listed
	}
	r.parsed.size, r.parsed.further = r.order(all)
	switch {
	case !named:
	case r.Kind == Custom:
		r.Size, r.Sizes = r.parsed.size, r.parsed.further
	case len(r.parsed.further) == 0 && r.Design != nil: // no other one, whatever the design lists
		r.Sizes = []image.Point{OGSize}
	default:
		r.Sizes = r.parsed.further
	}
	if r.Size == (image.Point{}) && len(r.Sizes) == 0 && (r.Kind == OG || r.Kind == Custom) {
		r.Open |= OpenSizes
	}
}

// listedSizes are those that a design of the user's own lists for the kind of a request.
func (r *Request) listedSizes() []image.Point {
	if r.Design == nil || r.Kind != Custom && r.Kind != OG {
		return nil
	}
	return r.Design.Sizes()
}

// order returns the size of the picture of a request, and the others of all.
func (r *Request) order(all []image.Point) (first image.Point, further []image.Point) {
	switch {
	case r.Kind != Custom:
		first = r.kindSize()
	case r.Size == OGSize || slices.Contains(all, OGSize):
		first = OGSize
	case r.Size != image.Point{}:
		first = r.Size
	default:
		first = all[0]
	}
	if r.Size != (image.Point{}) {
		all = append(all, r.Size)
	}
	slices.SortFunc(all, func(a, b image.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	for _, size := range slices.Compact(all) {
		if size != first {
			further = append(further, size)
		}
	}
	return first, further
}

// kindSize is the size in pixels of the request's kind, except for [Custom].
func (r *Request) kindSize() image.Point {
	switch {
	case r.Kind == BlogHero && r.Style.AspectRatio != "" && r.Style.AspectRatio != defaultAspectRatio:
		return image.Pt(1600, 1000)
	case r.Kind == BlogHero:
		return image.Pt(1600, 900)
	}
	return OGSize
}

// MainSize is the size of the picture that represents those of all sizes that a design lists, or that of [OG].
func (d *Design) MainSize() image.Point {
	if listed := d.Sizes(); len(listed) > 0 && !slices.Contains(listed, OGSize) {
		return listed[0]
	}
	return OGSize
}

// CardSize returns the size in pixels of a normalized request's picture.
func (r Request) CardSize() image.Point { return r.parsed.size }

// CardSizes returns the sizes in pixels of all files of a normalized request, that of the picture first.
func (r Request) CardSizes() []image.Point {
	return append([]image.Point{r.parsed.size}, r.parsed.further...)
}

// kindIn is the kind that one of our designs draws a size of a request as, and the size if that is [Custom].
func (r Request) kindIn(slug string, size image.Point) (render.Kind, image.Point) {
	switch {
	case r.Kind != Custom && size == r.kindSize():
		return render.Kind(r.Kind), image.Point{}
	case size == OGSize && !render.Draws(slug, render.Custom, size):
		return render.OG, image.Point{}
	}
	return render.Custom, size
}

// drawsSizes reports whether one of our designs draws all sizes of a request that isn't normalized yet.
func (r Request) drawsSizes(slug string) bool {
	if r.Kind == Custom && r.Size == (image.Point{}) && len(r.Sizes) == 0 {
		return false
	}
	size, further := r.order(slices.Clone(r.Sizes))
	_, bad := r.undrawn(slug, append([]image.Point{size}, further...))
	return !bad
}

// undrawn returns the first of some sizes that one of our designs doesn't draw.
func (r Request) undrawn(slug string, sizes []image.Point) (size image.Point, found bool) {
	for _, size := range sizes {
		if kind, sides := r.kindIn(slug, size); !render.Draws(slug, kind, sides) {
			return size, true
		}
	}
	return size, false
}

// noSize lists the sizes that a template is offered in.
func (r Request) noSize(slug string, size image.Point) error {
	t, _ := render.Lookup(slug, "")
	var sizes []string
	for _, s := range t.Sizes {
		sizes = append(sizes, SizeName(s))
	}
	said := fmt.Sprintf("The template %s has no size %s. ", slug, SizeName(size))
	if len(sizes) > 0 {
		said += fmt.Sprintf("Its sizes for kind custom are: %s. ", strings.Join(sizes, ", "))
	} else {
		said += "It has none for kind custom. "
	}
	err := apperr.New(apperr.BadRequest, said+"A design of your own has every size.")
	pointer := "/size"
	if len(r.Sizes) > 0 {
		pointer = "/sizes"
	}
	err.Fields = []apperr.Field{{Pointer: pointer, Detail: err.Detail}}
	return err
}
