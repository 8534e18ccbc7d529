package picture

import "fmt"

// Inspect reads the header of a picture without decoding it. It reads at most the first 256 KiB, so the beginning of a
// file is enough. It reports any size that the header claims; only [Decoder.Decode] rejects large ones. An orientation
// or a second frame further back isn't seen.
//
// Errors are [ErrUnknown], and [ErrCorrupt] for a header without a size within those bytes.
func Inspect(data []byte) (Facts, error) {
	data = data[:min(len(data), inspectBytes)]
	format := Sniff(data)
	facts, err := recovered(func() (Facts, error) { return inspect(format, data) })
	if err != nil {
		return Facts{}, fmt.Errorf("inspect %s: %w", format, err)
	}
	facts.Format = format
	return facts, nil
}

func inspect(format Format, data []byte) (Facts, error) {
	switch format {
	case PNG:
		return inspectPNG(data)
	case JPEG:
		return inspectJPEG(data)
	case GIF:
		return inspectGIF(data)
	case WebP:
		return inspectWebP(data)
	case ICO:
		return inspectICO(data)
	case SVG:
		return inspectSVG(data)
	case AVIF, HEIC:
		return inspectHEIF(data)
	case BMP:
		return inspectBMP(data)
	case TIFF:
		return inspectTIFF(data)
	}
	return Facts{}, ErrUnknown
}

// displayed returns facts with the size of a stored w×h picture after its orientation is applied.
func displayed(w, h, orientation int, animated, alpha Tristate) Facts {
	if orientation < 1 || orientation > 8 {
		orientation = 1
	}
	if orientation >= 5 {
		w, h = h, w
	}
	return Facts{Width: w, Height: h, Orientation: orientation, Animated: animated, Alpha: alpha}
}
