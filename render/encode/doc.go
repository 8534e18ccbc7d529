// Package encode turns drawn pictures into the bytes that are served: PNG if it is small, otherwise JPEG.
//
//	pic, err := encode.Encode(canvas.Image(), encode.OG)
//	w.Header().Set("Content-Type", pic.ContentType)
//	w.Write(pic.Bytes)
//
// The same pixels and limits always give the same bytes, on every processor, if they have the same memory layout. All
// calls are safe for concurrent use; compressors and buffers are pooled.
//
// Both writers are our own, since they take most of a card's time and produce all of its bytes:
//
//   - PNG: drawn pictures compress best without row filters (a gradient's rows are shifted copies of each other, which
//     a filter hides), and with a compressor that looks for repeats in the row above first (deflate.go). The reference
//     card of the rendering benchmark takes 49 KB in 0.8 ms; klauspost/compress takes 60 KB in 1.1 ms at level 1, and
//     48 KB in 1.5 ms at level 5. Alpha is written only if there is some, and indexed pictures stay indexed.
//   - JPEG: color keeps its full resolution at small colored text (jpeg.go), in the time that image/jpeg needs for half
//     the resolution.
//
// # Files
//
//	encode.go         Encode, Limits, File
//	png.go            the file; pixels.go its rows, packed; filter.go row filters, by a sample
//	deflate.go        matches; deflate_fast.go a faster version
//	deflate_block.go  Huffman codes of a block; adler.go the checksum
//	jpeg.go           quality, blocks, the file; planes.go luminance and chrominance
//	colorloss.go      whether halving the resolution of color is visible at text
//	dct.go            cosine transform, quantizer; huffman.go codes and bits of a scan
package encode
