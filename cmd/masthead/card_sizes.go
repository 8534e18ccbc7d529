package main

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/render"
	"masthead/render/design"
)

// This file has what is about cards in several sizes.

// readSizes reads the values of --size; none are no sizes.
func readSizes(values []string) ([]image.Point, error) {
	if len(values) == 0 {
		return nil, nil
	}
	sizes, err := design.ParseSizes(strings.Join(values, ","))
	if err != nil {
		return nil, usage.Errorf("--size: %w", err)
	}
	return sizes, nil
}

// sizesFor returns those of --size, or that a document lists, or that of a share image. The picture that represents
// the others is the first.
func sizesFor(values []string, document string) ([]image.Point, error) {
	sizes, err := readSizes(values)
	if err == nil && len(sizes) == 0 {
		sizes, err = design.SizesOf(document)
	}
	if err != nil {
		return nil, err
	}
	if len(sizes) == 0 {
		return []image.Point{card.OGSize}, nil
	}
	if i := slices.Index(sizes, card.OGSize); i > 0 {
		sizes = slices.Insert(slices.Delete(sizes, i, i+1), 0, card.OGSize)
	}
	return sizes, nil
}

// hasSize reports whether a template is offered in a size.
func hasSize(t render.Template, size image.Point) bool {
	return render.Draws(t.Slug, render.Custom, size) ||
		size == card.OGSize && render.Draws(t.Slug, render.OG, image.Point{})
}

// sized returns the place of the nth picture of a card: the first has the name, the others have their size in it.
func (p place) sized(n int, size image.Point) place {
	if n > 0 {
		ext := filepath.Ext(p.path)
		p.path = strings.TrimSuffix(p.path, ext) + "-" + card.SizeName(size) + ext
	}
	return p
}

// takes returns an error for a place that takes one picture, such as standard output, if there are more.
func (p place) takes(pictures int) error {
	if pictures > 1 && (p.stdout || p.format != "" && filepath.Ext(p.path) == "") {
		return usage.Errorf("-o %s takes one picture, and the card has %d sizes: name a file or a folder, or one --size",
			p.output(), pictures)
	}
	return nil
}

// output is the place as --output names it.
func (p place) output() string {
	if p.stdout {
		return stdout
	}
	return p.path
}

// writeCard writes the pictures of a card.
func (p place) writeCard(drawn card.Result) error {
	for n, f := range drawn.Files {
		if err := p.sized(n, image.Pt(f.Width, f.Height)).write(f.Bytes); err != nil {
			return err
		}
	}
	return nil
}

// cardAsset is a further picture of a card in the --json output.
type cardAsset struct {
	File        string `json:"file"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	ContentType string `json:"contentType"`
	SizeBytes   int    `json:"sizeBytes"`
}

// furtherPictures returns the pictures of a card but for the first, which is at path.
func furtherPictures(path string, drawn card.Result) (all []cardAsset) {
	for n, f := range drawn.Files {
		if n > 0 {
			at := place{path: path}.sized(n, image.Pt(f.Width, f.Height))
			all = append(all, cardAsset{at.path, f.Width, f.Height, f.ContentType, len(f.Bytes)})
		}
	}
	return all
}

// summaryOfFurther are the lines about them.
func summaryOfFurther(path string, drawn card.Result) (lines string) {
	for _, a := range furtherPictures(path, drawn) {
		lines += fmt.Sprintf("\n%s  %dx%d  %s", a.File, a.Width, a.Height, humanize.Bytes(int64(a.SizeBytes)))
	}
	return lines
}
