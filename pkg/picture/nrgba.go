package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// frame is a decoder's result and its placement on the canvas.
type frame struct {
	img image.Image
	// canvas is the size of the whole picture; zero means that of img. GIF and WebP frames may be smaller.
	canvas image.Point
	// offset is added to img's own position on the canvas.
	offset image.Point
	// orientation is that of EXIF, 1 to 8; 0 means 1.
	orientation int
}

// rows writes row y of a picture as non-premultiplied RGBA into dst.
type rows func(y int, dst []byte)

// nrgba returns the picture as displayed, with its first pixel at (0, 0). It doesn't use a library: imaging panics, in
// its own goroutines, on a palette index out of range, and working by rows needs no second copy to rotate the picture.
func (d frame) nrgba() (*image.NRGBA, error) {
	bounds := d.img.Bounds()
	w, h := bounds.Dx(), bounds.Dy()
	canvas := d.canvas
	at := bounds.Min.Add(d.offset)
	if canvas == (image.Point{}) {
		canvas, at = image.Pt(w, h), image.Point{}
	}
	if err := checkSides(canvas.X, canvas.Y); err != nil {
		return nil, err
	}
	if placed := bounds.Sub(bounds.Min).Add(at); !placed.In(image.Rectangle{Max: canvas}) {
		return nil, corrupt("a frame lies outside of its canvas")
	}
	upright := d.orientation <= 1 || d.orientation > 8
	if upright && canvas == image.Pt(w, h) {
		if same, ok := adopt(d.img); ok {
			return same, nil
		}
	}
	read, err := rowsOf(d.img)
	if err != nil {
		return nil, err
	}
	if upright {
		dst := image.NewNRGBA(image.Rectangle{Max: canvas})
		for y := range h {
			read(y, dst.Pix[dst.PixOffset(at.X, at.Y+y):][:4*w])
		}
		return dst, nil
	}
	return turn(read, w, h, at, canvas, d.orientation), nil
}

// adopt returns img itself as NRGBA if its pixels already have that form.
func adopt(img image.Image) (*image.NRGBA, bool) {
	switch img := img.(type) {
	case *image.NRGBA:
		if img.Rect.Min == (image.Point{}) && img.Stride == 4*img.Rect.Dx() {
			return img, true
		}
	case *image.RGBA:
		if img.Rect.Min == (image.Point{}) && img.Stride == 4*img.Rect.Dx() && img.Opaque() {
			return &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}, true
		}
	}
	return nil, false
}

// turn places w×h pixels at at on a canvas and rotates the whole by the orientation. Source: EXIF 2.32, 4.6.4 A: the
// position of the stored row 0 and column 0 on the display.
func turn(read rows, w, h int, at, canvas image.Point, orientation int) *image.NRGBA {
	// A stored pixel (x, y) goes to first + x*stepX + y*stepY, in pixels of the result.
	cw, ch := canvas.X, canvas.Y
	size := canvas
	var first, stepX, stepY int
	switch orientation {
	case 2: // mirrored
		first, stepX, stepY = cw-1, -1, cw
	case 3: // half turn
		first, stepX, stepY = cw*ch-1, -1, -cw
	case 4: // upside down
		first, stepX, stepY = cw*(ch-1), 1, -cw
	case 5: // mirrored along the main diagonal
		first, stepX, stepY = 0, ch, 1
	case 6: // a quarter turn clockwise
		first, stepX, stepY = ch-1, ch, -1
	case 7: // mirrored along the other diagonal
		first, stepX, stepY = cw*ch-1, -ch, -1
	case 8: // a quarter turn counter-clockwise
		first, stepX, stepY = ch*(cw-1), -ch, 1
	}
	if orientation >= 5 {
		size = image.Pt(ch, cw)
	}
	dst := image.NewNRGBA(image.Rectangle{Max: size})
	row := make([]byte, 4*w)
	for y := range h {
		read(y, row)
		to := first + at.X*stepX + (at.Y+y)*stepY
		for x := 0; x < 4*w; x += 4 {
			copy(dst.Pix[4*to:4*to+4], row[x:x+4])
			to += stepX
		}
	}
	return dst
}

// rowsOf returns the row reader for an image of a kind that our decoders produce.
func rowsOf(img image.Image) (rows, error) {
	origin := img.Bounds().Min
	switch img := img.(type) {
	case *image.Paletted:
		return palettedRows(img), nil
	case *image.Gray:
		return func(y int, dst []byte) {
			for x, v := range img.Pix[img.PixOffset(origin.X, origin.Y+y):][:len(dst)/4] {
				dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = v, v, v, 255
			}
		}, nil
	case *image.Gray16:
		return func(y int, dst []byte) {
			src := img.Pix[img.PixOffset(origin.X, origin.Y+y):][:len(dst)/2]
			for x := 0; x < len(dst); x += 4 {
				v := src[x/2]
				dst[x], dst[x+1], dst[x+2], dst[x+3] = v, v, v, 255
			}
		}, nil
	case *image.NRGBA:
		return func(y int, dst []byte) { copy(dst, img.Pix[img.PixOffset(origin.X, origin.Y+y):]) }, nil
	case *image.NRGBA64:
		return highBytes(img.Pix, img.PixOffset(origin.X, origin.Y), img.Stride), nil
	case *image.RGBA64: // only PNG produces one, and only opaque: premultiplied or not is the same
		if img.Opaque() {
			return highBytes(img.Pix, img.PixOffset(origin.X, origin.Y), img.Stride), nil
		}
	case *image.RGBA:
		if img.Opaque() {
			return func(y int, dst []byte) { copy(dst, img.Pix[img.PixOffset(origin.X, origin.Y+y):]) }, nil
		}
	case *image.YCbCr, *image.CMYK:
		return opaqueRows(img), nil
	case *image.NYCbCrA:
		colors := opaqueRows(&img.YCbCr)
		return func(y int, dst []byte) {
			colors(y, dst)
			for x, a := range img.A[img.AOffset(origin.X, origin.Y+y):][:len(dst)/4] {
				dst[4*x+3] = a
			}
		}, nil
	}
	return nil, unsupported("pixels of type %T", img)
}

// opaqueRows reads an image without alpha through image/draw, which has fast paths for those kinds. Its premultiplied
// result is the same for opaque pixels.
func opaqueRows(img image.Image) rows {
	bounds := img.Bounds()
	return func(y int, dst []byte) {
		row := image.RGBA{Pix: dst, Stride: len(dst), Rect: image.Rect(0, 0, len(dst)/4, 1)}
		draw.Draw(&row, row.Rect, img, image.Pt(bounds.Min.X, bounds.Min.Y+y), draw.Src)
	}
}

// palettedRows looks up every index in a table of 256 colors, padded with opaque black, as in libpng: no index can be
// out of range.
func palettedRows(img *image.Paletted) rows {
	var table [256][4]byte
	for i := range table {
		table[i][3] = 255
	}
	for i, c := range img.Palette[:min(len(img.Palette), len(table))] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		table[i] = [4]byte{n.R, n.G, n.B, n.A}
	}
	return func(y int, dst []byte) {
		for x, index := range img.Pix[y*img.Stride:][:len(dst)/4] {
			copy(dst[4*x:4*x+4], table[index][:])
		}
	}
}

// highBytes reads pixels of four big-endian 16-bit channels.
func highBytes(pix []byte, first, stride int) rows {
	return func(y int, dst []byte) {
		src := pix[first+y*stride:][:2*len(dst)]
		for i := range dst {
			dst[i] = src[2*i]
		}
	}
}
