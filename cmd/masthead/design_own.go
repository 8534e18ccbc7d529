package main

import (
	"context"
	"errors"
	"image"
	"io"
	"os"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/card"
	"masthead/pkg/picture/svg"
	"masthead/render"
	"masthead/render/design"
)

// This file draws designs of files as the service draws those of projects: pictures beside them are their assets.

// compileOwn compiles a design, with the facts of the sample page to try it with.
func compileOwn(source string) (*card.Design, error) {
	r, _ := render.Sample(render.DefaultTemplate)
	compiled, err := design.Compile(source, r.Facts())
	if err != nil {
		return nil, err
	}
	return &card.Design{Design: compiled}, nil
}

// folderAssets returns the pictures of a folder by their names: see [card.Own].
func folderAssets(folder *os.Root) func(context.Context, string) ([]byte, error) {
	return func(_ context.Context, address string) ([]byte, error) {
		if strings.Contains(address, "://") {
			return nil, nil
		}
		file, err := folder.Open(strings.TrimPrefix(address, "./"))
		if errors.Is(err, os.ErrNotExist) {
			return nil, errors.New("there is no such file beside the design")
		}
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, maxDesignPicture))
	}
}

// drawSVG draws an inline drawing of a design.
func (d *drawer) drawSVG(ctx context.Context, document string, w, h int) (*image.NRGBA, error) {
	clean, err := svg.Clean([]byte(document))
	if err != nil {
		return nil, err
	}
	if err := d.svg.Await(ctx, svgWait); err != nil {
		return nil, err
	}
	return d.svg.Draw(ctx, clean, w, h)
}

// ownDesign is a design of a file for cards of pages; the zero value is none.
type ownDesign struct {
	design *card.Design
	sizes  []image.Point // of the kind custom, for a template too; none for the command's kind
	data   []byte        // of the tag data, or nil
	assets func(context.Context, string) ([]byte, error)
}

// applied returns a request with the design and the sizes, if there are any.
func (o ownDesign) applied(r card.Request) card.Request {
	if o.design != nil {
		r.Template, r.Design, r.Data = "design", o.design, o.data
	}
	switch {
	case len(o.sizes) > 0:
		r.Kind, r.Sizes = card.Custom, o.sizes
	case o.design != nil && len(o.design.Sizes()) > 0 && r.Kind == card.OG:
		r.Kind = card.Custom // the sizes that it lists
	}
	return r
}

// takeDesign reads the design of --design. The folder must be closed when the cards are drawn.
func (c *cardCommand) takeDesign() (folder *os.Root, err error) {
	source, folder, err := openDesign(c.Design)
	if err != nil {
		return nil, err
	}
	own := ownDesign{assets: folderAssets(folder)}
	if own.design, err = compileOwn(source); err != nil {
		err = usage.Errorf("%s: %w", c.Design, err)
	}
	if err == nil && c.Data != "" {
		own.data, err = os.ReadFile(c.Data)
	}
	if err != nil {
		_ = folder.Close()
		return nil, err
	}
	c.own = own
	return folder, nil
}
