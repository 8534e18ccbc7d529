package picture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"masthead/pkg/picture/svg"
)

// This file draws an SVG at the requested size, regardless of its own.

const (
	// svgSide is the default shorter side of an SVG: that of the largest icon.
	svgSide = 512
	// maxSVGSide is the maximum side of a drawing, in pixels: 4 megapixels for icons.
	maxSVGSide = 2048
)

// planSVG reads the document and waits for the engine, neither of which uses a worker.
func (d *Decoder) planSVG(ctx context.Context, data []byte, want Want) (plan, error) {
	if d.svg == nil {
		return plan{}, ErrUnsupported
	}
	document, err := svg.Clean(data)
	if err == nil {
		err = d.svg.Await(ctx, want.Patience)
	}
	if err != nil {
		return plan{}, svgFault(err)
	}
	w, h := svgTarget(document, want.Side)
	draw := func() (*image.NRGBA, error) { return d.svg.Draw(ctx, document, w, h) }
	if want.Long > 0 {
		w = min(want.Long, maxSVGSide)
		h = w
		draw = func() (*image.NRGBA, error) { return d.svg.DrawLong(ctx, document, w, want.Spent) }
	}
	return plan{
		facts: Facts{Format: SVG, Width: w, Height: h, Orientation: 1, Animated: No, Alpha: Yes,
			Omitted: document.Omitted},
		cost: svg.MemoryBytes + 4*int64(w)*int64(h),
		decode: func(*input) (frame, error) {
			img, err := draw()
			if err != nil {
				return frame{}, svgFault(err)
			}
			return frame{img: img}, nil
		},
	}, nil
}

// svgTarget returns the size of a document with the shorter side side, or less if the longer one would be too long.
func svgTarget(document *svg.Document, side int) (w, h int) {
	if side <= 0 {
		side = svgSide
	}
	factor := float64(min(side, maxSVGSide)) / min(document.Width, document.Height)
	factor = min(factor, maxSVGSide/max(document.Width, document.Height))
	pixels := func(v float64) int { return int(min(max(math.Round(v*factor), 1), maxSVGSide)) }
	return pixels(document.Width), pixels(document.Height)
}

// svgFault classifies an error of package svg.
func svgFault(err error) error {
	for _, pair := range []struct{ of, kind error }{
		{svg.ErrTooLarge, ErrTooLarge}, {svg.ErrUnsupported, ErrUnsupported}, {svg.ErrDamaged, ErrCorrupt},
		{svg.ErrTimeout, ErrTimeout}, {svg.ErrNotReady, ErrNotReady},
	} {
		if errors.Is(err, pair.of) {
			return fmt.Errorf("%w: %w", pair.kind, err)
		}
	}
	return err
}
