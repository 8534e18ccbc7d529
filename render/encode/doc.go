// Package encode turns drawn pictures into the bytes that are served: PNG where it is small, else JPEG.
//
//	pic, err := encode.Encode(canvas.Image(), encode.OG)
//	w.Header().Set("Content-Type", pic.ContentType)
//	w.Write(pic.Bytes)
//
// The same pixels and limits always give the same bytes, on every processor, if they lie in memory alike. All calls are
// safe for concurrent use; compressors and buffers are pooled.
//
// Both writers are our own, since they are most of the time of a card and all of its bytes:
//
//   - PNG: drawn pictures compress best with no row filter at all (a gradient's rows repeat one another with a shift,
//     which a filter hides), and with a compressor that looks for repeats in the row above before anywhere else
//     (deflate.go). The reference card of the rendering benchmark takes 49 KB in 0.8 ms; klauspost/compress takes 60 KB
//     in 1.1 ms at level 1, and 48 KB in 1.5 ms at level 5.
//     Alpha is written only where there is some, and indexed pictures stay indexed.
//   - JPEG: color keeps its full resolution where small colored text stands (jpeg.go), in the time in which
//     image/jpeg halves it.
//
// # What is where
//
//	encode.go         Encode, Limits, Picture
//	png.go            the file; pixels.go its rows, packed; filter.go row filters, by a sample
//	deflate.go        matches; deflate_fast.go the same in a hurry
//	deflate_block.go  Huffman codes of a block; adler.go the checksum
//	jpeg.go           quality, blocks, the file; planes.go luminance and chrominance
//	colorloss.go      whether half the resolution of color is seen at text
//	dct.go            cosine transform, quantizer; huffman.go codes and bits of a scan
package encode
