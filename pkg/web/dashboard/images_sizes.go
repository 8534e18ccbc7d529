package dashboard

import (
	goimage "image"
	"net/url"
	"path"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/card"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/render"
)

// This file has what pages of images show of cards in several sizes.

// sizeTile is a picture of an image in one of its sizes.
type sizeTile struct {
	thumb
	File, Size string
}

// sizesOf returns the sizes in pixels of an image's pictures, its own first.
func sizesOf(of gen.Image) []goimage.Point {
	all := []goimage.Point{{X: of.Width, Y: of.Height}}
	if of.Assets != nil && of.Kind != gen.ImageKindIconSet {
		for _, a := range *of.Assets {
			all = append(all, goimage.Pt(a.Width, a.Height))
		}
	}
	return all
}

// sizeTiles returns the pictures of an image in all of its sizes, or nil if it has one.
func sizeTiles(of gen.Image) (all []sizeTile) {
	sizes := sizesOf(of)
	if len(sizes) == 1 {
		return nil
	}
	for i, size := range sizes {
		address := of.ImageUrl
		if i > 0 {
			address = (*of.Assets)[i-1].Url
		}
		all = append(all, sizeTile{
			thumb{Path: local(address), URL: local(address), Alt: of.Alt},
			path.Base(address), shownSize(size),
		})
	}
	return all
}

// shownSize is a size as pages show it: “1080×1350”.
func shownSize(size goimage.Point) string { return strconv.Itoa(size.X) + "×" + strconv.Itoa(size.Y) }

// addSizes adds the sizes of an image to a request for it, unless its request left them open. Of an image that was
// drawn before this was stored, that is so if its design lists just those.
func addSizes(c echo.Context, designs *server.Operation, body map[string]any, of gen.Image) error {
	if of.Kind != gen.ImageKindOg && of.Kind != gen.ImageKindCustom || leftOpen(of, gen.ImageDefaultsSizes) {
		return nil
	}
	sizes := sizesOf(of)
	var listed []goimage.Point
	if of.Defaults == nil {
		var err error
		if listed, err = listedSizes(c, designs, of); err != nil {
			return err
		}
	}
	if len(listed) > 0 {
		if of.Kind == gen.ImageKindOg {
			listed = append(listed, card.OGSize)
		}
		if slices.Equal(inOrder(listed), inOrder(sizes)) {
			return nil
		}
	}
	switch {
	case of.Kind == gen.ImageKindCustom:
		body["size"] = gen.CardSize{Width: of.Width, Height: of.Height}
		sizes = sizes[1:]
	case len(sizes) > 1: // else it is the only size that was named
		sizes = sizes[1:]
	case of.Defaults == nil && len(listed) == 0:
		sizes = nil
	}
	var further []gen.FurtherSize
	for _, s := range sizes {
		further = append(further, gen.FurtherSize{Width: s.X, Height: s.Y})
	}
	if len(further) > 0 {
		body["sizes"] = further
	}
	return nil
}

// listedSizes returns the sizes that the design of an image lists, or nil if it is none of the project's own.
func listedSizes(c echo.Context, designs *server.Operation, of gen.Image) (sizes []goimage.Point, err error) {
	if of.Template == nil {
		return nil, nil
	}
	if _, ours := render.Lookup(*of.Template, ""); ours {
		return nil, nil
	}
	var found gen.DesignPage
	query := url.Values{"limit": {strconv.Itoa(maxDesigns)}, "projectId": {of.ProjectId.String()}}
	if err := frame.Read(c, designs, server.Input{Query: query}, &found); err != nil {
		return nil, err
	}
	for _, d := range found.Items {
		if d.Slug != *of.Template {
			continue
		}
		for _, s := range d.Sizes {
			sizes = append(sizes, goimage.Pt(s.Width, s.Height))
		}
	}
	return sizes, nil
}

// inOrder returns sizes in one order, each once.
func inOrder(sizes []goimage.Point) []goimage.Point {
	sizes = slices.Clone(sizes)
	slices.SortFunc(sizes, func(a, b goimage.Point) int {
		if a.X != b.X {
			return a.X - b.X
		}
		return a.Y - b.Y
	})
	return slices.Compact(sizes)
}
