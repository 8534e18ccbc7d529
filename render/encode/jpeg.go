package encode

import (
	"bytes"
	"image"
	"image/jpeg"
	"sync"
)

var jpegs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// qualities are tried by halving, so that no picture is encoded more than four times.
var qualities = [...]int{MaxQuality, 85, 82, 79, MinQuality}

// encodeJPEG returns a JPEG of the highest quality that fits, or of the lowest one if none does.
func encodeJPEG(img image.Image, max int) (data []byte, quality int, err error) {
	buf := jpegs.Get().(*bytes.Buffer)
	defer jpegs.Put(buf)
	try := func(i int) (fits bool, err error) {
		buf.Reset()
		if err := jpeg.Encode(buf, img, &jpeg.Options{Quality: qualities[i]}); err != nil {
			return false, err
		}
		return max <= 0 || buf.Len() <= max, nil
	}
	fits, err := try(0)
	if err != nil || fits {
		return bytes.Clone(buf.Bytes()), qualities[0], err
	}
	// best is the first quality that is known to fit, or the lowest.
	low, best := 1, len(qualities)-1
	for low < best {
		mid := (low + best) / 2
		fits, err := try(mid)
		if err != nil {
			return nil, 0, err
		}
		if fits {
			best = mid
			data = bytes.Clone(buf.Bytes())
		} else {
			low = mid + 1
		}
	}
	if data == nil {
		if _, err := try(best); err != nil {
			return nil, 0, err
		}
		data = bytes.Clone(buf.Bytes())
	}
	return data, qualities[best], nil
}

// hopeless reports whether a picture is so far above the limit of a PNG, by a sample of its rows, that compressing all of it would be
// wasted.
func hopeless(img image.Image, limit int) bool {
	p, ok := img.(*image.RGBA)
	h := img.Bounds().Dy()
	if !ok || h < 2*sampleBands*sampleRows {
		return false
	}
	s := &rgbSource{pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], stride: p.Stride, w: p.Rect.Dx()}
	least := min(sample(h, s, filterNone), sample(h, s, filterSub), sample(h, s, filterUp))
	return least*h/(sampleBands*sampleRows) > 2*limit
}
